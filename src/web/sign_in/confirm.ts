import { factorsOf } from '../../identity/factors/factors.ts'
import { checkCode } from '../../identity/factors/second_factor.ts'
import { confirmByPassword, confirmPerson, type SessionConfirmation } from '../../identity/sign_in/confirm_person.ts'
import type { Session } from '../../identity/sign_in/sessions.ts'
import { answer, ownPath } from '../../platform/http/answer.ts'
import { confirmPage, type ConfirmForm } from '../../platform/html/confirm_page.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { CARRYING_BYTES, continueTo, requireSmall } from './sign_in_again.ts'
import { recognizeByPasskey } from './passkeys.ts'
import { sealedAppProblem, wrongSecretProblem, tooManyTries } from './problems.ts'
import { confirmMethods } from './recent.ts'
import { originOf, currentSession, requirePerson } from './session.ts'
import { signInPage, signInMethods } from './sign_in_page.ts'

/** Returns the pages that ask somebody who is signed in who they are. */
export const confirmRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/confirm', (visit) => show(site, visit))
    .post((visit) => confirm(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))

async function show(site: Site, visit: PageRequest): Promise<Response> {
  const session = await requirePerson(site, visit)
  const isSecond = visit.req.query('second') !== undefined
  return page(site, session, { to: ownPath(visit.req.query('to')), isSecond })
}

/** Recognizes the person by what they sent, and goes on with what they had typed before. */
async function confirm(site: Site, visit: PageRequest): Promise<Response> {
  const form = await readFormFields(visit.req.raw, CARRYING_BYTES)
  const typed = requireSmall(form)
  const [to, isSecond] = [ownPath(form.get('to')), form.has('second')]
  const session = await currentSession(site, visit)
  if (session === null) return answer(signInPage({ to, typed, ...signInMethods(site) }), { status: 401 })
  const recognized = await recognizePerson(site, visit, session, form)
  if ('problem' in recognized) return page(site, session, { to, typed, isSecond, ...recognized })
  const onward = continueTo(to, typed)
  if (recognized.secret !== null) onward.headers.append('Set-Cookie', site.cookie.set(recognized.secret))
  return onward
}

type ConfirmFailure = { problem: NonNullable<ConfirmForm['problem']>; wait?: number }

async function recognizePerson(
  site: Site,
  visit: PageRequest,
  session: Session,
  form: URLSearchParams,
): Promise<SessionConfirmation | ConfirmFailure> {
  const origin = originOf(site, visit)
  const [passkey, code] = [form.get('passkey'), form.get('code')]
  if (passkey !== null) {
    const recognized = await recognizeByPasskey(site, visit, passkey, { purpose: 'confirm', user: session.user.id })
    if (!('user' in recognized)) return recognized
    return confirmPerson(site.database, session, 'passkey', origin)
  }
  if (code !== null) {
    const taken = await checkCode(site, session.user, code, origin)
    if (taken === null) return wrongSecretProblem('code')
    if ('wait' in taken) return tooManyTries(taken.wait)
    if ('sealed' in taken) return sealedAppProblem()
    return confirmPerson(site.database, session, taken.method, origin)
  }
  const done = await confirmByPassword(site.database, session, form.get('password') ?? '', origin)
  if (done === false) return wrongSecretProblem('password')
  return 'wait' in done ? tooManyTries(done.wait) : done
}

async function page(
  site: Site,
  { user }: Session,
  { wait, ...asked }: Pick<ConfirmForm, 'to' | 'typed' | 'isSecond' | 'problem'> & { wait?: number },
): Promise<Response> {
  const ways = confirmMethods(site, await factorsOf(site.database.send, user.id))
  const status = wait !== undefined ? 429 : asked.problem === undefined ? 200 : 422
  return answer(confirmPage({ person: user, ways, ...asked }), {
    status,
    headers: wait === undefined ? {} : { 'Retry-After': String(wait) },
  })
}
