import { endPending, findPending, type PendingSignIn } from '../../identity/factors/pending_sign_in.ts'
import { factorsOf } from '../../identity/factors/factors.ts'
import { checkCode } from '../../identity/factors/second_factor.ts'
import { emitSignIn } from '../../identity/sign_in/outcomes.ts'
import { beginSession, beginBoundSession } from '../../identity/sign_in/complete_sign_in.ts'
import type { SignInMethod } from '../../identity/sign_in/sessions.ts'
import { answer, ownPath, redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { CARRYING_BYTES, continueTo, requireSmall } from './sign_in_again.ts'
import { recognizeByPasskey } from './passkeys.ts'
import { sealedAppProblem, wrongSecretProblem, tooManyTries, type SignInProblem } from './problems.ts'
import { confirmMethods } from './recent.ts'
import { secondPage } from './second_page.ts'
import { originOf, addSessionCookies, addBoundSessionCookies } from './session.ts'

/** Returns the pages that ask for the second factor of a sign-in that waits for it. */
export const secondRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/sign-in/second', (visit) => show(site, visit))
    .post((visit) => complete(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))

async function show(site: Site, visit: PageRequest): Promise<Response> {
  const to = ownPath(visit.req.query('to'))
  const pending = await findPending(site.database, site.pending.read(visit.req.header('cookie')))
  return pending === null ? redirect(`/sign-in?to=${encodeURIComponent(to)}`) : page(site, pending, { to })
}

/** Asks for the second factor of a sign-in that waits, with a form that was typed before. */
export async function askSecondFactor(
  site: Site,
  secret: string,
  asked: { to: string; typed: string },
): Promise<Response> {
  const pending = await findPending(site.database, secret)
  if (pending === null) return redirect(`/sign-in?to=${encodeURIComponent(asked.to)}`)
  const response = await page(site, pending, asked)
  response.headers.append('Set-Cookie', site.pending.set(secret))
  return response
}

/** Signs in who shows the second factor, and goes on with what they had typed before. */
async function complete(site: Site, visit: PageRequest): Promise<Response> {
  const form = await readFormFields(visit.req.raw, CARRYING_BYTES)
  const typed = requireSmall(form)
  const to = ownPath(form.get('to'))
  const secret = site.pending.read(visit.req.header('cookie'))
  const pending = await findPending(site.database, secret)
  if (pending === null || secret === null) return redirect(`/sign-in?to=${encodeURIComponent(to)}`)
  const shown = await methodShown(site, visit, pending, form)
  if (typeof shown !== 'string') return page(site, pending, { to, typed, ...shown })
  const person = await endPending(site.database, secret)
  const response =
    person && (await completeSignIn(site, visit, person, [...pending.methods, shown], continueTo(to, typed)))
  if (response === null) return redirect(`/sign-in?to=${encodeURIComponent(to)}`)
  response.headers.append('Set-Cookie', site.pending.clear())
  return response
}

/** Signs in who showed both, for all their companies or for the one whose provider named them. */
async function completeSignIn(
  site: Site,
  visit: PageRequest,
  { bound, ...person }: Awaited<ReturnType<typeof endPending>> & object,
  methods: readonly SignInMethod[],
  response: Response,
): Promise<Response | null> {
  const origin = originOf(site, visit)
  if (bound === null) {
    const own = await beginSession(site.database, person, methods, origin)
    return own && addSessionCookies(site, own, response)
  }
  const own = await beginBoundSession(site.database, person, methods, { bound, origin })
  return own && addBoundSessionCookies(site, own, response)
}

async function methodShown(
  site: Site,
  visit: PageRequest,
  { user }: PendingSignIn,
  form: URLSearchParams,
): Promise<SignInMethod | SignInProblem> {
  const passkey = form.get('passkey')
  if (passkey !== null) {
    const recognized = await recognizeByPasskey(site, visit, passkey, { purpose: 'second', user: user.id })
    if (!('user' in recognized))
      emitSignIn({ outcome: 'wait' in recognized ? 'limited' : 'failed', methods: ['passkey'] })
    return 'user' in recognized ? 'passkey' : recognized
  }
  const taken = await checkCode(site, user, form.get('code') ?? '', originOf(site, visit))
  if (taken === null || !('method' in taken))
    emitSignIn({ outcome: taken !== null && 'wait' in taken ? 'limited' : 'failed', methods: ['totp'] })
  if (taken === null) return wrongSecretProblem('code')
  if ('sealed' in taken) return sealedAppProblem()
  return 'wait' in taken ? tooManyTries(taken.wait) : taken.method
}

async function page(
  site: Site,
  { user }: PendingSignIn,
  { wait, ...asked }: { to: string; typed?: string | undefined } & Partial<SignInProblem>,
): Promise<Response> {
  const { passkey } = confirmMethods(site, await factorsOf(site.database.send, user.id))
  return answer(secondPage({ ...asked, email: user.email, hasPasskey: passkey }), {
    status: wait !== undefined ? 429 : asked.problem === undefined ? 200 : 422,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}
