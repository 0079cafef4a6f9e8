import { endSession } from '../../access/sign_in/sessions.ts'
import { signIn } from '../../access/sign_in/sign_in.ts'
import { answer, ownPath, redirect } from '../../html/answer.ts'
import { OPEN_BYTES, formOf, tooMuch } from '../../html/form.ts'
import { wrongMethod } from '../../html/message.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { KEPT_BYTES, goOnPage, isKept } from './again.ts'
import { personAt, signedIn } from './session.ts'
import { signInPage } from './sign_in_page.ts'
import type { Site } from '../site.ts'
import { say, sayCount } from '../../language/say.ts'

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
  return (await personAt(site, visit)) === null ? answer(signInPage({ to })) : redirect(to)
}

async function enter(site: Site, visit: Visit): Promise<Response> {
  const { database, cookie, known, senderOf } = site
  const form = await formOf(visit.req.raw, OPEN_BYTES + KEPT_BYTES)
  const typed = form.get('typed') ?? undefined
  requireSmall(form, typed)
  const [to, email, password] = [ownPath(form.get('to')), form.get('email') ?? '', form.get('password') ?? '']
  const cookies = visit.req.header('cookie')
  const entered = await signIn(
    database,
    { email, password },
    { address: senderOf(visit.env.incoming), earlier: cookie.read(cookies), known: known.read(cookies) },
  )
  if (entered === null) return answer(signInPage({ to, email, typed, problem: wrong() }), { status: 422 })
  if ('secret' in entered) {
    return signedIn(site, entered, typed === undefined ? redirect(to) : answer(goOnPage(to, typed)))
  }
  const problem = { title: say`Too many tries`, body: inMinutes(entered.wait) }
  return answer(signInPage({ to, email, typed, problem }), {
    status: 429,
    headers: { 'Retry-After': String(entered.wait) },
  })
}

/** Limits to 4 kB what anybody may send beside a form that is carried along. */
function requireSmall(form: URLSearchParams, kept = ''): void {
  const size = [...form].reduce((sum, [name, value]) => sum + name.length + value.length, 0)
  if (!isKept(kept) || size - kept.length > OPEN_BYTES) throw tooMuch(OPEN_BYTES)
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

const inMinutes = (seconds: number): string =>
  sayCount(Math.max(1, Math.ceil(seconds / 60)), 'Wait a minute, then try again.', 'Wait {0} minutes, then try again.')
