import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { sql, type Database, type Sql } from '../../platform/db/tenant.ts'

/** Days that a browser is recognized after its last sign-in. */
export const KNOWN_DAYS = 180

/** Maximum recognized browsers per user; the newest are kept. */
const MAX_BROWSERS = 10

/** Returns the name a browser's attempts count under, if the user has signed in there before; else null. */
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
 * Records that a user signed in with a browser. Returns its new secret, which replaces the old one; other users
 * recognized there stay recognized.
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

/** Deletes every recognized browser of a user, after a password change. */
export const forgetBrowsersOf = (user: string): Sql => sql`delete from known_browsers where user_id = ${user}`

export const sweepBrowsers = (): Sql =>
  sql`delete from known_browsers where seen_at < moment() - make_interval(days => ${KNOWN_DAYS})`

const isFresh = sql`b.seen_at > moment() - make_interval(days => ${KNOWN_DAYS})`
