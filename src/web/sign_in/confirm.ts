import { factorsOf } from '../../identity/factors/factors.ts'
import { takeCode } from '../../identity/factors/second_factor.ts'
import { confirmByPassword, confirmed, type Confirmed } from '../../identity/sign_in/confirming.ts'
import type { Session } from '../../identity/sign_in/sessions.ts'
import { answer, ownPath } from '../../platform/http/answer.ts'
import { confirmPage, type ConfirmForm } from '../../platform/html/confirm_page.ts'
import { formOf } from '../../platform/http/form.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import type { Site } from '../site.ts'
import { CARRYING_BYTES, goOn, requireSmall } from './again.ts'
import { recognizedAt } from './passkeys.ts'
import { appSealed, notRight, tooManyTries } from './problems.ts'
import { waysOf } from './recent.ts'
import { originOf, personAt, requirePerson } from './session.ts'
import { signInPage, waysIn } from './sign_in_page.ts'

/** Returns the pages that ask somebody who is signed in who they are. */
export const confirmRoutes = (site: Site): Pages =>
  newPages()
    .get('/confirm', (visit) => show(site, visit))
    .post((visit) => confirm(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))

async function show(site: Site, visit: Visit): Promise<Response> {
  const session = await requirePerson(site, visit)
  const isSecond = visit.req.query('second') !== undefined
  return page(site, session, { to: ownPath(visit.req.query('to')), isSecond })
}

/** Recognizes the person by what they sent, and goes on with what they had typed before. */
async function confirm(site: Site, visit: Visit): Promise<Response> {
  const form = await formOf(visit.req.raw, CARRYING_BYTES)
  const typed = requireSmall(form)
  const [to, isSecond] = [ownPath(form.get('to')), form.has('second')]
  const session = await personAt(site, visit)
  if (session === null) return answer(signInPage({ to, typed, ...waysIn(site) }), { status: 401 })
  const recognized = await recognizedBy(site, visit, session, form)
  if ('problem' in recognized) return page(site, session, { to, typed, isSecond, ...recognized })
  const onward = goOn(to, typed)
  if (recognized.secret !== null) onward.headers.append('Set-Cookie', site.cookie.set(recognized.secret))
  return onward
}

type Failed = { problem: NonNullable<ConfirmForm['problem']>; wait?: number }

async function recognizedBy(
  site: Site,
  visit: Visit,
  session: Session,
  form: URLSearchParams,
): Promise<Confirmed | Failed> {
  const origin = originOf(site, visit)
  const [passkey, code] = [form.get('passkey'), form.get('code')]
  if (passkey !== null) {
    const recognized = await recognizedAt(site, visit, passkey, { purpose: 'confirm', user: session.user.id })
    if (!('user' in recognized)) return recognized
    return confirmed(site.database, session, 'passkey', origin)
  }
  if (code !== null) {
    const taken = await takeCode(site, session.user, code, origin)
    if (taken === null) return notRight('code')
    if ('wait' in taken) return tooManyTries(taken.wait)
    if ('sealed' in taken) return appSealed()
    return confirmed(site.database, session, taken.method, origin)
  }
  const done = await confirmByPassword(site.database, session, form.get('password') ?? '', origin)
  if (done === false) return notRight('password')
  return 'wait' in done ? tooManyTries(done.wait) : done
}

async function page(
  site: Site,
  { user }: Session,
  { wait, ...asked }: Pick<ConfirmForm, 'to' | 'typed' | 'isSecond' | 'problem'> & { wait?: number },
): Promise<Response> {
  const ways = waysOf(site, await factorsOf(site.database.send, user.id))
  const status = wait !== undefined ? 429 : asked.problem === undefined ? 200 : 422
  return answer(confirmPage({ person: user, ways, ...asked }), {
    status,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}
