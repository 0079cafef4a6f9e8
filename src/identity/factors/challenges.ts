import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { rowsOf, sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/** Purpose of a challenge: sign in, second factor, reauthentication, or a new passkey. */
export type PasskeyPurpose = 'sign_in' | 'second' | 'confirm' | 'add' | 'join'

/** Challenge: its purpose, its user if known, and the user handle for a new passkey. */
type PasskeyChallenge = { purpose: PasskeyPurpose; user: string | null; handle: string | null }

/** Minutes for a browser to respond. */
const LIFETIME_MINUTES = 5

/** Creates a challenge for a browser, identified by its cookie's secret. */
export async function createChallenge(
  database: Database,
  browser: string,
  { purpose, user, handle }: PasskeyChallenge,
): Promise<Buffer> {
  const challenge = randomBytes(32)
  await database.send([
    sql`insert into passkey_challenges (hash, browser, purpose, user_id, handle)
    values (${hashOf(challenge.toString('base64url'))}, ${hashOf(browser)}, ${purpose}, ${user}, ${handle})`,
  ])
  return challenge
}

/** Uses up a challenge and returns its data; null if it is another browser's, used or expired. */
export async function spendChallenge(
  database: Database,
  browser: string | null,
  challenge: string | null,
): Promise<PasskeyChallenge | null> {
  if (browser === null || challenge === null) return null
  const [row] = await rowsOf(
    database.send,
    sql<PasskeyChallenge>`delete from passkey_challenges
      where hash = ${hashOf(challenge)} and browser = ${hashOf(browser)}
    and created_at > moment() - make_interval(mins => ${LIFETIME_MINUTES})
      returning purpose, user_id as "user", handle`,
  )
  return row ?? null
}

export const sweepChallenges = (): Sql =>
  sql`delete from passkey_challenges where created_at < moment() - make_interval(mins => ${LIFETIME_MINUTES})`
