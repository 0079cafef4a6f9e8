import { createHash } from 'node:crypto'
import { rowsOf, insertSelected, sql, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { currentReader } from '../../../platform/i18n/reader.ts'
import { newId } from '../../../platform/validation/id.ts'
import { networkOf } from '../../addresses.ts'
import type { Origin } from '../account_events.ts'
import { isTrustedAddress, type AccountMailing } from './account_mail.ts'
import { requestSession, noticesOfRequest, rememberNotice } from './request_session.ts'
import { deviceIn } from '../device.ts'

/** Kinds of notices to a user about their account (docs/spec/accounts.md#notices). */
type NoticeKind =
  | 'new_key'
  | 'new_app'
  | 'member_app'
  | 'app_asked'
  | 'app_approved'
  | 'app_declined'
  | 'company_provider'
  | 'new_device'
  | 'password_changed'
  | 'password_reset'
  | 'reset_link'
  | 'address_changed'
  | 'second_factor_changed'
  | 'account_linked'
  | 'second_account'
  | 'member_second_account'
  | 'prove_address'

/** Details: names of keys, apps and devices as given, never a secret. */
type NoticeAbout = Readonly<Record<string, string | null>>

export type NewNotice = {
  user: string
  kind: NoticeKind
  about?: NoticeAbout
  /** Company that the notice names, in whose transaction it is queued. */
  tenant?: string
}

/** Maximum notices mailed to one address per day; further ones appear only on the page. */
const MAX_MAILS_A_DAY = 20

/**
 * Returns the statement that notifies a user, for the transaction of the event: by mail to a trusted address, and on
 * the page unless a mail server accepted it, except in the session that caused it. The same notice isn't repeated
 * within the hour, and users who never signed in get none, since they had no earlier state.
 */
export const notify = (input: NewNotice): Sql =>
  insertNotice(
    input,
    sql`exists (select 1 from account_events e where e.user_id = u.id and e.kind = 'signed_in')
    or exists (select 1 from sessions s where s.user_id = u.id)`,
  )

/** Notifies of a sign-in in a new browser, before the browser and the sign-in are recorded. */
export function notifyNewDevice(user: string, browser: string | null, { address, agent }: Origin): Sql {
  const hash = createHash('sha256')
    .update(browser ?? '')
    .digest()
  return insertNotice(
    { user, kind: 'new_device', about: { device: deviceIn(agent), network: networkOf(address) } },
    sql`(exists (select 1 from known_browsers b where b.user_id = u.id)
        or exists (select 1 from account_events e where e.user_id = u.id and e.kind = 'signed_in'))
      and not exists (select 1 from known_browsers b where b.user_id = u.id and b.hash = ${hash})
      and not exists (select 1 from account_events e where e.user_id = u.id and e.at > moment() - interval '1 hour'
        and e.kind in ('password_changed', 'password_reset', 'account_started_over'))`,
  )
}

/** Prompts a user once, at their first sign-in, to verify their address. */
export const promptEmailVerification = (user: string): Sql =>
  insertSelected(sql`
  insert into notices (id, user_id, kind)
  select ${newId()}::uuid, u.id, 'prove_address' from users u where u.id = ${user} and u.proved_at is null
    and not exists (select 1 from notices n where n.user_id = u.id and n.kind = 'prove_address')`)

function insertNotice({ user, kind, about = {}, tenant }: NewNotice, shouldNotify: Sql): Sql {
  const [id, mail, session] = [newId(), newId(), requestSession()]
  rememberNotice(id)
  const company =
    tenant === undefined
      ? sql`'{}'::jsonb`
      : sql`jsonb_build_object('company', (select name from tenants where id = ${tenant}))`
  return insertSelected(sql`
  with given as (select jsonb_strip_nulls(${JSON.stringify(about)}::jsonb || ${company}) as about),
  person as (
    select u.id, u.email, u.language, ${isTrustedAddress} as is_stood_for, g.about from users u cross join given g
    where u.id = ${user} and (${shouldNotify}) and not exists (
      select 1 from notices n
      where n.user_id = u.id and n.kind = ${kind} and n.about = g.about and n.at > moment() - interval '1 hour')),
  mailed as (
    insert into account_mails as mail (id, user_id, address, kind, language, about)
    select ${mail}::uuid, p.id, p.email, 'notice', coalesce(p.language, ${currentReader().language}),
      jsonb_build_object('notice', ${kind}::text, 'about', p.about)
    from person p where p.is_stood_for and ${MAX_MAILS_A_DAY} > (
      select count(*) from account_mails m
      where m.address = p.email and m.kind = 'notice' and m.created_at > moment() - interval '1 day')
    returning mail.id),
  elsewhere as (
    update notices n set session_id = null from users u, given g
    where u.id = ${user} and n.user_id = u.id and (${shouldNotify}) and n.kind = ${kind} and n.about = g.about
      and n.at > moment() - interval '1 hour' and n.session_id is distinct from ${session}::uuid)
  insert into notices (id, user_id, kind, about, mail_id, session_id)
  select ${id}::uuid, p.id, ${kind}::text, p.about, (select id from mailed), ${session}::uuid from person p`)
}

/**
 * Assigns a session that this request starts the notices of the request and of the session it continues: a new password
 * ends the session in which it was chosen.
 */
export const assignNotices = (user: string, { session, before }: { session: string; before: string | null }): Sql =>
  sql`update notices set session_id = ${session}
    where user_id = ${user} and (id = any(${[...noticesOfRequest()]}::uuid[]) or session_id = ${before}::uuid)`

/** Notice as a page shows it. */
export type AccountNotice = { id: string; kind: NoticeKind; about: NoticeAbout; at: string }

/** Maximum notices on one page. */
const MAX_LISTED = 50

/** Returns a user's newest notices that weren't mailed or dismissed, and that this session didn't cause. */
export async function listNotices(
  database: Database,
  { user, session }: { user: string; session: string },
  mailing: AccountMailing,
): Promise<AccountNotice[]> {
  const isMailed = mailing === 'sent'
  return rowsOf(
    database.send,
    sql<AccountNotice>`
    select n.id, n.kind, n.about, n.at from notices n join users u on u.id = n.user_id
    left join account_mails m on m.id = n.mail_id
    where n.user_id = ${user} and n.dismissed_at is null and n.session_id is distinct from ${session}::uuid
      and (n.kind <> 'prove_address' or (${isMailed} and u.proved_at is null))
      and (m.id is null or not ${isMailed} or m.state not in ('queued', 'attempting', 'handed_over'))
    order by n.at desc, n.id desc limit ${MAX_LISTED}`,
  )
}

/** Records that a user dismissed a notice. */
export const dismissNotice = async (database: Database, user: string, id: string): Promise<void> => {
  await database.send([
    sql`update notices set dismissed_at = moment() where user_id = ${user} and id = ${id} and dismissed_at is null`,
  ])
}
