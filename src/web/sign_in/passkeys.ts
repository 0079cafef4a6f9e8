import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { PasskeyPurpose } from '../../identity/factors/challenges.ts'
import { findPending } from '../../identity/factors/pending.ts'
import { askForNew, askForUse, recognize, type PasskeyPlace } from '../../identity/factors/passkeys/passkey_walks.ts'
import { openInvitation } from '../../identity/people/invitations/invitations.ts'
import { attempt } from '../../identity/sign_in/attempts.ts'
import type { RecognizedPerson } from '../../identity/sign_in/sessions.ts'
import { readWebBody } from '../../platform/http/body.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import { HttpRefusal, jsonAnswer } from '../../platform/errors/http_refusal.ts'
import { boundedJson } from '../../platform/validation/json.ts'
import type { Site } from '../site.ts'
import { passkeyProblem, tooManyTries, type SignInProblem } from './problems.ts'
import { personAt } from './session.ts'

/** Limits what is asked for, and what is tried, in a quarter of an hour from one address. */
const ASKS = 200
const TRIES = 100

/** Limits the bytes of a question. */
const MOST_BYTES = 4 * 1024

const question = z.discriminatedUnion('for', [
  z.object({ for: z.enum(['sign_in', 'second', 'confirm', 'add']) }),
  z.object({ for: z.literal('join'), name: z.string().max(200), invitation: z.string().max(200) }),
])

/** Returns the address that says what a passkey has to sign: JSON for the script of our own pages. */
export const passkeyRoutes = (site: Site): Pages =>
  newPages()
    .post('/passkeys/options', (visit) => options(site, visit))
    .all(wrongMethod('POST'))

/** Answers what to sign, and ties it to the browser by a cookie. */
async function options(site: Site, visit: Visit): Promise<Response> {
  const wait = await attempt(site.database, [
    { subject: `passkey options ${site.senderOf(visit.env.incoming)}`, most: ASKS },
  ])
  if (wait > 0) throw refused(429, 'Too many requests', { 'Retry-After': String(wait) })
  const asked = question.safeParse(await jsonOf(visit)).data
  if (asked === undefined) throw refused(400, 'This is no question for a passkey')
  if (site.relyingParty === null) throw refused(409, 'Passkeys need https and a name')
  const browser = site.asked.read(visit.req.header('cookie')) ?? randomBytes(32).toString('base64url')
  const answer = await asking(site, visit, { rp: site.relyingParty, browser }, asked)
  return visit.json(answer, 200, { 'Set-Cookie': site.asked.set(browser), 'Cache-Control': 'no-store' })
}

async function asking(site: Site, visit: Visit, place: PasskeyPlace, asked: z.infer<typeof question>): Promise<object> {
  const { database, pending } = site
  if (asked.for === 'sign_in') return askForUse(database, place, 'sign_in', null)
  if (asked.for === 'join') {
    const { email } = await openInvitation(database, asked.invitation)
    return askForNew(database, place, { id: null, email, name: asked.name.trim() || email })
  }
  if (asked.for === 'second') {
    const waiting = await findPending(database, pending.read(visit.req.header('cookie')))
    if (waiting === null) throw refused(401, 'Sign in first')
    return askForUse(database, place, 'second', waiting.user.id)
  }
  const session = await personAt(site, visit)
  if (session === null) throw refused(401, 'Sign in first')
  return asked.for === 'confirm'
    ? askForUse(database, place, 'confirm', session.user.id)
    : askForNew(database, place, session.user)
}

async function jsonOf({ req: { raw } }: Visit): Promise<unknown> {
  if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? '')) throw refused(415, 'Send JSON')
  const sent = await readWebBody(raw, { mostBytes: MOST_BYTES })
  if (typeof sent === 'string') throw refused(413, 'A question has at most 4 kB')
  const read = boundedJson(sent)
  return 'value' in read ? read.value : null
}

const refused = (status: number, sentence: string, headers: Record<string, string> = {}): HttpRefusal =>
  new HttpRefusal(jsonAnswer(status, { error: 'invalid_request', error_description: sentence }, headers))

/** Returns whom a passkey recognizes at a visitor's browser, or the problem to show. */
export async function recognizedAt(
  site: Site,
  visit: Visit,
  sent: string,
  asked: { purpose: PasskeyPurpose; user: string | null },
): Promise<RecognizedPerson | SignInProblem> {
  const { database, relyingParty: rp } = site
  const wait = await attempt(database, [{ subject: `passkey ${site.senderOf(visit.env.incoming)}`, most: TRIES }])
  if (wait > 0) return tooManyTries(wait)
  if (rp === null) return passkeyProblem('wrong')
  const browser = site.asked.read(visit.req.header('cookie'))
  const recognized = await recognize(database, { rp, browser }, sent, asked)
  return 'user' in recognized ? recognized : passkeyProblem(recognized.problem)
}
