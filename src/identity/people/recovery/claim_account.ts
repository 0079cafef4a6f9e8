import { rowsOf, byStatement, onlyRow, sql, type Row, type Send, type Sql } from '../../../platform/db/sql.ts'
import type { Database, Db } from '../../../platform/db/tenant.ts'
import { deleteFactors } from '../../factors/factors.ts'
import { insertPasskey, type PasskeyDetails } from '../../factors/passkeys/passkeys.ts'
import type { NewPasskey } from '../../factors/passkeys/webauthn.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { endAccountLinksOf } from '../../security/account_links.ts'
import { dropMailsOf } from '../../security/notices/account_mail.ts'
import { forgetBrowsersOf } from '../../sign_in/known_browsers.ts'
import { endSessionsOf } from '../../sign_in/sessions.ts'
import { endActiveAccess, endActiveAccessIn, listActiveAccess } from '../active_access.ts'

/** Access to an account, or in its user's name, that ended when they claimed it. */
export type EndedAccess = {
  hadPassword: boolean
  hadApp: boolean
  sessions: { device: string | null; network: string | null; since: string }[]
  passkeys: { name: string; since: string }[]
  linked: { issuer: string; email: string | null }[]
  keys: { name: string; company: string }[]
  apps: { name: string; company: string }[]
}

/** Sign-in after a claim: a password hash, a passkey, or a provider's account, which is linked separately. */
export type NewSignIn = { hash: string } | { passkey: NewPasskey; details: PasskeyDetails } | 'provider'

export type Claim = {
  next: NewSignIn
  /** Current session. Its user continues with a new one, so it isn't reported as ended. */
  session?: string | undefined
  /** True if the issuer of the link may have used it. The account still waits for its owner. */
  staysUnclaimed?: boolean
  origin?: Origin | undefined
}

/** Maximum items of each kind listed afterwards. */
const MAX_NAMED = 20

/** Condition: somebody else may have access to the account of user `u`. */
export const isUnclaimed = sql`(u.unclaimed_since is not null)`

/**
 * Claims an account for its owner, in a transaction: ends every other sign-in in every company, and lists what ended.
 * Every path by which an account changes hands ends here (docs/spec/oauth.md#claiming).
 */
export async function claimAccount(send: Database['send'], user: string, claim: Claim): Promise<void> {
  const ended = await endSignIns(send, user, claim, await listActiveAccess(send, user, MAX_NAMED))
  await endActiveAccess(send, user, { user })
  await send(ended)
}

/** Does the same in a transaction of one tenant, and enters that tenant again at the end. */
export async function claimAccountIn(db: Db, user: string, claim: Claim): Promise<void> {
  const send = byStatement((statements) =>
    Promise.all(
      statements.map(async (statement) => {
        const rows = await db.all<Row>(statement)
        return { rows, count: rows.length }
      }),
    ),
  )
  const ended = await endSignIns(send, user, claim, await listActiveAccess(send, user, MAX_NAMED))
  await endActiveAccessIn(db, user, { user })
  await send(ended)
}

/**
 * Ends every sign-in except keys and apps, which belong to companies. Returns the statements that log what ended and
 * add the new sign-in.
 */
async function endSignIns(
  send: Send,
  user: string,
  { next, session, staysUnclaimed = false, origin }: Claim,
  access: Pick<EndedAccess, 'keys' | 'apps'>,
): Promise<Sql[]> {
  await send([sql`select id from users where id = ${user} for no key update`])
  const [factors, sessions, passkeys, linked] = await send([
    sql<Pick<EndedAccess, 'hadPassword' | 'hadApp'>>`select u.password_hash is not null as "hadPassword",
      exists (select 1 from totp_secrets t where t.user_id = u.id and t.confirmed_at is not null) as "hadApp"
      from users u where u.id = ${user}`,
    sql<EndedAccess['sessions'][number]>`select device, network, created_at as since from sessions
      where user_id = ${user} and id is distinct from ${session ?? null}::uuid order by seen_at desc
      limit ${MAX_NAMED}`,
    sql<
      EndedAccess['passkeys'][number]
    >`select name, created_at as since from passkeys where user_id = ${user} order by created_at limit ${MAX_NAMED}`,
    sql<
      EndedAccess['linked'][number]
    >`select issuer, email from identities where user_id = ${user} order by created_at limit ${MAX_NAMED}`,
  ])
  await send([
    sql`update users set password_hash = ${typeof next === 'object' && 'hash' in next ? next.hash : null},
      unclaimed_since = case when ${staysUnclaimed} then moment_of(id) end where id = ${user}`,
    ...endSessionsOf(user),
    forgetBrowsersOf(user),
    endAccountLinksOf(user),
    dropMailsOf(user),
    ...deleteFactors(user),
    sql`delete from provider_requests where user_id = ${user}`,
    sql`delete from identities where user_id = ${user}`,
  ])
  return [
    ...(typeof next === 'object' && 'passkey' in next ? [insertPasskey(user, next.passkey, next.details)] : []),
    logAccountEvent({
      user,
      kind: 'account_started_over',
      origin,
      about: { ...onlyRow(factors), sessions: sessions.rows, passkeys: passkeys.rows, linked: linked.rows, ...access },
    }),
  ]
}

/** Returns what ended when a user claimed their account, and when; null if they never claimed it. */
export async function findEndedAccess(
  database: Database,
  user: string,
): Promise<(EndedAccess & { at: string }) | null> {
  const [row] = await rowsOf(
    database.send,
    sql<{ at: string; about: EndedAccess }>`select at, about from account_events
      where user_id = ${user} and kind = 'account_started_over' and about ? 'sessions'
      order by at desc, id desc limit 1`,
  )
  return row === undefined ? null : { ...row.about, at: row.at }
}
