import { chooseOrganization, findConnection } from '../../../books/connection/connection.ts'
import { PROGRAM_NAMES, PROGRAMS, type ProgramName } from '../../../books/program.ts'
import { refusals } from '../../../books/refusals.ts'
import { saveRequest, spendRequest } from '../../../identity/providers/requests.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { isId } from '../../../platform/validation/id.ts'
import { textBefore } from '../../../platform/validation/text/before.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { providerRedirectPage } from '../../sign_in/provider.ts'
import type { Site } from '../../site.ts'
import { catchRefusal, requireOwner, settingsPath } from '../settings_page.ts'
import { asRefusal, booksPage } from './page.ts'

/** Sends an owner to the accounting program. Only this browser, person and company can return. */
export async function startBooksAuthorization(
  site: Site,
  context: MemberContext,
  program: ProgramName,
): Promise<Response> {
  if (!site.books.programs.includes(program)) throw notFoundRefusal()
  const tenant = context.company.id
  const { url, state, verifier } = await site.books.startAuthorization(tenant, program)
  const path = `${settingsPath(context, 'books')}?${program}`
  const authRequest = { state, nonce: '', verifier, path, user: context.user.id, boundTo: null }
  const secret = await saveRequest(site.database, authRequest)
  return pageResponse(providerRedirectPage(PROGRAM_NAMES[program], url), {
    leavesSite: true,
    headers: { 'Set-Cookie': site.authorizationCookie.set(secret) },
  })
}

/** Redirects to the company in the state, since programs have one redirect URI for all companies. */
export function forwardBooksCallback(request: PageRequest): Response {
  const { searchParams } = new URL(request.req.url)
  const tenant = textBefore(searchParams.get('state') ?? '', '.')
  if (!isId(tenant)) throw notFoundRefusal()
  return redirect(`/${tenant}/settings/books/callback?${searchParams.toString()}`)
}

/** Saves the access that an owner returns with, and the organization if there is only one. */
export async function handleBooksCallback(site: Site, request: PageRequest): Promise<Response> {
  if (request.req.raw.method === 'HEAD') throw notFoundRefusal()
  const context = await requireOwner(site, request)
  const tenant = context.company.id
  const by = { user: context.user.id }
  const authRequest = await spendRequest(
    site.database,
    site.authorizationCookie.read(request.req.header('cookie')),
    null,
  )
  const program = PROGRAMS.find((one) => authRequest?.path === `${settingsPath(context, 'books')}?${one}`)
  const query = new URL(request.req.url).searchParams
  const response = await catchRefusal(
    async () => {
      const isOwn = authRequest !== null && authRequest.user === by.user && authRequest.state === query.get('state')
      const isGranted =
        isOwn &&
        program !== undefined &&
        (await asRefusal(() => site.books.handleCallback(tenant, program, query, authRequest, by)))
      if (!isGranted) throw conflict(refusals.declined())
      await chooseOnlyOrganization(site, context)
      return redirectWithMessage(settingsPath(context, 'books'), {
        sentence: say`Your accounting program is connected.`,
      })
    },
    (refusal) => booksPage(site, context, { refusal }),
  )
  response.headers.append('Set-Cookie', site.authorizationCookie.clear())
  return response
}

/** Chooses the organization if the access covers only one. */
async function chooseOnlyOrganization(site: Site, context: MemberContext): Promise<void> {
  const connection = await context.read(findConnection)
  if (connection === undefined || connection.organization_name !== null) return
  const [only, ...others] = await asRefusal(() => site.books.listOrganizations(context.company.id, connection))
  if (only === undefined || others.length > 0) return
  await context.write((db) => chooseOrganization(db, only, context.company.currency, { user: context.user.id }))
}
