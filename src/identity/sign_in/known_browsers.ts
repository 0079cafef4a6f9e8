import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/** Days for which a browser is recognized after the last sign-in there. */
export const KNOWN_DAYS = 180

/** Limits the known browsers of one person to the newest. */
const MAX_BROWSERS = 10

/**
 * Returns the name under which tries from a browser count, when the holder of an address has signed in there before;
 * else null.
 */
export async function findKnownBrowser(
  database: Database,
  secret: string | null,
  email: string,
): Promise<string | null> {
  if (secret === null) return null
  const hash = hashOf(secret)
  const [answer] = await database.send([
    sql`select from known_browsers b join users u on u.id = b.user_id
    where b.hash = ${hash} and u.email = ${email} and ${isFresh}`,
  ])
  return answer.count === 0 ? null : hash.toString('hex')
}

/**
 * Remembers that a person signed in at a browser. Returns its new secret, which replaces the one it had; others who are
 * known there stay known.
 */
export async function rememberBrowser(database: Database, user: string, earlier: string | null): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const hash = hashOf(secret)
  await database.send([
    ...(earlier === null
      ? []
      : [sql`update known_browsers b set hash = ${hash} where b.hash = ${hashOf(earlier)} and ${isFresh}`]),
    sql`insert into known_browsers (hash, user_id) values (${hash}, ${user})
      on conflict (hash, user_id) do update set seen_at = excluded.seen_at`,
    sql`delete from known_browsers where user_id = ${user} and hash not in (
      select hash from known_browsers where user_id = ${user} order by seen_at desc, hash limit ${MAX_BROWSERS})`,
  ])
  return secret
}

/** Forgets every browser of a person, after a change of password. */
export const forgetBrowsersOf = (user: string): Sql => sql`delete from known_browsers where user_id = ${user}`

/** Removes known browsers that have expired. */
export const sweepBrowsers = (): Sql =>
  sql`delete from known_browsers where seen_at < moment() - make_interval(days => ${KNOWN_DAYS})`

const isFresh = sql`b.seen_at > moment() - make_interval(days => ${KNOWN_DAYS})`
