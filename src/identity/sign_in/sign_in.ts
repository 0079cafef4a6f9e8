import { setTimeout } from 'node:timers/promises'
import { rowsOf, sql, type Database } from '../../platform/db/tenant.ts'
import { normalizeText } from '../../platform/validation/text/text.ts'
import { dropNul } from '../../platform/http/nul.ts'
import { networkOf } from '../addresses.ts'
import { takeAttempt, countAttempt, clearAttempts, refundAttempt } from './attempts.ts'
import { logAccountEventOnce } from '../security/account_events.ts'
import { signInPerson, type SignInResult, type SignInOrigin } from './complete_sign_in.ts'
import { findKnownBrowser } from './known_browsers.ts'
import { emitSignIn } from './outcomes.ts'
import { verifyPassword } from './passwords/passwords.ts'

type Credentials = { email: string; password: string }

/** Result of a correct password, or the seconds to wait; null for a wrong email address or password. */
export type PasswordSignInResult = SignInResult | { wait: number } | null

/**
 * Maximum tries in 15 minutes on one account from one network or recognized browser, and from one address on any
 * account.
 */
const MAX_ON_ACCOUNT = 10
const MAX_FROM_ADDRESS = 100

/**
 * Tries on an account from all unrecognized browsers before they are delayed, by one more second every
 * `TRIES_PER_EXTRA_SECOND` tries up to `MAX_PAUSE_SECONDS`.
 */
const MAX_UNDELAYED_TRIES = 20
const TRIES_PER_EXTRA_SECOND = 5
const MAX_PAUSE_SECONDS = 10

/** Maximum delayed tries in this process; further ones are told to retry later. */
const MAX_WAITING = 500

type Pause = (seconds: number) => Promise<unknown>
const sleep: Pause = (seconds) => setTimeout(seconds * 1000)

/**
 * Signs a user in. Neither the response, its timing nor the limits reveal whether an email address exists: an unknown
 * address counts tries like a known one. Nobody can lock a user out by failing in their name, except from the user's
 * own network, and never from a browser in which they have signed in before.
 */
export async function signIn(
  database: Database,
  { email: input, password }: Credentials,
  origin: SignInOrigin,
  pause: Pause = sleep,
): Promise<PasswordSignInResult> {
  const email = normalizeAddress(input)
  const { address, known = null } = origin
  const browser = await findKnownBrowser(database, known, email)
  const subject = `sign-in account ${email} ${browser === null ? `from ${networkOf(address)}` : `at ${browser}`}`
  const wait =
    browser === null
      ? await waitForUnknownBrowser(database, { email, subject, address }, pause)
      : await takeAttempt(database, [{ subject, max: MAX_ON_ACCOUNT }])
  const user = await findUser(database, email)
  if (wait > 0) {
    noteFailure(database, user, 'sign_in_limited', origin)
    return { wait }
  }
  if (!(await verifyPassword(password, user?.password_hash ?? null)) || user === undefined) {
    noteFailure(database, user, 'sign_in_failed', origin)
    return null
  }
  const signInResult = await signInPerson(database, { user: user.id, epoch: user.sign_in_epoch }, ['password'], origin)
  if (signInResult === null) return null
  await clearAttempts(database, subject)
  if (browser === null) await refundAttempt(database, accountSubject(email))
  return signInResult
}

/**
 * Reports a failure, and logs it in the user's security log once an hour per kind and network, so that nobody can flood
 * it. The response doesn't wait for this: its timing would reveal whether the address has an account.
 */
function noteFailure(
  database: Database,
  user: { id: string } | undefined,
  kind: 'sign_in_failed' | 'sign_in_limited',
  origin: SignInOrigin,
): void {
  emitSignIn({ outcome: kind === 'sign_in_failed' ? 'failed' : 'limited', methods: ['password'] })
  if (user !== undefined) database.send([logAccountEventOnce({ user: user.id, kind, origin })]).catch(() => {})
}

/** Normalizes an email address as stored; an empty string if it is too long or empty. */
export function normalizeAddress(address: string): string {
  const normalized = normalizeText(dropNul(address).trim(), 254)
  return 'text' in normalized ? normalized.text.toLowerCase() : ''
}

type UnknownBrowserTry = { email: string; subject: string; address: string }

/** Counts against one limit after the other, so that a try refused by one doesn't count against the next. */
async function waitForUnknownBrowser(
  database: Database,
  { email, subject, address }: UnknownBrowserTry,
  pause: Pause,
): Promise<number> {
  const addressWait = await takeAttempt(database, [{ subject: `sign-in address ${address}`, max: MAX_FROM_ADDRESS }])
  if (addressWait > 0) return addressWait
  const networkWait = await takeAttempt(database, [{ subject, max: MAX_ON_ACCOUNT }])
  if (networkWait > 0) return networkWait
  return slowDown(await countAttempt(database, accountSubject(email)), pause)
}

let waiting = 0

async function slowDown(tries: number, pause: Pause): Promise<number> {
  if (tries <= MAX_UNDELAYED_TRIES) return 0
  if (waiting >= MAX_WAITING) return MAX_PAUSE_SECONDS
  waiting++
  try {
    await pause(Math.min(MAX_PAUSE_SECONDS, Math.ceil((tries - MAX_UNDELAYED_TRIES) / TRIES_PER_EXTRA_SECOND)))
  } finally {
    waiting--
  }
  return 0
}

const accountSubject = (email: string): string => `sign-in account ${email}`

type UserRow = { id: string; password_hash: string | null; sign_in_epoch: number }

async function findUser(database: Database, email: string): Promise<UserRow | undefined> {
  const [row] = await rowsOf(
    database.send,
    sql<UserRow>`select id, password_hash, sign_in_epoch from users where email = ${email}`,
  )
  return row
}
