import { rowsOf, sql, type Database } from '../../platform/db/tenant.ts'
import { logAccountEvent } from '../security/account_events.ts'
import { takeAttempt, clearAttempts } from './attempts.ts'
import type { SignInOrigin } from './complete_sign_in.ts'
import { verifyPassword } from './passwords/passwords.ts'
import { confirmSession, type Session, type SignInMethod } from './sessions.ts'

/** Maximum passwords tried in one session in 15 minutes. */
const MAX_TRIES = 10

/** Session's new secret, or null if it ended meanwhile. */
export type SessionConfirmation = { secret: string | null }

/** Reauthenticates the user of a session by password. Returns false for a wrong one, or the seconds to wait. */
export async function confirmByPassword(
  database: Database,
  session: Session,
  password: string,
  origin: SignInOrigin,
): Promise<SessionConfirmation | false | { wait: number }> {
  const subject = `confirm session ${session.id}`
  const wait = await takeAttempt(database, [{ subject, max: MAX_TRIES }])
  if (wait > 0) return { wait }
  const [row] = await rowsOf(
    database.send,
    sql<{ password_hash: string | null }>`select password_hash from users where id = ${session.user.id}`,
  )
  if (!(await verifyPassword(password, row?.password_hash ?? null))) return false
  await clearAttempts(database, subject)
  return confirmPerson(database, session, 'password', origin)
}

/** Records that the user of a session reauthenticated, which gives it a new secret. */
export async function confirmPerson(
  database: Database,
  session: Session,
  method: SignInMethod,
  origin: SignInOrigin,
): Promise<SessionConfirmation> {
  const secret = await confirmSession(database, session, method)
  await database.send([logAccountEvent({ user: session.user.id, kind: 'confirmed', origin, about: { method } })])
  return { secret }
}
