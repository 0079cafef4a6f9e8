import type { Database } from '../../platform/db/tenant.ts'
import { createPendingSignIn } from '../factors/pending_sign_in.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { requestSession } from '../security/notices/request_session.ts'
import { promptEmailVerification, notifyNewDevice, assignNotices } from '../security/notices/notices.ts'
import { rememberBrowser } from './known_browsers.ts'
import { emitSignIn } from './outcomes.ts'
import { isTwoFactor, startSession, type SessionBinding, type RecognizedPerson, type SignInMethod } from './sessions.ts'

/**
 * Origin of a sign-in: the browser, the secret of a session to end, and the browser's cookie from an earlier sign-in.
 */
export type SignInOrigin = Origin & { earlier?: string | null; known?: string | null }

/** Secrets of a session and of the browser in clear text, for their cookies. */
export type NewSessionSecrets = { secret: string; known: string }

/** Result of a first factor: a session, or the secret of a sign-in that waits for the second factor. */
export type SignInResult = NewSessionSecrets | { pending: string }

/** Same result of a sign-in for one company. */
export type BoundSignInResult = { secret: string } | { pending: string }

/**
 * Signs in an identified user. Every sign-in ends here or in `beginSession`. A user with an authenticator app must
 * enter a code first, unless two factors were used already. Returns null if all their sessions ended meanwhile.
 */
export async function signInPerson(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  origin: SignInOrigin,
): Promise<SignInResult | null> {
  const pending = isTwoFactor(methods) ? null : await createPendingSignIn(database, person, methods)
  return pending === null ? beginSession(database, person, methods, origin) : { pending }
}

/** Starts the session of a user who needs no further factor. */
export async function beginSession(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  origin: SignInOrigin,
): Promise<NewSessionSecrets | null> {
  const { earlier = null, known = null } = origin
  const before = requestSession()
  const secret = await startSession(database, person, { methods, origin, earlier })
  return secret === null ? null : recordSignIn(database, person.user, { secret, methods, origin, known, before })
}

/**
 * Does the same for a person from a company's own provider, for that company alone, without remembering the browser. A
 * user with an authenticator app must enter a code, whatever factors the provider reports.
 */
export async function signInBoundPerson(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  { bound, origin }: { bound: SessionBinding; origin: SignInOrigin },
): Promise<BoundSignInResult | null> {
  const pending = await createPendingSignIn(database, person, methods, bound)
  return pending === null ? beginBoundSession(database, person, methods, { bound, origin }) : { pending }
}

/** Starts the session of a user for one company, with no further factor needed. */
export async function beginBoundSession(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  { bound, origin }: { bound: SessionBinding; origin: SignInOrigin },
): Promise<{ secret: string } | null> {
  const secret = await startSession(database, person, { methods, origin, earlier: origin.earlier ?? null, bound })
  if (secret === null) return null
  await database.send([
    logAccountEvent({ user: person.user, kind: 'signed_in', origin, about: { methods, company: bound.boundTo } }),
  ])
  emitSignIn({ outcome: 'signed_in', methods })
  return { secret }
}

type StartedSession = {
  secret: string
  methods: readonly SignInMethod[]
  origin: Origin
  known: string | null
  /** Session in which the user signs in again. */
  before: string | null
}

async function recordSignIn(
  database: Database,
  user: string,
  { secret, methods, origin, known, before }: StartedSession,
): Promise<NewSessionSecrets> {
  const session = requestSession()
  await database.send([
    notifyNewDevice(user, known, origin),
    promptEmailVerification(user),
    logAccountEvent({ user, kind: 'signed_in', origin, about: { methods } }),
    ...(session === null ? [] : [assignNotices(user, { session, before })]),
  ])
  const remembered = await rememberBrowser(database, user, known)
  emitSignIn({ outcome: 'signed_in', methods })
  return { secret, known: remembered }
}
