import type { Caller } from '../../identity/credentials/caller.ts'
import { join, sql, type Sql } from '../../platform/db/sql.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { redactEntry, type HistoryEntry } from '../../tools/call/history.ts'
import { isOlder, type HistoryPage } from './history_cursor.ts'

/** Change in a customer's history; `record_name` is null for changes of the customer itself. */
export type CustomerChange = HistoryEntry & { record_type: string; record_id: string; record_name: string | null }

/** Maximum records of each kind in a customer's history, the newest ones. Older ones show theirs on their own pages. */
const MAX_RECORDS = 100

/** Tables of records that are part of the customer. */
const CUSTOMER_TABLES = [
  { table: sql`contacts`, name: sql`coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email, phone)` },
  { table: sql`locations`, name: sql`coalesce(name, address_line1)` },
] as const

/** Tables of a customer's work, with the scope that each requires. */
const WORK_TABLES = [
  { area: 'read:jobs', table: sql`jobs`, name: sql`display_number || ' ' || title` },
  { area: 'read:quotes', table: sql`quotes`, name: sql`display_number` },
  { area: 'read:invoices', table: sql`invoices`, name: sql`display_number` },
  { area: 'read:job_series', table: sql`job_series`, name: sql`title` },
  { area: 'read:plans', table: sql`plans`, name: sql`name` },
] as const

/** Tool whose calls the history already shows as messages. */
const SEND_TOOL = 'messages.send'

/**
 * Returns everyone's changes to a customer, its contacts and its locations, and the changes by API keys and assistants
 * to its work, newest first. Contacts and locations created with the customer have no entry of their own.
 */
export async function listCustomerChanges(
  db: Db,
  caller: Caller,
  customer: string,
  page: HistoryPage,
): Promise<CustomerChange[]> {
  const work = WORK_TABLES.filter(({ area }) => caller.scopes.has(area)).map(
    ({ table, name }): Sql => sql`(select id, ${name} as name, true as is_work from ${table}
      where tenant_id = ${db.tenant} and customer_id = ${customer} order by created_at desc, id desc
      limit ${MAX_RECORDS})`,
  )
  const records = join(
    [
      sql`select ${customer}::uuid as id, null::text as name, false as is_work`,
      ...CUSTOMER_TABLES.map(
        ({ table, name }): Sql => sql`(select id, ${name}, false from ${table}
          where tenant_id = ${db.tenant} and customer_id = ${customer} order by created_at desc limit ${MAX_RECORDS})`,
      ),
      ...work,
    ],
    ' union all ',
  )
  const entries = await db.all<CustomerChange>(sql`
    with records as materialized (${records}),
    page as (
      select a.*, r.name as record_name, c.kind as credential_kind, c.name as credential_name
      from records r join audit a on a.tenant_id = ${db.tenant} and a.record_id = r.id
        left join credentials c on c.tenant_id = a.tenant_id and c.id = a.credential_id
      where (not r.is_work or c.kind <> 'browser') and a.tool <> ${SEND_TOOL}
        and (a.record_type not in ('contact', 'location') or a.tool not like 'customers.%')
        and ${isOlder(page, sql`a.at`, sql`a.id`)}
      order by a.at desc, a.id desc limit ${page.limit})
    select a.id, a.at, a.tool, a.user_id, u.name as user_name, a.credential_kind, a.credential_name, a.client,
      b.name as approved_by_name, a.changed, a.change_id, a.record_type, a.record_id, a.record_name,
      exists (select 1 from undone d
        where d.tenant_id = ${db.tenant} and d.change_id = a.change_id and d.stands) as is_undone
    from page a left join users u on u.id = a.user_id left join users b on b.id = a.approved_by
    order by a.at desc, a.id desc`)
  return entries.map((entry) => redactEntry(caller, entry))
}
