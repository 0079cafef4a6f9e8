import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database, type Sql } from '../../db/tenant.ts'
import type { Language } from '../../language/reader.ts'
import { tellOfEnding } from './endings.ts'

/** Describes who is signed in at a browser. `since` is when they signed in, in UTC. */
export type Session = { user: SignedInUser; since: string }
/** Has no language until the person chose one; pages then follow the browser. */
export type SignedInUser = {
  id: string
  email: string
  name: string
  language: Language | null
  /** Says whether keys without a modifier work on pages. */
  usesKeys: boolean
}

/** Is in days: a session ends when it was not used for so long, and at the latest `MAX_DAYS` after it began. */
const IDLE_DAYS = 30
const MAX_DAYS = 90

/** Signs a user in. Returns the secret of a new session; that of `earlier` ends. */
export async function startSession(database: Database, user: string, earlier: string | null = null): Promise<string> {
  const { secret } = await begin(database, sql`select id from users where id = ${user}`, earlier)
  return secret
}

/** Does the same for somebody recognized by the stored password; null when it was changed meanwhile. */
export async function startVerified(
  database: Database,
  user: string,
  verified: string | null,
  earlier: string | null,
): Promise<string | null> {
  const { secret, count } = await begin(
    database,
    sql`select id from users where id = ${user} and password_hash = ${verified} for share`,
    earlier,
  )
  return count === 0 ? null : secret
}

async function begin(
  database: Database,
  user: Sql,
  earlier: string | null,
): Promise<{ secret: string; count: number }> {
  const secret = randomBytes(32).toString('base64url')
  const [begun, ended] = await database.send([
    sql`insert into sessions (hash, user_id) select ${hashOf(secret)}::bytea, u.id from (${user}) u`,
    ...(earlier === null ? [] : [ending(earlier)]),
  ])
  if (ended !== undefined) tellOf(ended)
  return { secret, count: begun!.count }
}

/** Holds for sessions used within the last month and begun within the last three. */
const standing = sql`s.seen_at > moment() - make_interval(days => ${IDLE_DAYS}) and s.created_at > moment() - make_interval(days => ${MAX_DAYS})`

/** Returns the session of a secret, or null when there is none any more; finding it keeps it alive. */
export async function findSession(database: Database, secret: string | null): Promise<Session | null> {
  if (secret === null) return null
  const hash = hashOf(secret)
  const [, answer] = await database.send([
    sql`update sessions set seen_at = moment()
      where hash = ${hash} and seen_at between moment() - make_interval(days => ${IDLE_DAYS}) and moment() - interval '1 hour'`,
    sql`select s.created_at as since, u.id, u.email, u.name, u.language, u.uses_keys from sessions s join users u on u.id = s.user_id
      where s.hash = ${hash} and ${standing}`,
  ])
  const found = answer!.rows[0] as FoundSession | undefined
  return found === undefined
    ? null
    : {
        user: {
          id: found.id,
          email: found.email,
          name: found.name,
          language: found.language,
          usesKeys: found.uses_keys,
        },
        since: found.since,
      }
}

type FoundSession = Omit<SignedInUser, 'usesKeys'> & { since: string; uses_keys: boolean }

export async function endSession(database: Database, secret: string): Promise<void> {
  const [answer] = await database.send([ending(secret)])
  tellOf(answer!)
}

/** Signs a user out of every browser, after a change of password. */
export const endSessionsOf = (user: string): Sql => sql`delete from sessions where user_id = ${user}`

/** Returns those of some secrets whose session is still valid, and keeps none of them alive. */
export async function standingSessions(database: Database, secrets: readonly string[]): Promise<Set<string>> {
  const byHash = new Map(secrets.map((secret) => [hashOf(secret).toString('hex'), secret]))
  const [answer] = await database.send([
    sql`select encode(hash, 'hex') as hash from sessions s
    where hash in (select decode(one, 'hex') from unnest(${[...byHash.keys()]}::text[]) one) and ${standing}`,
  ])
  return new Set((answer!.rows as { hash: string }[]).map(({ hash }) => byHash.get(hash)!))
}

/** Removes sessions that have expired. */
export const sweepSessions = (): Sql => sql`delete from sessions
  where seen_at < moment() - make_interval(days => ${IDLE_DAYS}) or created_at < moment() - make_interval(days => ${MAX_DAYS})`

const ending = (secret: string): Sql => sql`delete from sessions where hash = ${hashOf(secret)} returning user_id`

const tellOf = ({ rows }: Awaited<ReturnType<Database['send']>>[number]): void =>
  rows.forEach(({ user_id }) => tellOfEnding(user_id as string))

const hashOf = (secret: string): Buffer => createHash('sha256').update(secret).digest()
