import { sql, type Database } from '../../platform/db/tenant.ts'
import { noted } from '../security/account_events.ts'
import { attempt, forgive } from './attempts.ts'
import type { SignInOrigin } from './entering.ts'
import { verifyPassword } from './passwords/passwords.ts'
import { confirmSession, type Session, type SignInMethod } from './sessions.ts'

/** Limits passwords tried in one session in a quarter of an hour. */
const TRIES = 10

/** Is what the session has from then on: another secret, or null when it was ended meanwhile. */
export type Confirmed = { secret: string | null }

/** Confirms by the password that it is still the person of a session; false for another one, or the seconds to wait. */
export async function confirmByPassword(
  database: Database,
  session: Session,
  password: string,
  origin: SignInOrigin,
): Promise<Confirmed | false | { wait: number }> {
  const subject = `confirm session ${session.id}`
  const wait = await attempt(database, [{ subject, most: TRIES }])
  if (wait > 0) return { wait }
  const [answer] = await database.send([sql`select password_hash from users where id = ${session.user.id}`])
  if (!(await verifyPassword(password, (answer!.rows[0]?.['password_hash'] as string | null | undefined) ?? null)))
    return false
  await forgive(database, subject)
  return confirmed(database, session, 'password', origin)
}

/** Notes that the person of a session was recognized again, which gives it another secret. */
export async function confirmed(
  database: Database,
  session: Session,
  method: SignInMethod,
  origin: SignInOrigin,
): Promise<Confirmed> {
  const secret = await confirmSession(database, session, method)
  await database.send([noted({ user: session.user.id, kind: 'confirmed', origin, about: { method } })])
  return { secret }
}
