import type { Database } from '../../platform/db/tenant.ts'
import { waitForSecondFactor } from '../factors/pending_sign_in.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { actingSession } from '../security/notices/acting.ts'
import { promptEmailVerification, notifyNewDevice, ownNotices } from '../security/notices/notices.ts'
import { rememberBrowser } from './known_browsers.ts'
import { emitSignIn } from './outcomes.ts'
import { isTwoFactor, startSession, type SessionBinding, type RecognizedPerson, type SignInMethod } from './sessions.ts'

/**
 * Origin of a sign-in: the browser, the secret of a session to end, and what the browser was given at an earlier
 * sign-in.
 */
export type SignInOrigin = Origin & { earlier?: string | null; known?: string | null }

/** Holds the secrets of a session and of the browser in clear, for its cookies. */
export type NewSessionSecrets = { secret: string; known: string }

/** Holds what a first factor leads to: a session, or the secret of a sign-in that waits for the second. */
export type SignInResult = NewSessionSecrets | { pending: string }

/** Holds the same of a sign-in for one company. */
export type BoundSignInResult = { secret: string } | { pending: string }

/**
 * Signs in somebody who was recognized: every way ends here or in `letIn`. Whoever has an authenticator app is asked
 * for a code first, unless there were two factors already. Returns null when all their sessions were ended meanwhile.
 */
export async function signInPerson(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  origin: SignInOrigin,
): Promise<SignInResult | null> {
  const pending = isTwoFactor(methods) ? null : await waitForSecondFactor(database, person, methods)
  return pending === null ? beginSession(database, person, methods, origin) : { pending }
}

/** Begins the session of somebody of whom nothing more is asked. */
export async function beginSession(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  origin: SignInOrigin,
): Promise<NewSessionSecrets | null> {
  const { earlier = null, known = null } = origin
  const before = actingSession()
  const secret = await startSession(database, person, { methods, origin, earlier })
  return secret === null ? null : recordSignIn(database, person.user, { secret, methods, origin, known, before })
}

/**
 * Does the same for whoever a company's own provider named, for that company alone: the browser isn't remembered.
 * Whoever has an authenticator app is asked for a code, whatever the provider says of factors.
 */
export async function signInBoundPerson(
  database: Database,
  person: RecognizedPerson,
  methods: readonly SignInMethod[],
  { bound, origin }: { bound: SessionBinding; origin: SignInOrigin },
): Promise<BoundSignInResult | null> {
  const pending = await waitForSecondFactor(database, person, methods, bound)
  return pending === null ? beginBoundSession(database, person, methods, { bound, origin }) : { pending }
}

/** Begins the session of somebody for one company, of whom nothing more is asked. */
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
  /** The session in which somebody signs in again. */
  before: string | null
}

async function recordSignIn(
  database: Database,
  user: string,
  { secret, methods, origin, known, before }: StartedSession,
): Promise<NewSessionSecrets> {
  const session = actingSession()
  await database.send([
    notifyNewDevice(user, known, origin),
    promptEmailVerification(user),
    logAccountEvent({ user, kind: 'signed_in', origin, about: { methods } }),
    ...(session === null ? [] : [ownNotices(user, { session, before })]),
  ])
  const remembered = await rememberBrowser(database, user, known)
  emitSignIn({ outcome: 'signed_in', methods })
  return { secret, known: remembered }
}
