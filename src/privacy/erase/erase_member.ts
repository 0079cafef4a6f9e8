import { deleteAppRequests } from '../../identity/apps/requests.ts'
import { auditChange } from '../../identity/audit.ts'
import { raw } from '../../platform/db/database.ts'
import { insertSelected, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { recordErasure } from '../tombstones.ts'
import type { ErasureCounts } from './erase_customer.ts'
import { UUID_PATTERN, NAMES_OF_CHANGED } from './retention_rule.ts'
import { refusals } from './refusals.ts'

/** Name given to an erased member. */
const FORMER_MEMBER = 'Former member'

/** Options for erasing a member. `at` is the time of an erasure that a backup undid; they needn't have left. */
type MemberErasureOptions = { by: string | null; at?: string }

type DepartedMember = { email: string; name: string; deactivated_at: string | null; is_elsewhere: boolean }

/**
 * Erases a member who left: their name and address, keys, hours and apps in this company. An account used by this
 * company alone is emptied; an account shared with others is replaced in every row of this company
 * (docs/spec/erasure.md#a-member). Their text about customers stays, attributed to a former member.
 */
export async function eraseMember(
  db: Db,
  user: string,
  { by, at }: MemberErasureOptions,
): Promise<{ counts: ErasureCounts }> {
  const member = await findDepartedMember(db, user, { hold: true })
  if (at !== undefined) await endMembership(db, user)
  else if (member.deactivated_at === null) throw conflict(refusals.member())
  const counts = await countMemberRecords(db, user)
  await forgetMember(db, user, member.email)
  await forgetNotices(db, member)
  if (member.is_elsewhere) await replaceUser(db, user, await createPlaceholderUser(db, user))
  else await emptyAccount(db, user)
  await forgetChanges(db, user)
  await recordErasure(db, { kind: 'member', subject: user, by, keepUntil: null, counts, at })
  await db.run(
    auditChange(
      db.tenant,
      by === null ? null : { user: by },
      'members.erase',
      user,
      Object.fromEntries(Object.entries(counts).map(([kind, count]) => [kind, [count, 0]])),
    ),
  )
  return { counts }
}

/** Returns a member, active or not, and whether their account is used elsewhere. */
export const findDepartedMember = (db: Db, user: string, { hold = false } = {}): Promise<DepartedMember> =>
  db.present<DepartedMember>(
    sql`select u.email, u.name, m.deactivated_at,
        (select count(*) > 0 from user_tenants o where o.user_id = ${user} and o.tenant_id <> ${db.tenant})
          or exists (select 1 from operators o where o.user_id = u.id) as is_elsewhere
      from members m join users u on u.id = m.user_id
      where m.tenant_id = ${db.tenant} and m.user_id = ${user} ${hold ? sql`for update of m` : sql``}`,
    'member',
  )

/** Counts the records a member leaves behind. */
export async function countMemberRecords(db: Db, user: string): Promise<ErasureCounts> {
  const [notes, auditEntries, keys, jobs] = await Promise.all([
    db.one<{ count: number }>(
      sql`select count(*)::int as count from notes where tenant_id = ${db.tenant} and created_by = ${user}`,
    ),
    db.one<{ count: number }>(
      sql`select count(*)::int as count from audit where tenant_id = ${db.tenant} and user_id = ${user}`,
    ),
    db.one<{ count: number }>(
      sql`select count(*)::int as count
        from credentials
        where tenant_id = ${db.tenant} and user_id = ${user} and kind <> 'browser'`,
    ),
    db.one<{ count: number }>(
      sql`select count(*)::int as count from job_assignees where tenant_id = ${db.tenant} and user_id = ${user}`,
    ),
  ])
  return { notes: notes.count, deeds: auditEntries.count, keys: keys.count, jobs: jobs.count }
}

async function endMembership(db: Db, user: string): Promise<void> {
  await db.run(
    sql`update members set deactivated_at = moment()
      where tenant_id = ${db.tenant} and user_id = ${user} and deactivated_at is null`,
  )
}

type IdRow = { id: string }
const idsOf = (rows: readonly IdRow[]): string[] => rows.map(({ id }) => id)

/** Deletes the records that are theirs alone, and removes their name from stored changes. */
async function forgetMember(db: Db, user: string, email: string): Promise<void> {
  await db.run(sql`delete from oauth_records where authorization_id in (
    select id from oauth_authorizations where tenant_id = ${db.tenant} and user_id = ${user})`)
  await db.run(sql`delete from oauth_authorizations where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from oauth_grants where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(deleteAppRequests(db.tenant, user))
  await db.run(sql`delete from company_identities where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`update company_providers set tried = tried - 'subject' - 'email' || '{"subject": "", "email": null}'
    where tenant_id = ${db.tenant} and tried ->> 'user' = ${user}`)
  const keys = await db.all<IdRow>(sql`select id from credentials where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(
    sql`delete from key_hashes where tenant_id = ${db.tenant} and credential_id = any(${idsOf(keys)}::uuid[])`,
  )
  await db.run(sql`update credentials
    set name = ${FORMER_MEMBER}, revoked_at = coalesce(revoked_at, moment_of(tenant_id))
    where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from session_uses where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from push_devices where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from assistant_conversations where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from catalog_favorites where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from list_columns where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from saved_views where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from working_weeks where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from working_exceptions where tenant_id = ${db.tenant} and user_id = ${user}`)
  const invited = await db.all<IdRow>(
    sql`delete from invitations where tenant_id = ${db.tenant} and email = ${email} returning id`,
  )
  await db.run(
    sql`delete from invitation_hashes
      where tenant_id = ${db.tenant} and invitation_id = any(${idsOf(invited)}::uuid[])`,
  )
  await db.run(
    sql`delete from imports
      where tenant_id = ${db.tenant} and user_id = ${user} and state not in ('running', 'taking_back')`,
  )
  await db.run(sql`update audit set changed = ${NAMES_OF_CHANGED}
    where tenant_id = ${db.tenant}
      and (record_id = ${user} or position(${user} in changed::text) > 0 or position(${email} in changed::text) > 0)`)
  await db.run(sql`delete from proposals where tenant_id = ${db.tenant} and id in (
    select proposal_id from proposed_calls
    where tenant_id = ${db.tenant}
      and position(${user} in given || coalesce(given_before, '') || result || written) > 0)`)
  await db.run(sql`delete from idempotency_keys where tenant_id = ${db.tenant}
    and exists (select 1 from regexp_matches(answer, ${UUID_PATTERN}, 'g') found where found[1] = ${user})`)
}

/**
 * Deletes email to their address, and removes their name from notices to others in the company. Other companies'
 * notices stay.
 */
async function forgetNotices(db: Db, { email, name, is_elsewhere }: DepartedMember): Promise<void> {
  const company = (await db.one<{ name: string }>(sql`select name from tenants where id = ${db.tenant}`)).name
  const others = (
    await db.all<{ user_id: string }>(sql`select user_id from members where tenant_id = ${db.tenant}`)
  ).map(({ user_id }) => user_id)
  const aboutMember = (about: Sql): Sql => sql`user_id = any(${others}::uuid[]) and ${about} ->> 'person' = ${name}
    and (${!is_elsewhere} or ${about} ->> 'company' = ${company})`
  await db.run(sql`delete from account_mails where user_id is null and address = ${email}
    and (${!is_elsewhere} or about ->> 'tenant' = ${db.tenant})`)
  await db.run(sql`update account_mails
    set about = jsonb_set(about, '{about,person}', ${JSON.stringify(FORMER_MEMBER)}::jsonb)
    where ${aboutMember(sql`about -> 'about'`)}`)
  await db.run(sql`update notices set about = jsonb_set(about, '{person}', ${JSON.stringify(FORMER_MEMBER)}::jsonb)
    where ${aboutMember(sql`about`)}`)
}

/** Deletes the journaled earlier versions of rows that mention them, including the changes of this erasure. */
const forgetChanges = (db: Db, user: string): Promise<number> =>
  db.run(sql`delete from journal where tenant_id = ${db.tenant}
    and (position(${user} in key) > 0 or position(${user} in image::text) > 0)`)

/** Empties the account. Its id stays where it is referenced. */
async function emptyAccount(db: Db, user: string): Promise<void> {
  await db.run(sql`update users
    set name = ${FORMER_MEMBER}, email = ${placeholderAddress(user)}, password_hash = null, language = null,
    proved_at = null, vouched_at = null where id = ${user}`)
  for (const { table, column } of await ownTables(db))
    await db.run(sql`delete from ${raw(table)} where ${raw(`"${column}"`)} = ${user}`)
}

/** Lists the tables whose rows are deleted with their account, read from the schema. */
const ownTables = (db: Db): Promise<{ table: string; column: string }[]> =>
  db.all(sql`
    select c.conrelid::regclass::text as table, a.attname as column
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.confrelid = 'users'::regclass and c.confdeltype = 'c' order by 1`)

/** Returns an address that can't exist (RFC 2606 2). */
const placeholderAddress = (id: string): string => `${id}@erased.invalid`

/** Creates an anonymous user who left the company when the member did. */
async function createPlaceholderUser(db: Db, user: string): Promise<string> {
  const placeholder = newId()
  await db.run(
    sql`insert into users (id, email, name, made_through)
      values (${placeholder}, ${placeholderAddress(placeholder)}, ${FORMER_MEMBER}, ${db.tenant})`,
  )
  await db.run(
    insertSelected(sql`insert into members (tenant_id, user_id, role, ceiling, created_at, deactivated_at)
    select tenant_id, ${placeholder}, role, ceiling, created_at, deactivated_at
    from members
    where tenant_id = ${db.tenant} and user_id = ${user}`),
  )
  return placeholder
}

type UserColumn = { table: string; column: string; is_list: boolean }

/** Replaces a user in every column of this company's rows, read from the schema, and unlinks the account. */
async function replaceUser(db: Db, user: string, placeholder: string): Promise<void> {
  const columns = await db.all<UserColumn>(sql`
    select c.relname as table, a.attname as column, a.atttypid = 'uuid[]'::regtype as is_list
    from pg_class c
      join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
      and a.atttypid in ('uuid'::regtype, 'uuid[]'::regtype)
      and a.attname not in ('tenant_id', 'id') and c.relname not in ('members', 'user_tenants', 'erasures')
      and exists (select 1 from pg_attribute t
        where t.attrelid = c.oid and t.attname = 'tenant_id' and not t.attisdropped)
    order by c.relname = 'job_assignees', c.relname, a.attname`)
  for (const { table, column, is_list } of columns) {
    const columnName = raw(`"${column}"`)
    await db.run(
      is_list
        ? sql`update ${raw(table)} set ${columnName} = array_replace(${columnName}, ${user}::uuid, ${placeholder}::uuid)
          where tenant_id = ${db.tenant} and ${user}::uuid = any(${columnName})`
        : sql`update ${raw(table)} set ${columnName} = ${placeholder}
          where tenant_id = ${db.tenant} and ${columnName} = ${user}`,
    )
  }
  await db.run(sql`delete from members where tenant_id = ${db.tenant} and user_id = ${user}`)
  await db.run(sql`delete from user_tenants where tenant_id = ${db.tenant} and user_id = ${user}`)
}
