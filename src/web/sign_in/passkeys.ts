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
const MAX_CHALLENGES = 200
const MAX_ATTEMPTS = 100

/** Maximum bytes of a challenge request. */
const MAX_BYTES = 4 * 1024

const optionsRequest = z.discriminatedUnion('for', [
  z.object({ for: z.enum(['sign_in', 'second', 'confirm', 'add']) }),
  z.object({ for: z.literal('join'), name: z.string().max(200), invitation: z.string().max(200) }),
  z.object({ for: z.literal('start'), name: z.string().max(200), link: z.string().max(200) }),
])

/** Returns the route that issues passkey options, as JSON for the scripts of our own pages. */
export const passkeyRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { '/passkeys/options': { post: answerOptions } })

/** Answers passkey options, and binds the challenge to the browser with a cookie. */
async function answerOptions(site: Site, request: PageRequest): Promise<Response> {
  const wait = await takeAttempt(site.database, [
    { subject: `passkey options ${site.clientAddressOf(request.env.incoming)}`, max: MAX_CHALLENGES },
  ])
  if (wait > 0) throw passkeyRefusal(429, 'Too many requests', { 'Retry-After': String(wait) })
  const input = optionsRequest.safeParse(await readJson(request)).data
  if (input === undefined) throw passkeyRefusal(400, 'Not a passkey request')
  if (site.relyingParty === null) throw passkeyRefusal(409, 'Passkeys need https and a domain name')
  const browser = site.challengeCookie.read(request.req.header('cookie')) ?? randomBytes(32).toString('base64url')
  const answer = await createPasskeyOptions(site, request, { rp: site.relyingParty, browser }, input)
  return request.json(answer, 200, { 'Set-Cookie': site.challengeCookie.set(browser), 'Cache-Control': 'no-store' })
}

async function createPasskeyOptions(
  site: Site,
  request: PageRequest,
  passkeyContext: PasskeyContext,
  input: z.infer<typeof optionsRequest>,
): Promise<object> {
  const { database, pendingSignInCookie } = site
  if (input.for === 'sign_in') return requestPasskey(database, passkeyContext, 'sign_in', null)
  if (input.for === 'start' && !mayStart(site)) throw passkeyRefusal(404, "New companies can't be started here")
  if (input.for === 'join' || input.for === 'start') {
    const email =
      input.for === 'join'
        ? (await findInvitation(database, input.invitation)).email
        : (await findCompanyLink(database, input.link)).address
    return requestNewPasskey(database, passkeyContext, { id: null, email, name: input.name.trim() || email })
  }
  if (input.for === 'second') {
    const waiting = await findPending(database, pendingSignInCookie.read(request.req.header('cookie')))
    if (waiting === null) throw passkeyRefusal(401, 'Sign in first')
    return requestPasskey(database, passkeyContext, 'second', waiting.user.id)
  }
  const session = await currentSession(site, request)
  if (session === null) throw passkeyRefusal(401, 'Sign in first')
  return input.for === 'confirm'
    ? requestPasskey(database, passkeyContext, 'confirm', session.user.id)
    : requestNewPasskey(database, passkeyContext, session.user)
}

async function readJson({ req: { raw } }: PageRequest): Promise<unknown> {
  if (!/^application\/json\b/i.test(raw.headers.get('content-type') ?? '')) throw passkeyRefusal(415, 'Send JSON')
  const body = await readWebBody(raw, { maxBytes: MAX_BYTES })
  if (typeof body === 'string') throw passkeyRefusal(413, 'A request must have at most 4 kB')
  const parsed = parseBoundedJson(body)
  return 'value' in parsed ? parsed.value : null
}

const passkeyRefusal = (status: number, sentence: string, headers: Record<string, string> = {}): HttpRefusal =>
  new HttpRefusal(jsonAnswer(status, { error: 'invalid_request', error_description: sentence }, headers))

/** Returns the person a passkey identifies, or the problem to show. */
export async function recognizeByPasskey(
  site: Site,
  request: PageRequest,
  passkey: string,
  challenge: { purpose: PasskeyPurpose; user: string | null },
): Promise<RecognizedPerson | SignInProblem> {
  const { database, relyingParty: rp } = site
  const wait = await takeAttempt(database, [
    { subject: `passkey ${site.clientAddressOf(request.env.incoming)}`, max: MAX_ATTEMPTS },
  ])
  if (wait > 0) return tooManyTries(wait)
  if (rp === null) return passkeyProblem('wrong')
  const browser = site.challengeCookie.read(request.req.header('cookie'))
  const recognized = await recognizePasskey(database, { rp, browser }, passkey, challenge)
  return 'user' in recognized ? recognized : passkeyProblem(recognized.problem)
}

/** Reads a new person's sign-in method: a passkey their browser created, or a password. */
export async function readNewSignIn(site: Site, request: PageRequest, sent: URLSearchParams): Promise<JoinInput> {
  const [name, passkey] = [sent.get('name') ?? '', sent.get('passkey')]
  if (passkey === null) return { name, password: sent.get('password') ?? '' }
  const [rp, cookies] = [site.relyingParty, request.req.header('cookie')]
  const challenge = { purpose: 'join', user: null } as const
  const accepted =
    rp &&
    (await acceptNewPasskey(site.database, { rp, browser: site.challengeCookie.read(cookies) }, passkey, challenge))
  if (accepted === null) throw invalid(say`The passkey could not be checked. Try again, or choose a password.`)
  const device = deviceIn(request.req.header('user-agent') ?? null)
  return {
    name,
    passkey: accepted.passkey,
    details: { name: device === null ? say`Passkey` : deviceText(device), handle: accepted.handle },
  }
}
