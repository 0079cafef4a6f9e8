import { ENROLLMENT, SERVICE } from '../platform/leases/lease.ts'
import { rowsOf, onlyRow } from '../platform/db/sql.ts'
import { insertSelected, sendIn, sql, type Database, type Sql } from '../platform/db/tenant.ts'
import { SENDING_TASKS } from '../messaging/outbox/queue.ts'

/** Number of days over which failed messages are counted. */
export const FAILED_DAYS = 7

/** Message counts by state: `sent` within a day, `failed` and `uncertain` within seven days. */
export type MessageCounts = {
  waiting: number
  overdue: number
  failed: number
  uncertain: number
  held: number
  sent: number
  oldest_at: string | null
}

/** Size and load of a company. `changes` and `reads` are those of the last day. */
export type CompanyMeasures = MessageCounts & {
  tenant_id: string
  name: string
  members: number
  customers: number
  jobs: number
  changes: number
  reads: number
}

type Send = Database['send']

/** Maximum number of companies per turn whose messages are counted, and whose records are. */
const [MAX_COUNTED, MAX_SIZED] = [300, 30]

/** Maximum number of companies to list. */
const MAX_LISTED = 20

/** Counts messages by company: new companies first, then those with something to send, then the longest uncounted. */
export async function measureCompanies(send: Send): Promise<void> {
  const uncounted = await rowsOf(
    send,
    sql<{ id: string }>`select e.tenant_id as id from chore_leases e
      left join company_measures m on m.tenant_id = e.tenant_id
      where ${isListed}
      order by m.measured_at is null desc, e.tenant_id in (select tenant_id from chore_leases
          where ready_at is not null and chore = any(${Object.values(SENDING_TASKS)})) desc, m.measured_at
      limit ${MAX_COUNTED}`,
  )
  for (const { id } of uncounted) await sendIn(send, id, countMessagesOf(id))
  const unsized = await rowsOf(
    send,
    sql<{ id: string }>`select m.tenant_id as id from company_measures m
      where m.sized_at is null or m.sized_at < now() - interval '1 hour' order by m.sized_at nulls first
      limit ${MAX_SIZED}`,
  )
  for (const { id } of unsized) await sendIn(send, id, sizeOf(id))
  await send([
    sql`delete from company_measures
      where tenant_id not in (select tenant_id from chore_leases where chore = ${ENROLLMENT})`,
  ])
}

/** Counts the current messages of all companies, for the command line. */
export async function countAllMessages(send: Send): Promise<MessageCounts> {
  const [tenants] = await send([sql<{ id: string }>`select e.tenant_id as id from chore_leases e where ${isListed}`])
  const sum: MessageCounts = { waiting: 0, overdue: 0, failed: 0, uncertain: 0, held: 0, sent: 0, oldest_at: null }
  for (const { id } of tenants.rows) {
    const { rows } = await sendIn(send, id, sql<MessageCounts>`select ${counts} ${messagesToCount(id)}`)
    for (const row of rows) addCounts(sum, row)
  }
  return sum
}

function addCounts(sum: MessageCounts, row: MessageCounts): void {
  for (const state of ['waiting', 'overdue', 'failed', 'uncertain', 'held', 'sent'] as const) sum[state] += row[state]
  if (row.oldest_at !== null && (sum.oldest_at === null || row.oldest_at < sum.oldest_at)) sum.oldest_at = row.oldest_at
}

/** Returns the sums over all companies, and the busiest companies. */
export async function readCompanies(
  send: Send,
): Promise<{ messages: MessageCounts; count: number; busiest: CompanyMeasures[] }> {
  const [sums, busiest] = await send([
    sql<MessageCounts & { count: number }>`select count(*)::int as count,
      coalesce(sum(waiting), 0)::int as waiting, coalesce(sum(overdue), 0)::int as overdue,
      coalesce(sum(failed), 0)::int as failed, coalesce(sum(uncertain), 0)::int as uncertain,
      coalesce(sum(held), 0)::int as held, coalesce(sum(sent), 0)::int as sent, min(oldest_at) as oldest_at
      from company_measures`,
    sql<CompanyMeasures>`select tenant_id, name, waiting, overdue, failed, uncertain, held, sent, oldest_at, members,
      customers, jobs, changes, reads from company_measures
      order by changes + reads desc, customers + jobs desc, tenant_id limit ${MAX_LISTED}`,
  ])
  const { count, ...messages } = onlyRow(sums)
  return { messages, count, busiest: busiest.rows }
}

/** Matches the enrollment of a company that is not frozen. */
const isListed = sql`e.chore = ${ENROLLMENT} and e.tenant_id <> ${SERVICE}
  and e.tenant_id not in (select tenant_id from frozen_companies)`

const counts = sql`count(*) filter (where state in ('queued', 'attempting'))::int as waiting,
  count(*) filter (where state in ('queued', 'attempting') and next_at < now() - interval '1 hour')::int as overdue,
  count(*) filter (where state = 'failed')::int as failed,
  count(*) filter (where state = 'uncertain')::int as uncertain, count(*) filter (where state = 'held')::int as held,
  count(*) filter (where state in ('handed_over', 'delivered'))::int as sent,
  min(created_at) filter (where state = 'attempting' or (state = 'queued' and (attempts > 0 or next_at <= now())))
    as oldest_at`

const messagesToCount = (tenant: string): Sql => sql`from outbox
  where tenant_id = ${tenant} and (state in ('queued', 'attempting', 'held') or
    (state in ('failed', 'uncertain') and created_at > now() - make_interval(days => ${FAILED_DAYS})) or
    (state in ('handed_over', 'delivered') and created_at > now() - interval '1 day'))`

const countMessagesOf = (tenant: string): Sql =>
  insertSelected(sql`
  insert into company_measures
    (tenant_id, name, waiting, overdue, failed, uncertain, held, sent, oldest_at, measured_at)
  select t.id, t.name, c.waiting, c.overdue, c.failed, c.uncertain, c.held, c.sent, c.oldest_at, moment()
  from tenants t cross join (select ${counts} ${messagesToCount(tenant)}) c where t.id = ${tenant}
  on conflict (tenant_id) do update set name = excluded.name, waiting = excluded.waiting, overdue = excluded.overdue,
    failed = excluded.failed, uncertain = excluded.uncertain, held = excluded.held, sent = excluded.sent,
    oldest_at = excluded.oldest_at, measured_at = excluded.measured_at`)

const sizeOf = (tenant: string): Sql => sql`
  update company_measures set sized_at = moment(),
    members = (select count(*) from members where tenant_id = ${tenant}),
    customers = (select count(*) from customers where tenant_id = ${tenant}),
    jobs = (select count(*) from jobs where tenant_id = ${tenant}),
    changes = (select count(*) from audit where tenant_id = ${tenant} and at > now() - interval '1 day'),
    reads = (select coalesce(sum(reads), 0) from tool_uses
      where tenant_id = ${tenant} and day >= (now() - interval '1 day')::date)
  where tenant_id = ${tenant}`
