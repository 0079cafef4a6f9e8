import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PasskeyPurpose } from '../../identity/factors/challenges.ts'
import { findPending } from '../../identity/factors/pending_sign_in.ts'
import {
  acceptNewPasskey,
  requestNewPasskey,
  requestPasskey,
  recognizePasskey,
  type PasskeyContext,
} from '../../identity/factors/passkeys/passkey_ceremonies.ts'
import { findCompanyLink } from '../../identity/companies/starting/company_links.ts'
import { findInvitation } from '../../identity/people/invitations/invitations.ts'
import type { JoinInput } from '../../identity/people/invitations/new_sign_in.ts'
import { deviceIn, deviceText } from '../../identity/security/device.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import type { RecognizedPerson } from '../../identity/sign_in/sessions.ts'
import { readWebBody } from '../../platform/http/body.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { HttpRefusal, jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { invalid } from '../../platform/errors/refusal.ts'
import { say } from '../../platform/i18n/say.ts'
import { parseBoundedJson } from '../../platform/validation/json.ts'
import { mayStart } from '../setup/may_start.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { passkeyProblem, tooManyTries, type SignInProblem } from './problems.ts'
import { currentSession } from './session.ts'

/** Maximum challenges issued, and attempts, per address in 15 minutes. */
const ASKS = 200
const TRIES = 100

/** Maximum bytes of a challenge request. */
const MAX_BYTES = 4 * 1024

const question = z.discriminatedUnion('for', [
  z.object({ for: z.enum(['sign_in', 'second', 'confirm', 'add']) }),
  z.object({ for: z.literal('join'), name: z.string().max(200), invitation: z.string().max(200) }),
  z.object({ for: z.literal('start'), name: z.string().max(200), link: z.string().max(200) }),
])

/** Returns the route that issues passkey options, as JSON for the scripts of our own pages. */
export const passkeyRoutes = (site: Site): PageRouter => pageRoutes(site, { '/passkeys/options': { post: options } })

/** Answers passkey options, and binds the challenge to the browser with a cookie. */
async function options(site: Site, visit: PageRequest): Promise<Response> {
  const wait = await takeAttempt(site.database, [
    { subject: `passkey options ${site.senderOf(visit.env.incoming)}`, most: ASKS },
  ])
  if (wait > 0) throw passkeyRefusal(429, 'Too many requests', { 'Retry-After': String(wait) })
  const request = question.safeParse(await jsonOf(visit)).data
  if (request === undefined) throw passkeyRefusal(400, 'This is no question for a passkey')
  if (site.relyingParty === null) throw passkeyRefusal(409, 'Passkeys need https and a name')
  const browser = site.asked.read(visit.req.header('cookie')) ?? randomBytes(32).toString('base64url')
  const answer = await askPasskey(site, visit, { rp: site.relyingParty, browser }, request)
  return visit.json(answer, 200, { 'Set-Cookie': site.asked.set(browser), 'Cache-Control': 'no-store' })
}

async function askPasskey(
  site: Site,
  visit: PageRequest,
  place: PasskeyContext,
  request: z.infer<typeof question>,
): Promise<object> {
  const { database, pending } = site
  if (request.for === 'sign_in') return requestPasskey(database, place, 'sign_in', null)
  if (request.for === 'start' && !mayStart(site)) throw passkeyRefusal(404, 'Nobody may start a company here')
  if (request.for === 'join' || request.for === 'start') {
    const email =
      request.for === 'join'
        ? (await findInvitation(database, request.invitation)).email
        : (await findCompanyLink(database, request.link)).address
    return requestNewPasskey(database, place, { id: null, email, name: request.name.trim() || email })
  }
  if (request.for === 'second') {
    const waiting = await findPending(database, pending.read(visit.req.header('cookie')))
    if (waiting === null) throw passkeyRefusal(401, 'Sign in first')
    return requestPasskey(database, place, 'second', waiting.user.id)
  }
  const session = await currentSession(site, visit)
  if (session === null) throw passkeyRefusal(401, 'Sign in first')
  return request.for === 'confirm'
    ? requestPasskey(database, place, 'confirm', session.user.id)
    : requestNewPasskey(database, place, session.user)
}

async function jsonOf({ req: { raw } }: PageRequest): Promise<unknown> {
  if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? '')) throw passkeyRefusal(415, 'Send JSON')
  const sent = await readWebBody(raw, { maxBytes: MAX_BYTES })
  if (typeof sent === 'string') throw passkeyRefusal(413, 'A question has at most 4 kB')
  const read = parseBoundedJson(sent)
  return 'value' in read ? read.value : null
}

const passkeyRefusal = (status: number, sentence: string, headers: Record<string, string> = {}): HttpRefusal =>
  new HttpRefusal(jsonAnswer(status, { error: 'invalid_request', error_description: sentence }, headers))

/** Returns the person a passkey identifies, or the problem to show. */
export async function recognizeByPasskey(
  site: Site,
  visit: PageRequest,
  sent: string,
  challenge: { purpose: PasskeyPurpose; user: string | null },
): Promise<RecognizedPerson | SignInProblem> {
  const { database, relyingParty: rp } = site
  const wait = await takeAttempt(database, [{ subject: `passkey ${site.senderOf(visit.env.incoming)}`, most: TRIES }])
  if (wait > 0) return tooManyTries(wait)
  if (rp === null) return passkeyProblem('wrong')
  const browser = site.asked.read(visit.req.header('cookie'))
  const recognized = await recognizePasskey(database, { rp, browser }, sent, challenge)
  return 'user' in recognized ? recognized : passkeyProblem(recognized.problem)
}

/** Reads a new person's sign-in method: a passkey their browser created, or a password. */
export async function readNewSignIn(site: Site, visit: PageRequest, sent: URLSearchParams): Promise<JoinInput> {
  const [name, passkey] = [sent.get('name') ?? '', sent.get('passkey')]
  if (passkey === null) return { name, password: sent.get('password') ?? '' }
  const [rp, cookies] = [site.relyingParty, visit.req.header('cookie')]
  const challenge = { purpose: 'join', user: null } as const
  const accepted =
    rp && (await acceptNewPasskey(site.database, { rp, browser: site.asked.read(cookies) }, passkey, challenge))
  if (accepted === null) throw invalid(say`The passkey could not be checked. Try again, or choose a password.`)
  const device = deviceIn(visit.req.header('user-agent') ?? null)
  return {
    name,
    passkey: accepted.passkey,
    naming: { name: device === null ? say`Passkey` : deviceText(device), handle: accepted.handle },
  }
}
