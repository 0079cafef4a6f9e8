import { sql } from '../db/tenant.ts'
import type { Database } from '../db/tenant.ts'
import { normal } from '../shape/text.ts'
import { attempt, forgive } from './attempts.ts'
import { verifyPassword } from './passwords.ts'
import { startSession } from './sessions.ts'

export type Credentials = { email: string; password: string }

/** A session's secret, the seconds to wait, or null for a wrong e-mail address or password. */
export type SignIn = { secret: string } | { wait: number } | null

/** Tries in a quarter of an hour: on one account from anywhere, and from one address on any. */
const ON_ACCOUNT = 10
const FROM_ADDRESS = 100

/**
 * Signs in. Whether a user with the e-mail address exists shows neither in the answer nor in the time it takes, nor
 * in the limit: an unknown address counts tries as a known one does. `earlier` is the secret of a session to end.
 */
export async function signIn(database: Database, { email: typed, password }: Credentials, address: string, earlier: string | null = null): Promise<SignIn> {
  const email = addressIn(typed)
  const account = `sign-in account ${email}`
  const wait = await attempt(database, [{ subject: account, most: ON_ACCOUNT }, { subject: `sign-in address ${address}`, most: FROM_ADDRESS }])
  if (wait > 0) return { wait }
  const user = await findUser(database, email)
  if (!await verifyPassword(password, user?.password_hash ?? null) || user === undefined) return null
  await forgive(database, account)
  return { secret: await startSession(database, user.id, earlier) }
}

/** As addresses are kept; nobody has one that is longer, or empty. */
function addressIn(typed: string): string {
  const read = normal(typed.trim(), 254)
  return 'text' in read ? read.text.toLowerCase() : ''
}

async function findUser(database: Database, email: string): Promise<{ id: string; password_hash: string | null } | undefined> {
  if (!email.isWellFormed() || email.includes('\0')) return undefined
  const [answer] = await database.send([sql`select id, password_hash from users where email = ${email}`])
  return answer!.rows[0] as { id: string; password_hash: string | null } | undefined
}
