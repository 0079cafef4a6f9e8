import { beginSession, type SignInResult } from '../../identity/sign_in/complete_sign_in.ts'
import { emitSignIn } from '../../identity/sign_in/outcomes.ts'
import { endSession } from '../../identity/sign_in/sessions.ts'
import { signIn } from '../../identity/sign_in/sign_in.ts'
import { pageResponse, companySignInPath, ownPath, redirect } from '../../platform/http/answer.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../platform/http/form.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { MAX_CARRYING_BYTES, continueTo, readCarriedForm } from './sign_in_again.ts'
import { recognizeByPasskey } from './passkeys.ts'
import { passkeyProblem, tooManyTries, type SignInProblem } from './problems.ts'
import { askSecondFactor } from './second_factor.ts'
import { originOf, currentSession, addSessionCookies } from './session.ts'
import { signInPage, signInMethods, type SignInForm } from './sign_in_page.ts'
import { isId } from '../../platform/validation/id.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { say } from '../../platform/i18n/say.ts'

/** Returns the pages to sign in, which lead back to the requested page, and to sign out. */
export const signInRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { '/sign-in': { get: show, post: submitSignIn }, '/sign-out': { post: signOut } })

async function show(site: Site, request: PageRequest): Promise<Response> {
  const to = ownPath(request.req.query('to'))
  if ((await currentSession(site, request)) !== null) return redirect(to)
  return pageResponse(signInPage({ to, ...signInMethods(site), company: await findCompanySignIn(site, to) }))
}

/** Returns the sign-in link for the provider of the company whose page was requested. */
async function findCompanySignIn(site: Site, to: string): Promise<SignInForm['company']> {
  const tenant = COMPANY_PATH.exec(to)?.[1]
  const provider = isId(tenant ?? '') ? await site.companyProvider(tenant!) : null
  return provider?.isOn === true ? { name: provider.name, href: companySignInPath(tenant!, to) } : undefined
}

const COMPANY_PATH = /^\/(?:field\/)?([0-9a-f-]{36})(?:[/?]|$)/

async function submitSignIn(site: Site, request: PageRequest): Promise<Response> {
  const form = await readFormFields(request.req.raw, MAX_CARRYING_BYTES)
  const carriedForm = readCarriedForm(form)
  const [to, email] = [ownPath(form.get('to')), form.get('email') ?? '']
  const signInResult = await authenticate(site, request, form)
  if ('pending' in signInResult && carriedForm !== undefined)
    return askSecondFactor(site, signInResult.pending, { to, typed: carriedForm })
  if (!('problem' in signInResult)) return addSessionCookies(site, signInResult, continueTo(to, carriedForm))
  const { problem, wait } = signInResult
  return pageResponse(signInPage({ to, email, typed: carriedForm, problem, ...signInMethods(site) }), {
    status: wait === undefined ? 422 : 429,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}

/** Authenticates a person by passkey, or by email address and password. */
async function authenticate(
  site: Site,
  request: PageRequest,
  form: URLSearchParams,
): Promise<SignInResult | SignInProblem> {
  const passkey = form.get('passkey')
  const origin = originOf(site, request)
  if (passkey !== null) {
    const recognized = await recognizeByPasskey(site, request, passkey, { purpose: 'sign_in', user: null })
    if (!('user' in recognized))
      emitSignIn({ outcome: 'wait' in recognized ? 'limited' : 'failed', methods: ['passkey'] })
    if (!('user' in recognized)) return recognized
    return (await beginSession(site.database, recognized, ['passkey'], origin)) ?? passkeyProblem('late')
  }
  const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
  const signInResult = await signIn(site.database, { email, password }, origin)
  if (signInResult === null) return { problem: incorrectCredentials() }
  return 'wait' in signInResult ? tooManyTries(signInResult.wait) : signInResult
}

async function signOut({ database, cookie }: Site, request: PageRequest): Promise<Response> {
  const to = ownPath((await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)).get('to'), '/sign-in')
  const secret = cookie.read(request.req.header('cookie'))
  if (secret !== null) await endSession(database, secret)
  return redirect(to, { 'Set-Cookie': cookie.clear() })
}

const incorrectCredentials = () => ({
  title: say`Incorrect email address or password`,
  body: say`Check both and try again.`,
})
