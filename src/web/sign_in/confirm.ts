import { factorsOf } from '../../identity/factors/factors.ts'
import { checkCode } from '../../identity/factors/second_factor.ts'
import { confirmByPassword, confirmPerson, type SessionConfirmation } from '../../identity/sign_in/confirm_person.ts'
import type { Session } from '../../identity/sign_in/sessions.ts'
import { pageResponse, ownPath } from '../../platform/http/answer.ts'
import { confirmPage, type ConfirmForm } from '../../platform/html/confirm_page.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { MAX_CARRYING_BYTES, continueTo, readCarriedForm } from './sign_in_again.ts'
import { recognizeByPasskey } from './passkeys.ts'
import { sealedAppProblem, wrongSecretProblem, tooManyTries } from './problems.ts'
import { confirmMethods } from './recent.ts'
import { originOf, currentSession, requirePerson } from './session.ts'
import { signInPage, signInMethods } from './sign_in_page.ts'

/** Returns the step-up pages, where a signed-in person confirms who they are. */
export const confirmRoutes = (site: Site): PageRouter => pageRoutes(site, { '/confirm': { get: show, post: confirm } })

async function show(site: Site, request: PageRequest): Promise<Response> {
  const session = await requirePerson(site, request)
  const isSecond = request.req.query('second') !== undefined
  return page(site, session, { to: ownPath(request.req.query('to')), isSecond })
}

/** Authenticates the person, and continues with the form they had sent before. */
async function confirm(site: Site, request: PageRequest): Promise<Response> {
  const form = await readFormFields(request.req.raw, MAX_CARRYING_BYTES)
  const carriedForm = readCarriedForm(form)
  const [to, isSecond] = [ownPath(form.get('to')), form.has('second')]
  const session = await currentSession(site, request)
  if (session === null)
    return pageResponse(signInPage({ to, typed: carriedForm, ...signInMethods(site) }), { status: 401 })
  const recognized = await recognizePerson(site, request, session, form)
  if ('problem' in recognized) return page(site, session, { to, typed: carriedForm, isSecond, ...recognized })
  const response = continueTo(to, carriedForm)
  if (recognized.secret !== null) response.headers.append('Set-Cookie', site.cookie.set(recognized.secret))
  return response
}

type ConfirmFailure = { problem: NonNullable<ConfirmForm['problem']>; wait?: number }

async function recognizePerson(
  site: Site,
  request: PageRequest,
  session: Session,
  form: URLSearchParams,
): Promise<SessionConfirmation | ConfirmFailure> {
  const origin = originOf(site, request)
  const [passkey, code] = [form.get('passkey'), form.get('code')]
  if (passkey !== null) {
    const recognized = await recognizeByPasskey(site, request, passkey, { purpose: 'confirm', user: session.user.id })
    if (!('user' in recognized)) return recognized
    return confirmPerson(site.database, session, 'passkey', origin)
  }
  if (code !== null) {
    const check = await checkCode(site, session.user, code, origin)
    if (check === null) return wrongSecretProblem('code')
    if ('wait' in check) return tooManyTries(check.wait)
    if ('sealed' in check) return sealedAppProblem()
    return confirmPerson(site.database, session, check.method, origin)
  }
  const confirmation = await confirmByPassword(site.database, session, form.get('password') ?? '', origin)
  if (confirmation === false) return wrongSecretProblem('password')
  return 'wait' in confirmation ? tooManyTries(confirmation.wait) : confirmation
}

async function page(
  site: Site,
  { user }: Session,
  { wait, ...form }: Pick<ConfirmForm, 'to' | 'typed' | 'isSecond' | 'problem'> & { wait?: number },
): Promise<Response> {
  const methods = confirmMethods(site, await factorsOf(site.database.send, user.id))
  const status = wait !== undefined ? 429 : form.problem === undefined ? 200 : 422
  return pageResponse(confirmPage({ person: user, methods, ...form }), {
    status,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}
