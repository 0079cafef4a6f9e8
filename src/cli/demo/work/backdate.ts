import { raw } from '../../../platform/db/database.ts'
import { sql, writeTenant, type Database, type Db, type Sql } from '../../../platform/db/tenant.ts'

/**
 * Backdates the new records: visits booked before they were done, invoices sent when issued, notes and messages spread
 * over weeks. No time is in the future.
 */
export const backdateRecords = (database: Database, tenant: string): Promise<unknown> =>
  writeTenant(database, { tenant }, async (db) => {
    for (const table of TABLES) await backdateTable(db, table)
  })

/** Times to set in a table. `selectTimes` selects row ids and a value for each column. */
type DatedTable = { table: string; columns: readonly string[]; selectTimes: (tenant: string) => Sql }

/** Reads the times, then writes them, because a cluster can't compute them while it writes. */
async function backdateTable(db: Db, { table, columns, selectTimes }: DatedTable): Promise<void> {
  const rows = await db.all(selectTimes(db.tenant))
  const set = columns.map((name) => `${name} = d.${name}`).join(', ')
  const columnTypes = columns.map((name) => `${name} timestamptz`).join(', ')
  await db.run(sql`update ${raw(table)} r set ${raw(set)}
    from jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) as d(id uuid, ${raw(columnTypes)})
    where r.tenant_id = ${db.tenant} and r.id = d.id`)
}

/** Returns the time of day on a date in the company's time zone. */
const momentOn = (day: Sql, time: string): Sql => sql`((${day})::date + ${time}::time) at time zone t.timezone`

const TABLES: readonly DatedTable[] = [
  {
    table: 'customers',
    columns: ['created_at', 'updated_at'],
    selectTimes: (tenant) => sql`select id, at as created_at, at as updated_at from (
      select id, least(moment(), moment() - make_interval(days => case when status = 'lead' then 3 else 70 end
        + (row_number() over (order by display_name, id))::integer * case when status = 'lead' then 2 else 11
          end)) as at
      from customers where tenant_id = ${tenant}) d`,
  },
  {
    table: 'jobs',
    columns: ['created_at', 'completed_at', 'updated_at'],
    selectTimes: (
      tenant,
    ) => sql`select id, least(created_at, scheduled_start - interval '3 days 2 hours') as created_at,
      case when completed_at is not null then least(moment(), scheduled_end) end as completed_at,
      least(moment(),
        case when status = 'done' then scheduled_end else greatest(scheduled_start, created_at - interval '1 day')
          end) as updated_at
      from jobs where tenant_id = ${tenant} and scheduled_start < moment() and series_id is null`,
  },
  {
    table: 'payments',
    columns: ['at'],
    selectTimes: (tenant) => sql`select p.id, least(moment(), ${momentOn(sql`p.paid_on`, '10:05')}) as at
      from payments p join tenants t on t.id = p.tenant_id where p.tenant_id = ${tenant}`,
  },
  {
    table: 'invoices',
    columns: ['created_at', 'sent_at', 'paid_at', 'updated_at'],
    selectTimes: (
      tenant,
    ) => sql`select id, made as created_at, sent as sent_at, case when is_paid then paid end as paid_at,
        greatest(made, paid, sent) as updated_at from (
      select id, made, paid, is_paid, case when is_sent or paid is not null then made + interval '9 minutes' end as sent
      from (
        select i.id, i.sent_at is not null as is_sent, i.paid_at is not null as is_paid,
          least(moment() - interval '1 hour', ${momentOn(sql`i.issue_date`, '09:10')}) as made,
          (select max(p.at) from payments p where p.tenant_id = ${tenant} and p.invoice_id = i.id) as paid
        from invoices i join tenants t on t.id = i.tenant_id where i.tenant_id = ${tenant}) known) d`,
  },
  {
    table: 'quotes',
    columns: ['created_at', 'sent_at', 'accepted_at', 'declined_at', 'updated_at'],
    selectTimes: (
      tenant,
    ) => sql`select id, made as created_at, sent as sent_at, case when is_accepted then answered end as accepted_at,
        case when is_declined then answered end as declined_at,
        greatest(made, sent, case when is_accepted or is_declined then answered end) as updated_at
      from (select q.id, q.accepted_at is not null as is_accepted, q.declined_at is not null as is_declined,
          least(moment() - interval '2 hours', ${momentOn(sql`q.issue_date`, '10:15')}) as made,
          case
            when q.sent_at is not null then least(moment() - interval '1 hour', ${momentOn(sql`q.issue_date`, '10:40')})
            end as sent,
          least(moment(), ${momentOn(sql`q.issue_date + 2`, '18:20')}) as answered
        from quotes q join tenants t on t.id = q.tenant_id where q.tenant_id = ${tenant}) d`,
  },
  {
    table: 'notes',
    columns: ['created_at', 'updated_at'],
    selectTimes: (tenant) => sql`select id, at as created_at, at as updated_at from (
      select n.id,
        least(moment(),
          ${momentOn(sql`current_date - (2.3 * (count(*) over () - row_number() over (order by n.id)))::integer`, '15:10')}) as at
      from notes n join tenants t on t.id = n.tenant_id where n.tenant_id = ${tenant}) d`,
  },
  {
    // Last, because the audit takes its times from the records, which are already backdated.
    table: 'audit',
    columns: ['at'],
    selectTimes: (tenant) => sql`select a.id, case when a.tool like '%\\_create' then r.made
        when a.changed -> 'status' ->> 1 = 'sent' then coalesce(r.sent, r.last) else r.last end as at
      from audit a join (
        select tenant_id, id, created_at as made, null::timestamptz as sent, updated_at as last from customers
        where tenant_id = ${tenant}
        union all select tenant_id, id, created_at, null, updated_at from jobs where tenant_id = ${tenant}
        union all select tenant_id, id, created_at, sent_at, updated_at from invoices where tenant_id = ${tenant}
        union all select tenant_id, id, created_at, sent_at, updated_at from quotes where tenant_id = ${tenant}
        union all select tenant_id, id, created_at, null, updated_at from notes where tenant_id = ${tenant}
      ) r on r.tenant_id = a.tenant_id and r.id = a.record_id where a.tenant_id = ${tenant}`,
  },
]

/** Times a message arrived and was read. `message` is the provider's id. */
export type MessageTimes = { message: string; at: string; read_at: string | null }

/** Backdates incoming messages and their conversations. */
export const backdateMessages = (
  database: Database,
  tenant: string,
  times: readonly MessageTimes[],
): Promise<unknown> =>
  writeTenant(database, { tenant }, async (db) => {
    await db.run(sql`with d
        as (select *
          from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as d (message text, at timestamptz,
            read_at timestamptz))
      update communications c set occurred_at = d.at, created_at = d.at, updated_at = d.at, read_at = d.read_at
      from d where c.tenant_id = ${tenant} and c.provider_message_id = d.message`)
    await db.run(sql`update conversations v set created_at = c.first, last_at = c.last
      from (select conversation_id, min(occurred_at) as first, max(occurred_at) as last from communications
        where tenant_id = ${tenant} group by conversation_id) c
      where v.tenant_id = ${tenant} and v.id = c.conversation_id`)
  })
