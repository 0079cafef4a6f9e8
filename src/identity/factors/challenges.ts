import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { rowsOf, sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/** Purpose of a challenge: to sign in, as a second factor, to confirm who is there, for a new passkey. */
export type PasskeyPurpose = 'sign_in' | 'second' | 'confirm' | 'add' | 'join'

/** Describes what was asked: of whom, where that is known, and what a new passkey knows its person by. */
type PasskeyChallenge = { purpose: PasskeyPurpose; user: string | null; handle: string | null }

/** Minutes that a browser may take to answer. */
const MINUTES = 5

/** Returns a new challenge for a browser, by the secret of its cookie. */
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

/**
 * Returns what a challenge was asked for, which is over with this; null for another browser's, a used and an old one.
 */
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
    and created_at > moment() - make_interval(mins => ${MINUTES}) returning purpose, user_id as "user", handle`,
  )
  return row ?? null
}

/** Removes challenges that nobody answered. */
export const sweepChallenges = (): Sql =>
  sql`delete from passkey_challenges where created_at < moment() - make_interval(mins => ${MINUTES})`
