import { sql } from '../db/tenant.ts'
import type { Database } from '../db/tenant.ts'
import { conflict, invalid } from '../refusal.ts'
import { attempt } from './attempts.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { endSessionsOf, startSession } from './sessions.ts'

const TRIES = 10

/**
 * Changes a user's own password, which ends their sessions in every browser. Answers the secret of a new session.
 * Refuses a wrong present one, and tries beyond ten in a quarter of an hour.
 */
export async function changeOwnPassword(database: Database, user: string, { current, next }: { current: string; next: string }): Promise<string> {
  const wait = await attempt(database, [{ subject: `password change ${user}`, most: TRIES }])
  if (wait > 0) throw conflict(`too many tries; wait ${Math.ceil(wait / 60)} min and try again`)
  const [answer] = await database.send([sql`select password_hash from users where id = ${user}`])
  const { password_hash: before } = answer!.rows[0] as { password_hash: string | null }
  if (!await verifyPassword(current, before)) throw invalid('current is not your password')
  if (current === next) throw invalid('next must be another password than the one before')
  const hash = await hashNext(next)
  const [changed] = await database.send([sql`update users set password_hash = ${hash} where id = ${user} and password_hash = ${before} returning id`])
  if (changed!.rows.length === 0) throw conflict('the password was changed elsewhere meanwhile; try again')
  await endSessionsOf(database, user)
  return startSession(database, user)
}

/** Gives a user another password, for the operator: who forgot theirs proves to the operator who they are. It ends every session. */
export async function resetPassword(database: Database, user: string, password: string): Promise<void> {
  const hash = await hashPassword(password)
  await database.send([sql`update users set password_hash = ${hash}, made_through = null where id = ${user}`])
  await endSessionsOf(database, user)
}

async function hashNext(next: string): Promise<string> {
  try {
    return await hashPassword(next)
  } catch (error) {
    throw error instanceof Error && error.message.startsWith('password ') ? invalid(error.message.replace('password', 'next')) : error
  }
}
