import { sql, writeTenant, type Database, type Sql } from '../../db/tenant.ts'

/**
 * Puts what was made just now on the days that it tells of: visits were booked before they were done, invoices sent when
 * they were issued, notes and messages written over the weeks. Nothing is put into the future.
 */
export const putOnItsDays = (database: Database, tenant: string): Promise<unknown> =>
  writeTenant(database, { tenant }, async (db) => {
    for (const statement of [...RECORDS, ...HISTORY]) await db.run(statement(db.tenant))
  })

/** Returns a moment of a day on the company's clocks. */
const at = (day: Sql, time: string): Sql => sql`((${day})::date + ${time}::time) at time zone t.timezone`

const RECORDS: readonly ((tenant: string) => Sql)[] = [
  (tenant) => sql`update customers c set created_at = d.at, updated_at = d.at from (
      select id, least(moment(), moment() - make_interval(days => case when status = 'lead' then 3 else 70 end
        + (row_number() over (order by display_name, id))::integer * case when status = 'lead' then 2 else 11 end)) as at
      from customers where tenant_id = ${tenant}) d where c.tenant_id = ${tenant} and c.id = d.id`,
  (tenant) => sql`update jobs set
      created_at = least(created_at, scheduled_start - interval '3 days 2 hours'),
      completed_at = case when completed_at is not null then least(moment(), scheduled_end) end,
      updated_at = least(moment(), case when status = 'done' then scheduled_end else greatest(scheduled_start, created_at - interval '1 day') end)
    where tenant_id = ${tenant} and scheduled_start < moment() and series_id is null`,
  (tenant) => sql`update payments p set at = least(moment(), ${at(sql`p.paid_on`, '10:05')})
    from tenants t where p.tenant_id = ${tenant} and t.id = p.tenant_id`,
  (tenant) => sql`update invoices i set created_at = d.made,
      sent_at = case when i.sent_at is not null or d.paid is not null then d.made + interval '9 minutes' end,
      paid_at = case when i.paid_at is not null then d.paid end,
      updated_at = greatest(d.made, d.paid, case when i.sent_at is not null then d.made + interval '9 minutes' end)
    from (select i.id, least(moment() - interval '1 hour', ${at(sql`i.issue_date`, '09:10')}) as made,
        (select max(p.at) from payments p where p.tenant_id = i.tenant_id and p.invoice_id = i.id) as paid
      from invoices i join tenants t on t.id = i.tenant_id where i.tenant_id = ${tenant}) d
    where i.tenant_id = ${tenant} and i.id = d.id`,
  (tenant) => sql`update quotes q set created_at = d.made, sent_at = case when q.sent_at is not null then d.sent end,
      accepted_at = case when q.accepted_at is not null then d.answered end,
      declined_at = case when q.declined_at is not null then d.answered end,
      updated_at = greatest(d.made, case when q.sent_at is not null then d.sent end,
        case when q.accepted_at is not null or q.declined_at is not null then d.answered end)
    from (select q.id, least(moment() - interval '2 hours', ${at(sql`q.issue_date`, '10:15')}) as made,
        least(moment() - interval '1 hour', ${at(sql`q.issue_date`, '10:40')}) as sent,
        least(moment(), ${at(sql`q.issue_date + 2`, '18:20')}) as answered
      from quotes q join tenants t on t.id = q.tenant_id where q.tenant_id = ${tenant}) d
    where q.tenant_id = ${tenant} and q.id = d.id`,
  (tenant) => sql`update notes n set created_at = d.at, updated_at = d.at from (
      select n.id, least(moment(), ${at(sql`current_date - (2.3 * (count(*) over () - row_number() over (order by n.id)))::integer`, '15:10')}) as at
      from notes n join tenants t on t.id = n.tenant_id where n.tenant_id = ${tenant}) d
    where n.tenant_id = ${tenant} and n.id = d.id`,
]

/** Puts the history of a record on the days of the record. */
const HISTORY: readonly ((tenant: string) => Sql)[] = [
  (tenant) => sql`update audit a set at = case when a.tool like '%\\_create' then r.made
      when a.changed -> 'status' ->> 1 = 'sent' then coalesce(r.sent, r.last) else r.last end
    from (
      select id, created_at as made, null::timestamptz as sent, updated_at as last from customers where tenant_id = ${tenant}
      union all select id, created_at, null, updated_at from jobs where tenant_id = ${tenant}
      union all select id, created_at, sent_at, updated_at from invoices where tenant_id = ${tenant}
      union all select id, created_at, sent_at, updated_at from quotes where tenant_id = ${tenant}
      union all select id, created_at, null, updated_at from notes where tenant_id = ${tenant}
    ) r where a.tenant_id = ${tenant} and a.record_id = r.id`,
]
