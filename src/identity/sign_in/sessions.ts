import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import type { Language } from '../../platform/i18n/reader.ts'
import { networkOf } from '../addresses.ts'
import type { Origin } from '../security/account_events.ts'
import { setRequestSession } from '../security/notices/request_session.ts'
import { deviceIn } from '../security/device.ts'
import { emitAccessChange } from './access_changes.ts'

/** Signed-in user at a browser, for all their companies. */
export type Session = SessionFacts & { boundTo: null }

/**
 * User signed in for one company alone, by its own provider, which its owners control. To every other page they are not
 * signed in; no function for a `Session` accepts it.
 */
export type BoundSession = SessionFacts & { boundTo: string }

export type AnySession = Session | BoundSession

/**
 * `since` is the time of sign-in and `confirmedAt` that of the last authentication, in UTC. `isRecent` is true if the
 * latter is less than 15 minutes ago.
 */
type SessionFacts = {
  id: string
  user: SignedInUser
  since: string
  confirmedAt: string
  isRecent: boolean
  methods: readonly SignInMethod[]
}

/**
 * Authentication method. `totp` and `recovery` are second factors in addition to another one. `company` is the
 * company's own provider, and `company_mfa` the same with two factors.
 */
export type SignInMethod =
  | 'password'
  | 'passkey'
  | 'provider'
  | 'link'
  | 'totp'
  | 'recovery'
  | 'company'
  | 'company_mfa'

const TWO_FACTORS: readonly SignInMethod[] = ['passkey', 'totp', 'recovery', 'company_mfa']

/** Checks whether two factors were used. A passkey with user verification counts as two. */
export const isTwoFactor = (methods: readonly SignInMethod[]): boolean =>
  methods.some((method) => TWO_FACTORS.includes(method))

/** Only company that a session gives access to, and when its provider authenticated the user. */
export type SessionBinding = { boundTo: string; recognizedAt: string | null }

/**
 * Start of a session: the user's authentication methods, the origin, the secret of a session that it replaces, and the
 * one company it is limited to.
 */
type SessionStart = {
  methods: readonly SignInMethod[]
  origin: Origin | null
  earlier?: string | null
  bound?: SessionBinding | null
}

/** `language` is null until the user chooses one; pages then follow the browser. */
export type SignedInUser = {
  id: string
  email: string
  name: string
  /** True while the name is the start of the address, because none was given. */
  isNameAssumed: boolean
  language: Language | null
  /** True if single-key shortcuts work on pages. */
  usesKeys: boolean
}

/** Days without use after which a session ends. It ends at the latest `MAX_DAYS` after its start. */
const IDLE_DAYS = 30
const MAX_DAYS = 90

/** Minutes after an authentication during which no confirmation is needed. */
const RECENT_MINUTES = 15

/**
 * Identified user, with the count of times all their sessions had been ended by then. If it has grown since, the factor
 * that identified them may no longer be theirs.
 */
export type RecognizedPerson = { user: string; epoch: number }

/** Condition: the sessions of user `u` weren't ended since they were identified. Waits for an ending in progress. */
export const isSameEpoch = ({ user, epoch }: RecognizedPerson): Sql =>
  sql`u.id = ${user} and u.sign_in_epoch = ${epoch}`

/** Selects a user who has just been authenticated in the same transaction. */
export const selectPerson = (user: string): Sql<RecognizedPerson> =>
  sql`select id as user, sign_in_epoch as epoch from users where id = ${user}`

/**
 * Starts a session for an identified user. Returns its secret, and ends the session of `earlier`; null if all their
 * sessions ended meanwhile.
 */
export async function startSession(
  database: Database,
  person: RecognizedPerson,
  { methods, origin, earlier = null, bound = null }: SessionStart,
): Promise<string | null> {
  const secret = randomBytes(32).toString('base64url')
  const [begun, ended] = await database.send([
    sql<{ id: string }>`insert into sessions (hash, user_id, methods, network, device, bound_to, confirmed_at)
      select ${hashOf(secret)}::bytea, u.id, ${[...methods]}::text[], ${origin && networkOf(origin.address)},
        ${origin && deviceIn(origin.agent)}, ${bound?.boundTo ?? null}::uuid,
        least(moment(), ${bound?.recognizedAt ?? null}::timestamptz)
        from (select u.id from users u where ${isSameEpoch(person)} for share) u returning id`,
    ...(earlier === null ? [] : [deleteSession(earlier)]),
  ])
  if (ended !== undefined) emitEndedSessions(ended)
  const [session] = begun.rows
  if (session === undefined) return null
  setRequestSession(session.id)
  return secret
}

/** Condition: a session was used in the last 30 days and started in the last 90. */
export const isValidSession = sql`s.seen_at > moment() - make_interval(days => ${IDLE_DAYS})
    and s.created_at > moment() - make_interval(days => ${MAX_DAYS})`

/** Returns the session of a secret and keeps it alive, or null if there is none or it is bound to a company. */
export const findSession = async (database: Database, secret: string | null): Promise<Session | null> => {
  const anySession = await findAnySession(database, secret)
  return anySession === null || isBound(anySession) ? null : anySession
}

/** Checks whether a session is limited to one company. */
export const isBound = (session: AnySession): session is BoundSession => session.boundTo !== null

/** Returns the session of a secret, bound to a company or not, for pages that check which company it is. */
export async function findAnySession(database: Database, secret: string | null): Promise<AnySession | null> {
  if (secret === null) return null
  const hash = hashOf(secret)
  const [, answer] = await database.send([
    sql`update sessions set seen_at = moment()
      where hash = ${hash}
        and seen_at between moment() - make_interval(days => ${IDLE_DAYS}) and moment() - interval '1 hour'`,
    sql<SessionRow>`select s.id as session, s.created_at as since, s.confirmed_at,
        s.confirmed_at > moment() - make_interval(mins => ${RECENT_MINUTES}) as is_recent, s.methods, s.bound_to, u.id,
        u.email, u.name, u.is_name_assumed, u.language, u.uses_keys
      from sessions s join users u on u.id = s.user_id
      where s.hash = ${hash} and ${isValidSession}`,
  ])
  const [row] = answer.rows
  if (row !== undefined) setRequestSession(row.session)
  return row === undefined
    ? null
    : {
        id: row.session,
        user: {
          id: row.id,
          email: row.email,
          name: row.name,
          isNameAssumed: row.is_name_assumed,
          language: row.language,
          usesKeys: row.uses_keys,
        },
        since: row.since,
        confirmedAt: row.confirmed_at,
        isRecent: row.is_recent,
        methods: row.methods,
        boundTo: row.bound_to,
      }
}

type SessionRow = Omit<SignedInUser, 'isNameAssumed' | 'usesKeys'> & {
  session: string
  since: string
  confirmed_at: string
  is_recent: boolean
  methods: SignInMethod[]
  bound_to: string | null
  is_name_assumed: boolean
  uses_keys: boolean
}

/**
 * Records that the user of a session just authenticated again. An app or recovery code only adds a second factor.
 * Returns the session's new secret, which invalidates the old one; null if it has ended.
 */
export async function confirmSession(
  database: Database,
  session: Pick<Session, 'id' | 'user'>,
  method: SignInMethod,
): Promise<string | null> {
  const secret = randomBytes(32).toString('base64url')
  const isSecond = method === 'totp' || method === 'recovery'
  const [renewed] = await database.send([
    sql`update sessions
      set hash = ${hashOf(secret)}, confirmed_at = case when ${isSecond} then confirmed_at else moment_of(user_id) end,
        ${addMethod(method)}
      where user_id = ${session.user.id} and id = ${session.id}`,
  ])
  return renewed.count === 0 ? null : secret
}

/** Records that the user of a session also passed a second factor. */
export const strengthenSession = async (
  database: Database,
  session: Pick<Session, 'id' | 'user'>,
  method: SignInMethod,
): Promise<void> => {
  await database.send([
    sql`update sessions set ${addMethod(method)} where user_id = ${session.user.id} and id = ${session.id}`,
  ])
}

const addMethod = (method: SignInMethod): Sql =>
  sql`methods = case when ${method} = any(methods) then methods else methods || ${method}::text end`

export async function endSession(database: Database, secret: string): Promise<void> {
  const [answer] = await database.send([deleteSession(secret)])
  emitEndedSessions(answer)
}

/**
 * Returns the statements of one transaction that sign a user out everywhere. Pending second factors and sign-ins that
 * haven't started their session end too. The first statement locks the row, so that the second sees a faster sign-in.
 */
export const endSessionsOf = (user: string): [Sql, Sql] => [
  sql`update users set sign_in_epoch = sign_in_epoch + 1 where id = ${user}`,
  sql`with pending as (delete from pending_sign_ins where user_id = ${user}) delete from sessions
    where user_id = ${user}`,
]

/** Returns the secrets whose session is still valid, without keeping any alive. */
export async function validSessions(database: Database, secrets: readonly string[]): Promise<Set<string>> {
  const byHash = new Map(secrets.map((secret) => [hashOf(secret).toString('hex'), secret]))
  const [answer] = await database.send([
    sql<{ hash: string }>`select encode(hash, 'hex') as hash from sessions s
    where hash in (select decode(one, 'hex') from unnest(${[...byHash.keys()]}::text[]) one) and ${isValidSession}`,
  ])
  return new Set(answer.rows.flatMap(({ hash }) => byHash.get(hash) ?? []))
}

export const sweepSessions = (): Sql => sql`delete from sessions
  where seen_at < moment() - make_interval(days => ${IDLE_DAYS})
    or created_at < moment() - make_interval(days => ${MAX_DAYS})`

const deleteSession = (secret: string): Sql<{ user_id: string }> =>
  sql`delete from sessions where hash = ${hashOf(secret)} returning user_id`

const emitEndedSessions = ({ rows }: { rows: readonly { user_id: string }[] }): void =>
  rows.forEach(({ user_id }) => emitAccessChange(user_id))
