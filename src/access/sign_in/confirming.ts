import { sql, type Database } from '../../db/tenant.ts'
import { noted } from '../security/account_events.ts'
import { attempt, forgive } from './attempts.ts'
import type { SignInOrigin } from './entering.ts'
import { verifyPassword } from './passwords.ts'
import { confirmSession, strengthenSession, type Session, type SignInMethod } from './sessions.ts'

/** Limits passwords tried in one session in a quarter of an hour. */
const TRIES = 10

/** Confirms by the password that it is still the person of a session; false for another one, or the seconds to wait. */
export async function confirmByPassword(
  database: Database,
  session: Session,
  password: string,
  origin: SignInOrigin,
): Promise<boolean | { wait: number }> {
  const subject = `confirm session ${session.id}`
  const wait = await attempt(database, [{ subject, most: TRIES }])
  if (wait > 0) return { wait }
  const [answer] = await database.send([sql`select password_hash from users where id = ${session.user.id}`])
  if (!(await verifyPassword(password, (answer!.rows[0]?.['password_hash'] as string | null | undefined) ?? null)))
    return false
  await forgive(database, subject)
  await confirmed(database, session, 'password', origin)
  return true
}

/** Notes that the person of a session was recognized again; a code of an app alone only adds a second factor. */
export async function confirmed(
  database: Database,
  session: Session,
  method: SignInMethod,
  origin: SignInOrigin,
): Promise<void> {
  const isSecond = method === 'totp' || method === 'recovery'
  await (isSecond ? strengthenSession : confirmSession)(database, session, method)
  await database.send([noted({ user: session.user.id, kind: 'confirmed', origin, about: { method } })])
}
