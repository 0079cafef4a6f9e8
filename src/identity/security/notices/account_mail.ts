import { insertSelected, sql, type Sql } from '../../../platform/db/tenant.ts'
import { currentReader, type Language } from '../../../platform/i18n/reader.ts'
import { newId } from '../../../platform/validation/id.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'

/** Names what the installation itself writes to people (docs/spec/accounts.md#account-mail). */
type AccountMailKind = 'prove' | 'change_address' | 'reset' | 'invitation' | 'notice' | 'health' | 'company'

/**
 * What happens to mail to people: it is sent; it is kept for developers, who read it on the command line; or there is
 * none, because a production service has no mail server.
 */
export type AccountMailing = 'sent' | 'kept' | 'none'

export const accountMailing = (config: { mailServer: object | null; production: boolean }): AccountMailing =>
  config.mailServer !== null ? 'sent' : config.production ? 'none' : 'kept'

/**
 * Holds for an account `u` whose address somebody stands for: its person, who proved it, or the operator. Others are
 * the own ones of the company that made them, and nothing goes to their address that tells of them.
 */
export const isTrustedAddress = sql`(u.proved_at is not null or u.vouched_at is not null or u.made_through is null)`

/** Describes a mail that waits. */
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
  /** Null until it is known whether the address has an account. */
  user: string | null
  to: string
  kind: AccountMailKind
  about?: Readonly<Record<string, unknown>>
}

/**
 * Returns the statement that queues a mail, for the transaction of what it tells of; in the person's language, else in
 * the reader's. Nobody is looked up where nobody is known: a cluster that looks for null queues nothing.
 */
export const queueMail = ({ user, to, kind, about = {} }: NewAccountMail): Sql =>
  insertSelected(sql`
  insert into account_mails (id, user_id, address, kind, language, about)
  select ${newId()}::uuid, ${user}::uuid, ${to}::text, ${kind}::text,
    ${user === null ? reader() : sql`coalesce((select language from users where id = ${user}), ${reader()})`},
    ${JSON.stringify(about)}::jsonb`)

const reader = (): Sql => sql`${currentReader().language}::text`

/** Counts mails of a kind to an address within a day, whatever became of them. */
export const countMailsToday = (kind: AccountMailKind, to: string): Sql<{ count: number }> => sql`
  select count(*)::int as count from account_mails
  where address = ${to} and kind = ${kind} and created_at > moment() - interval '1 day'`

/** Returns the mail that has been due longest, but for those seen in this turn. */
export const nextDueMail = (now: Temporal.Instant, seen: readonly string[]): Sql => sql`
  select ${columns} from account_mails
  where state = 'queued' and next_at <= ${utc(now)} and id <> all(${[...seen]}::uuid[]) order by next_at, id limit 1`

/**
 * Begins an attempt: from its commit on, only its end says that the mail was not sent. It touches no row when another
 * turn was faster.
 */
export const beginMailAttempt = ({ id, attempts }: AccountMail): Sql => sql`
  update account_mails set state = 'attempting', attempts = attempts + 1
  where id = ${id} and state = 'queued' and attempts = ${attempts}`

/** Holds how a mail may end; `kept` alone leaves what it says, for a day. */
type FinalMailState = 'handed_over' | 'uncertain' | 'failed' | 'kept'

/** Ends a mail; what is known in the end is known, also of one that seemed interrupted. */
export const settleMail = ({ id }: Pick<AccountMail, 'id'>, state: FinalMailState, reply: string | null): Sql => sql`
  update account_mails
  set state = ${state}, reply = ${reply}, settled_at = moment(), about = case when ${state === 'kept'} then about end
  where id = ${id} and state in ('queued', 'attempting', 'uncertain')`

/** Hours after which a queued mail is given up. */
const MAX_AGE_HOURS = 24

/** Checks whether a mail waited too long for another attempt. */
export const isPastPatience = ({ created_at }: AccountMail, at: Temporal.Instant): boolean =>
  Temporal.Instant.compare(at, Temporal.Instant.from(created_at).add({ hours: MAX_AGE_HOURS })) > 0

/** Has a mail that was not sent tried again at a moment. */
export const tryMailAgain = ({ id }: AccountMail, at: Temporal.Instant, reply: string): Sql => sql`
  update account_mails set state = 'queued', next_at = ${utc(at)}, reply = ${reply}
  where id = ${id} and state = 'attempting'`

/** Takes back mails with links that somebody asked for as a person, before that person claimed the account. */
export const dropMailsOf = (user: string): Sql =>
  sql`delete from account_mails where user_id = ${user} and state = 'queued' and kind in ('prove', 'change_address')`

/** Takes back a mail that has nothing to say any more, as though nobody had asked for it. */
export const dropMail = ({ id }: Pick<AccountMail, 'id'>): Sql =>
  sql`delete from account_mails where id = ${id} and state = 'queued'`

/**
 * Marks what was being attempted by a process that is gone: nobody knows whether it was sent, so it never goes again.
 */
export const markInterruptedMails = (): Sql => sql`
  update account_mails set state = 'uncertain', reply = 'interrupted', settled_at = moment(), about = null
  where state = 'attempting'`

/** Days for which rows are kept, without their content. */
const KEPT_DAYS = 90

/** Removes what kept mails say after a day, then the rows themselves, with the notices that they carried. */
export const sweepAccountMails = (): Sql[] => [
  sql`update account_mails set about = null
    where state = 'kept' and about is not null and created_at < moment() - make_interval(hours => ${MAX_AGE_HOURS})`,
  sql`delete from notices where at < moment() - make_interval(days => ${KEPT_DAYS})`,
  sql`delete from account_mails where created_at < moment() - make_interval(days => ${KEPT_DAYS})`,
]

/** Describes a mail of the last 90 days, for the operator. */
export type AccountMailRow = AccountMail & { state: string; reply: string | null }

/** Lists the newest mails. */
export const selectNewestMails = (most: number): Sql =>
  sql`select ${columns}, state, reply from account_mails order by created_at desc, id desc limit ${most}`

export const selectMail = (id: string): Sql => sql`select ${columns}, state, reply from account_mails where id = ${id}`

const columns = sql`id, user_id, address, kind, language, about, attempts, created_at`
