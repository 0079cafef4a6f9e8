import { createHash, randomBytes } from 'node:crypto'
import { sql, type Database, type Sql } from '../../db/tenant.ts'
import type { Language } from '../../language/reader.ts'
import { networkOf } from '../addresses.ts'
import type { Origin } from '../security/account_events.ts'
import { deviceIn } from '../security/device.ts'
import { tellOfEnding } from './endings.ts'

/**
 * Describes who is signed in at a browser. `since` is when they signed in, `confirmedAt` when they were last recognized,
 * in UTC; `isRecent` says whether that is less than 15 minutes ago.
 */
export type Session = {
  id: string
  user: SignedInUser
  since: string
  confirmedAt: string
  isRecent: boolean
  methods: readonly SignInMethod[]
}

/** Names a way to recognize somebody; `totp` and `recovery` are second factors beside another one. */
export type SignInMethod = 'password' | 'passkey' | 'provider' | 'link' | 'totp' | 'recovery'

/** Tells whether somebody was recognized by two factors; a passkey, whose holder was verified, is two. */
export const isTwoFactor = (methods: readonly SignInMethod[]): boolean =>
  methods.some((method) => method === 'passkey' || method === 'totp' || method === 'recovery')

/** Says how a session begins: how its person was recognized, where, and the secret of a session that it replaces. */
export type SessionStart = { methods: readonly SignInMethod[]; origin: Origin | null; earlier?: string | null }

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

/** Is in minutes: for so long nobody is asked again who they are. */
const RECENT = 15

/** Signs a user in. Returns the secret of a new session; that of `earlier` ends. */
export async function startSession(database: Database, user: string, start: SessionStart): Promise<string> {
  const { secret } = await begin(database, sql`select id from users where id = ${user}`, start)
  return secret
}

/** Does the same for somebody recognized by the stored password; null when it was changed meanwhile. */
export async function startVerified(
  database: Database,
  user: string,
  verified: string | null,
  start: SessionStart,
): Promise<string | null> {
  const { secret, count } = await begin(
    database,
    sql`select id from users where id = ${user} and password_hash = ${verified} for share`,
    start,
  )
  return count === 0 ? null : secret
}

async function begin(
  database: Database,
  user: Sql,
  { methods, origin, earlier = null }: SessionStart,
): Promise<{ secret: string; count: number }> {
  const secret = randomBytes(32).toString('base64url')
  const [begun, ended] = await database.send([
    sql`insert into sessions (hash, user_id, methods, network, device)
      select ${hashOf(secret)}::bytea, u.id, ${[...methods]}::text[], ${origin && networkOf(origin.address)}, ${origin && deviceIn(origin.agent)} from (${user}) u`,
    ...(earlier === null ? [] : [ending(earlier)]),
  ])
  if (ended !== undefined) tellOf(ended)
  return { secret, count: begun!.count }
}

/** Holds for sessions used within the last month and begun within the last three. */
export const standing = sql`s.seen_at > moment() - make_interval(days => ${IDLE_DAYS}) and s.created_at > moment() - make_interval(days => ${MAX_DAYS})`

/** Returns the session of a secret, or null when there is none any more; finding it keeps it alive. */
export async function findSession(database: Database, secret: string | null): Promise<Session | null> {
  if (secret === null) return null
  const hash = hashOf(secret)
  const [, answer] = await database.send([
    sql`update sessions set seen_at = moment()
      where hash = ${hash} and seen_at between moment() - make_interval(days => ${IDLE_DAYS}) and moment() - interval '1 hour'`,
    sql`select s.id as session, s.created_at as since, s.confirmed_at, s.confirmed_at > moment() - make_interval(mins => ${RECENT}) as is_recent, s.methods, u.id, u.email, u.name, u.language, u.uses_keys from sessions s join users u on u.id = s.user_id
      where s.hash = ${hash} and ${standing}`,
  ])
  const found = answer!.rows[0] as FoundSession | undefined
  return found === undefined
    ? null
    : {
        id: found.session,
        user: {
          id: found.id,
          email: found.email,
          name: found.name,
          language: found.language,
          usesKeys: found.uses_keys,
        },
        since: found.since,
        confirmedAt: found.confirmed_at,
        isRecent: found.is_recent,
        methods: found.methods,
      }
}

type FoundSession = Omit<SignedInUser, 'usesKeys'> & {
  session: string
  since: string
  confirmed_at: string
  is_recent: boolean
  methods: SignInMethod[]
  uses_keys: boolean
}

/** Notes that the person of a session was recognized again just now, by this. */
export const confirmSession = async (
  database: Database,
  session: Pick<Session, 'id' | 'user'>,
  method: SignInMethod,
): Promise<void> => {
  await database.send([
    sql`update sessions set confirmed_at = moment(), ${withMethod(method)} where user_id = ${session.user.id} and id = ${session.id}`,
  ])
}

/** Notes that the person of a session has shown a second factor beside how they signed in. */
export const strengthenSession = async (
  database: Database,
  session: Pick<Session, 'id' | 'user'>,
  method: SignInMethod,
): Promise<void> => {
  await database.send([
    sql`update sessions set ${withMethod(method)} where user_id = ${session.user.id} and id = ${session.id}`,
  ])
}

const withMethod = (method: SignInMethod): Sql =>
  sql`methods = case when ${method} = any(methods) then methods else methods || ${method}::text end`

export async function endSession(database: Database, secret: string): Promise<void> {
  const [answer] = await database.send([ending(secret)])
  tellOf(answer!)
}

/** Signs a user out of every browser, after a change of password; what waits for a second factor ends too. */
export const endSessionsOf = (user: string): Sql => sql`
  with pending as (delete from pending_sign_ins where user_id = ${user}) delete from sessions where user_id = ${user}`

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
