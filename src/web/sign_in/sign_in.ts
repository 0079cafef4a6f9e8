import { beginSession, type SignInResult } from '../../identity/sign_in/complete_sign_in.ts'
import { emitSignIn } from '../../identity/sign_in/outcomes.ts'
import { endSession } from '../../identity/sign_in/sessions.ts'
import { signIn } from '../../identity/sign_in/sign_in.ts'
import { answer, companySignIn, ownPath, redirect } from '../../platform/http/answer.ts'
import { MAX_OPEN_BYTES, readFormFields } from '../../platform/http/form.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { CARRYING_BYTES, continueTo, requireSmall } from './sign_in_again.ts'
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
  pageRoutes(site, { '/sign-in': { get: show, post: enter }, '/sign-out': { post: leave } })

async function show(site: Site, visit: PageRequest): Promise<Response> {
  const to = ownPath(visit.req.query('to'))
  if ((await currentSession(site, visit)) !== null) return redirect(to)
  return answer(signInPage({ to, ...signInMethods(site), company: await findCompanySignIn(site, to) }))
}

/** Returns the sign-in link for the provider of the company whose page was requested. */
async function findCompanySignIn(site: Site, to: string): Promise<SignInForm['company']> {
  const tenant = COMPANY.exec(to)?.[1]
  const provider = isId(tenant ?? '') ? await site.companyProvider(tenant!) : null
  return provider?.isOn === true ? { name: provider.name, href: companySignIn(tenant!, to) } : undefined
}

const COMPANY = /^\/(?:field\/)?([0-9a-f-]{36})(?:[/?]|$)/

async function enter(site: Site, visit: PageRequest): Promise<Response> {
  const form = await readFormFields(visit.req.raw, CARRYING_BYTES)
  const carried = requireSmall(form)
  const [to, email] = [ownPath(form.get('to')), form.get('email') ?? '']
  const entered = await authenticate(site, visit, form)
  if ('pending' in entered && carried !== undefined)
    return askSecondFactor(site, entered.pending, { to, typed: carried })
  if (!('problem' in entered)) return addSessionCookies(site, entered, continueTo(to, carried))
  const { problem, wait } = entered
  return answer(signInPage({ to, email, typed: carried, problem, ...signInMethods(site) }), {
    status: wait === undefined ? 422 : 429,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}

/** Authenticates a person by passkey, or by email address and password. */
async function authenticate(
  site: Site,
  visit: PageRequest,
  form: URLSearchParams,
): Promise<SignInResult | SignInProblem> {
  const passkey = form.get('passkey')
  const origin = originOf(site, visit)
  if (passkey !== null) {
    const recognized = await recognizeByPasskey(site, visit, passkey, { purpose: 'sign_in', user: null })
    if (!('user' in recognized))
      emitSignIn({ outcome: 'wait' in recognized ? 'limited' : 'failed', methods: ['passkey'] })
    if (!('user' in recognized)) return recognized
    return (await beginSession(site.database, recognized, ['passkey'], origin)) ?? passkeyProblem('late')
  }
  const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
  const entered = await signIn(site.database, { email, password }, origin)
  if (entered === null) return { problem: wrong() }
  return 'wait' in entered ? tooManyTries(entered.wait) : entered
}

async function leave({ database, cookie }: Site, visit: PageRequest): Promise<Response> {
  const to = ownPath((await readFormFields(visit.req.raw, MAX_OPEN_BYTES)).get('to'), '/sign-in')
  const secret = cookie.read(visit.req.header('cookie'))
  if (secret !== null) await endSession(database, secret)
  return redirect(to, { 'Set-Cookie': cookie.clear() })
}

const wrong = () => ({ title: say`Incorrect e-mail address or password`, body: say`Check both and try again.` })
