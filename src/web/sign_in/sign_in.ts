import { letIn, type Entered } from '../../identity/sign_in/entering.ts'
import { tellOfSignIn } from '../../identity/sign_in/outcomes.ts'
import { endSession } from '../../identity/sign_in/sessions.ts'
import { signIn } from '../../identity/sign_in/sign_in.ts'
import { answer, companySignIn, ownPath, redirect } from '../../platform/http/answer.ts'
import { OPEN_BYTES, formOf } from '../../platform/http/form.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import { CARRYING_BYTES, goOn, requireSmall } from './again.ts'
import { recognizedAt } from './passkeys.ts'
import { passkeyProblem, tooManyTries, type SignInProblem } from './problems.ts'
import { secondFirst } from './second.ts'
import { originOf, personAt, signedIn } from './session.ts'
import { signInPage, waysIn, type SignInForm } from './sign_in_page.ts'
import { isId } from '../../platform/validation/id.ts'
import type { Site } from '../site.ts'
import { say } from '../../platform/i18n/say.ts'

/** Returns the pages that sign in, back to the requested page, and sign out. */
export const signInRoutes = (site: Site): Pages =>
  newPages()
    .get('/sign-in', (visit) => show(site, visit))
    .post('/sign-in', (visit) => enter(site, visit))
    .all('/sign-in', wrongMethod('GET, HEAD, POST'))
    .post('/sign-out', (visit) => leave(site, visit))
    .all('/sign-out', wrongMethod('POST'))

async function show(site: Site, visit: Visit): Promise<Response> {
  const to = ownPath(visit.req.query('to'))
  if ((await personAt(site, visit)) !== null) return redirect(to)
  return answer(signInPage({ to, ...waysIn(site), company: await companyWay(site, to) }))
}

/** Returns the way in by the own provider of the company whose page somebody asked for. */
async function companyWay(site: Site, to: string): Promise<SignInForm['company']> {
  const tenant = COMPANY.exec(to)?.[1]
  const provider = isId(tenant ?? '') ? await site.companyProvider(tenant!) : null
  return provider?.isOn === true ? { name: provider.name, href: companySignIn(tenant!, to) } : undefined
}

const COMPANY = /^\/(?:field\/)?([0-9a-f-]{36})(?:[/?]|$)/

async function enter(site: Site, visit: Visit): Promise<Response> {
  const form = await formOf(visit.req.raw, CARRYING_BYTES)
  const typed = requireSmall(form)
  const [to, email] = [ownPath(form.get('to')), form.get('email') ?? '']
  const entered = await enteredBy(site, visit, form)
  if ('pending' in entered && typed !== undefined) return secondFirst(site, entered.pending, { to, typed })
  if (!('problem' in entered)) return signedIn(site, entered, goOn(to, typed))
  const { problem, wait } = entered
  return answer(signInPage({ to, email, typed, problem, ...waysIn(site) }), {
    status: wait === undefined ? 422 : 429,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}

/** Recognizes somebody by a passkey, or by their e-mail address and password. */
async function enteredBy(site: Site, visit: Visit, form: URLSearchParams): Promise<Entered | SignInProblem> {
  const passkey = form.get('passkey')
  const origin = originOf(site, visit)
  if (passkey !== null) {
    const recognized = await recognizedAt(site, visit, passkey, { purpose: 'sign_in', user: null })
    if (!('user' in recognized))
      tellOfSignIn({ outcome: 'wait' in recognized ? 'limited' : 'failed', methods: ['passkey'] })
    if (!('user' in recognized)) return recognized
    return (await letIn(site.database, recognized, ['passkey'], origin)) ?? passkeyProblem('late')
  }
  const [email, password] = [form.get('email') ?? '', form.get('password') ?? '']
  const entered = await signIn(site.database, { email, password }, origin)
  if (entered === null) return { problem: wrong() }
  return 'wait' in entered ? tooManyTries(entered.wait) : entered
}

async function leave({ database, cookie }: Site, visit: Visit): Promise<Response> {
  const to = ownPath((await formOf(visit.req.raw, OPEN_BYTES)).get('to'), '/sign-in')
  const secret = cookie.read(visit.req.header('cookie'))
  if (secret !== null) await endSession(database, secret)
  return redirect(to, { 'Set-Cookie': cookie.clear() })
}

const wrong = () => ({
  title: say`The e-mail address or the password isn't right`,
  body: say`Check both and try again.`,
})
