import { insertSelected, sql, type Sql } from '../../../platform/db/tenant.ts'
import { currentReader, type Language } from '../../../platform/i18n/reader.ts'
import { newId } from '../../../platform/validation/id.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'

/** Kinds of mail that the installation itself sends to people (docs/spec/accounts.md#account-mail). */
type AccountMailKind = 'prove' | 'change_address' | 'reset' | 'invitation' | 'notice' | 'health' | 'company'

/**
 * Handling of mail to people: sent; kept for developers, who read it on the command line; or none, because a production
 * service has no mail server.
 */
export type AccountMailing = 'sent' | 'kept' | 'none'

export const accountMailing = (config: { mailServer: object | null; production: boolean }): AccountMailing =>
  config.mailServer !== null ? 'sent' : config.production ? 'none' : 'kept'

/**
 * Condition: the address of account `u` is trusted, because its user verified it or the operator vouches for it. Other
 * accounts belong to the company that created them, and no mail about them goes to their address.
 */
export const isTrustedAddress = sql`(u.proved_at is not null or u.vouched_at is not null or u.made_through is null)`

/** Mail in the queue. */
export type AccountMail = {
  id: string
  user_id: string | null
  address: string
  kind: AccountMailKind
  language: Language
  about: Readonly<Record<string, unknown>> | null
  attempts: number
  created_at: string
}

type NewAccountMail = {
  /** Null while it isn't known whether the address has an account. */
  user: string | null
  to: string
  kind: AccountMailKind
  about?: Readonly<Record<string, unknown>>
}

/**
 * Returns the statement that queues a mail, for the transaction it reports on, in the user's language or else the
 * reader's. Without a user there is no lookup: on a cluster, a lookup of null would queue nothing.
 */
export const queueMail = ({ user, to, kind, about = {} }: NewAccountMail): Sql =>
  insertSelected(sql`
  insert into account_mails (id, user_id, address, kind, language, about)
  select ${newId()}::uuid, ${user}::uuid, ${to}::text, ${kind}::text,
    ${user === null ? reader() : sql`coalesce((select language from users where id = ${user}), ${reader()})`},
    ${JSON.stringify(about)}::jsonb`)

const reader = (): Sql => sql`${currentReader().language}::text`

/** Counts mails of a kind to an address in the last day, in any state. */
export const countMailsToday = (kind: AccountMailKind, to: string): Sql<{ count: number }> => sql`
  select count(*)::int as count from account_mails
  where address = ${to} and kind = ${kind} and created_at > moment() - interval '1 day'`

/** Returns the mail that is longest overdue, without those already seen in this run. */
export const nextDueMail = (now: Temporal.Instant, seen: readonly string[]): Sql => sql`
  select ${columns} from account_mails
  where state = 'queued' and next_at <= ${utc(now)} and id <> all(${[...seen]}::uuid[]) order by next_at, id limit 1`

/**
 * Starts an attempt. Once this is committed, only the attempt's end can tell that the mail was not sent. Updates no row
 * if another run was faster.
 */
export const beginMailAttempt = ({ id, attempts }: AccountMail): Sql => sql`
  update account_mails set state = 'attempting', attempts = attempts + 1
  where id = ${id} and state = 'queued' and attempts = ${attempts}`

/** Final state of a mail. Only `kept` retains its content, for a day. */
type FinalMailState = 'handed_over' | 'uncertain' | 'failed' | 'kept'

/** Sets a mail's final state. A known result also replaces the state of a mail marked as interrupted. */
export const settleMail = ({ id }: Pick<AccountMail, 'id'>, state: FinalMailState, reply: string | null): Sql => sql`
  update account_mails
  set state = ${state}, reply = ${reply}, settled_at = moment(), about = case when ${state === 'kept'} then about end
  where id = ${id} and state in ('queued', 'attempting', 'uncertain')`

/** Hours after which a queued mail is abandoned. */
const MAX_AGE_HOURS = 24

/** Checks whether a mail is too old for another attempt. */
export const isPastMaxAge = ({ created_at }: AccountMail, at: Temporal.Instant): boolean =>
  Temporal.Instant.compare(at, Temporal.Instant.from(created_at).add({ hours: MAX_AGE_HOURS })) > 0

/** Reschedules a mail that was not sent. */
export const rescheduleMail = ({ id }: AccountMail, at: Temporal.Instant, reply: string): Sql => sql`
  update account_mails set state = 'queued', next_at = ${utc(at)}, reply = ${reply}
  where id = ${id} and state = 'attempting'`

/** Deletes queued mails with links that somebody requested in a user's name before the user claimed the account. */
export const dropMailsOf = (user: string): Sql =>
  sql`delete from account_mails where user_id = ${user} and state = 'queued' and kind in ('prove', 'change_address')`

/** Deletes a mail that no longer has anything to say, as if it had never been requested. */
export const dropMail = ({ id }: Pick<AccountMail, 'id'>): Sql =>
  sql`delete from account_mails where id = ${id} and state = 'queued'`

/**
 * Marks mails whose process ended during an attempt. Nobody knows whether they were sent, so they are never retried.
 */
export const markInterruptedMails = (): Sql => sql`
  update account_mails set state = 'uncertain', reply = 'interrupted', settled_at = moment(), about = null
  where state = 'attempting'`

/** Days that rows are kept, without their content. */
const RETENTION_DAYS = 90

/** Removes the content of kept mails after a day, and later the rows and their notices. */
export const sweepAccountMails = (): Sql[] => [
  sql`update account_mails set about = null
    where state = 'kept' and about is not null and created_at < moment() - make_interval(hours => ${MAX_AGE_HOURS})`,
  sql`delete from notices where at < moment() - make_interval(days => ${RETENTION_DAYS})`,
  sql`delete from account_mails where created_at < moment() - make_interval(days => ${RETENTION_DAYS})`,
]

/** Mail of the last 90 days, for the operator. */
export type AccountMailRow = AccountMail & { state: string; reply: string | null }

export const selectNewestMails = (limit: number): Sql =>
  sql`select ${columns}, state, reply from account_mails order by created_at desc, id desc limit ${limit}`

export const selectMail = (id: string): Sql => sql`select ${columns}, state, reply from account_mails where id = ${id}`

const columns = sql`id, user_id, address, kind, language, about, attempts, created_at`
