import { endPending, findPending, type PendingSignIn } from '../../identity/factors/pending_sign_in.ts'
import { factorsOf } from '../../identity/factors/factors.ts'
import { checkCode } from '../../identity/factors/second_factor.ts'
import { emitSignIn } from '../../identity/sign_in/outcomes.ts'
import { beginSession, beginBoundSession } from '../../identity/sign_in/complete_sign_in.ts'
import type { SignInMethod } from '../../identity/sign_in/sessions.ts'
import { pageResponse, ownPath, redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { MAX_CARRYING_BYTES, continueTo, readCarriedForm } from './sign_in_again.ts'
import { recognizeByPasskey } from './passkeys.ts'
import { sealedAppProblem, wrongSecretProblem, tooManyTries, type SignInProblem } from './problems.ts'
import { confirmMethods } from './recent.ts'
import { secondFactorPage } from './second_page.ts'
import { originOf, addSessionCookies } from './session.ts'

/** Returns the pages that ask for the second factor of a pending sign-in. */
export const secondFactorRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { '/sign-in/second': { get: show, post: complete } })

async function show(site: Site, request: PageRequest): Promise<Response> {
  const to = ownPath(request.req.query('to'))
  const pending = await findPending(site.database, site.pendingSignInCookie.read(request.req.header('cookie')))
  return pending === null ? redirect(`/sign-in?to=${encodeURIComponent(to)}`) : page(site, pending, { to })
}

/** Asks for the second factor of a pending sign-in. Keeps a form that was sent before. */
export async function askSecondFactor(
  site: Site,
  secret: string,
  target: { to: string; typed: string },
): Promise<Response> {
  const pending = await findPending(site.database, secret)
  if (pending === null) return redirect(`/sign-in?to=${encodeURIComponent(target.to)}`)
  const response = await page(site, pending, target)
  response.headers.append('Set-Cookie', site.pendingSignInCookie.set(secret))
  return response
}

/** Signs in a person who passes the second factor, and continues with the form they had sent before. */
async function complete(site: Site, request: PageRequest): Promise<Response> {
  const form = await readFormFields(request.req.raw, MAX_CARRYING_BYTES)
  const carriedForm = readCarriedForm(form)
  const to = ownPath(form.get('to'))
  const secret = site.pendingSignInCookie.read(request.req.header('cookie'))
  const pending = await findPending(site.database, secret)
  if (pending === null || secret === null) return redirect(`/sign-in?to=${encodeURIComponent(to)}`)
  const method = await checkSecondFactor(site, request, pending, form)
  if (typeof method !== 'string') return page(site, pending, { to, typed: carriedForm, ...method })
  const person = await endPending(site.database, secret)
  const response =
    person && (await completeSignIn(site, request, person, [...pending.methods, method], continueTo(to, carriedForm)))
  if (response === null) return redirect(`/sign-in?to=${encodeURIComponent(to)}`)
  response.headers.append('Set-Cookie', site.pendingSignInCookie.clear())
  return response
}

/** Signs in a person who passed both factors, for all their companies or for the provider's company only. */
async function completeSignIn(
  site: Site,
  request: PageRequest,
  { bound, ...person }: Awaited<ReturnType<typeof endPending>> & object,
  methods: readonly SignInMethod[],
  response: Response,
): Promise<Response | null> {
  const origin = originOf(site, request)
  const signInResult =
    bound === null
      ? await beginSession(site.database, person, methods, origin)
      : await beginBoundSession(site.database, person, methods, { bound, origin })
  return signInResult && addSessionCookies(site, signInResult, response)
}

async function checkSecondFactor(
  site: Site,
  request: PageRequest,
  { user }: PendingSignIn,
  form: URLSearchParams,
): Promise<SignInMethod | SignInProblem> {
  const passkey = form.get('passkey')
  if (passkey !== null) {
    const recognized = await recognizeByPasskey(site, request, passkey, { purpose: 'second', user: user.id })
    if (!('user' in recognized))
      emitSignIn({ outcome: 'wait' in recognized ? 'limited' : 'failed', methods: ['passkey'] })
    return 'user' in recognized ? 'passkey' : recognized
  }
  const check = await checkCode(site, user, form.get('code') ?? '', originOf(site, request))
  if (check === null || !('method' in check))
    emitSignIn({ outcome: check !== null && 'wait' in check ? 'limited' : 'failed', methods: ['totp'] })
  if (check === null) return wrongSecretProblem('code')
  if ('sealed' in check) return sealedAppProblem()
  return 'wait' in check ? tooManyTries(check.wait) : check.method
}

async function page(
  site: Site,
  { user }: PendingSignIn,
  { wait, ...target }: { to: string; typed?: string | undefined } & Partial<SignInProblem>,
): Promise<Response> {
  const { passkey } = confirmMethods(site, await factorsOf(site.database.send, user.id))
  return pageResponse(secondFactorPage({ ...target, email: user.email, hasPasskey: passkey }), {
    status: wait !== undefined ? 429 : target.problem === undefined ? 200 : 422,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}
