import { auditChange } from '../../identity/audit.ts'
import { insertSelected, sql, type Db } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import type { DayRange } from '../../records/invoices/index.ts'
import { refusals } from './refusals.ts'

/** Task that emails the statements of runs. */
export const STATEMENT_TASK = 'statement_sending'

/** Maximum customers of a run, runs on a page, and customers listed per run. */
const [MAX_CUSTOMERS, MAX_RUNS, MAX_LISTED] = [5_000, 12, 200]

type SendingState = 'waiting' | 'sent' | 'skipped'
export type SkipReason = 'nothing_owed' | 'no_address' | 'opted_out' | 'archived' | 'already_sent' | 'stopped'

/** Statement run with its progress. */
export type StatementRun = DayRange & { id: string; created_by_name: string | null; created_at: string } & Record<
    SendingState,
    number
  >

/** One customer's statement in a run; a sent one has its message. */
export type StatementSending = {
  customer_id: string
  customer_name: string
  state: SendingState
  reason: SkipReason | null
  message_id: string | null
}

const selectOwing = (db: Db, { to }: DayRange) => sql`select i.customer_id, sum(i.balance_due_cents)::bigint as cents
  from invoices i where i.tenant_id = ${db.tenant} and i.status in ('sent', 'partially_paid')
    and i.balance_due_cents > 0 and i.issue_date <= ${to}
  group by i.customer_id`

/** Returns how many customers a run would write to, and how much they owe now. */
export const countOwing = (db: Db, range: DayRange): Promise<{ count: number; cents: number }> =>
  db.one(
    sql`select count(*)::integer as count, coalesce(sum(cents), 0)::bigint as cents from (${selectOwing(db, range)}) o`,
  )

/**
 * Starts a run for each customer who owes on an invoice from these days or earlier, and schedules its task. Refuses
 * while another run of the same days is under way.
 */
export async function startRun(db: Db, by: { user: string }, { from, to }: DayRange): Promise<string> {
  await db.run(sql`select pg_advisory_xact_lock(hashtext(${db.tenant}), hashtext('statement_runs'))`)
  const current = await db.maybe(sql`select from statement_sendings s
    where s.tenant_id = ${db.tenant} and s.state = 'waiting' and s.from_day = ${from} and s.to_day = ${to} limit 1`)
  if (current !== undefined) throw conflict(refusals.underWay())
  const id = newId()
  await db.run(sql`insert into statement_runs (tenant_id, id, from_day, to_day, created_by)
    values (${db.tenant}, ${id}, ${from}, ${to}, ${by.user})`)
  const customers = await db.all<{ customer_id: string }>(
    sql`select o.customer_id from (${selectOwing(db, { from, to })}) o order by o.customer_id limit ${MAX_CUSTOMERS}`,
  )
  if (customers.length === 0) throw conflict(refusals.nobodyOwes())
  const [sendingIds, customerIds] = [customers.map(() => newId()), customers.map(({ customer_id }) => customer_id)]
  await db.run(
    insertSelected(sql`insert into statement_sendings (tenant_id, id, run_id, customer_id, from_day, to_day, state)
      select ${db.tenant}, n.id, ${id}, n.customer, ${from}::date, ${to}::date, 'waiting'
      from unnest(${sendingIds}::uuid[], ${customerIds}::uuid[]) n (id, customer)`),
  )
  await db.run(sql`select ask_chore(${db.tenant}, ${STATEMENT_TASK})`)
  await db.run(
    auditChange(db.tenant, by, 'companies.send_statements', db.tenant, {
      customers: [null, customers.length],
      days: [null, `${from} ${to}`],
    }),
  )
  return id
}

/** Skips all statements that a run has not sent yet. */
export const stopRun = (db: Db, run: string): Promise<number> =>
  db.run(sql`update statement_sendings set state = 'skipped', reason = 'stopped', settled_at = moment()
    where tenant_id = ${db.tenant} and run_id = ${run} and state = 'waiting'`)

const selectRuns = (db: Db) => sql`select r.id, r.from_day as "from", r.to_day as "to", r.created_at,
    u.name as created_by_name, c.waiting, c.sent, c.skipped
  from statement_runs r left join users u on u.id = r.created_by
    cross join lateral (select (count(*) filter (where s.state = 'waiting'))::integer as waiting,
      (count(*) filter (where s.state = 'sent'))::integer as sent,
      (count(*) filter (where s.state = 'skipped'))::integer as skipped
      from statement_sendings s where s.tenant_id = ${db.tenant} and s.run_id = r.id) c
  where r.tenant_id = ${db.tenant}`

/** Returns the latest runs, newest first. */
export const listRuns = (db: Db): Promise<StatementRun[]> =>
  db.all<StatementRun>(sql`${selectRuns(db)} order by r.id desc limit ${MAX_RUNS}`)

export const findRun = (db: Db, id: string): Promise<StatementRun> =>
  db.present<StatementRun>(sql`${selectRuns(db)} and r.id = ${id}`, 'statement run')

/** Returns the customers of a run, skipped ones first. */
export const listSendings = (db: Db, run: string): Promise<StatementSending[]> =>
  db.all<StatementSending>(sql`select s.customer_id, c.display_name as customer_name, s.state, s.reason, s.message_id
    from statement_sendings s join customers c on c.tenant_id = s.tenant_id and c.id = s.customer_id
    where s.tenant_id = ${db.tenant} and s.run_id = ${run}
    order by s.state = 'skipped' desc, s.state = 'waiting' desc, c.display_name, s.id limit ${MAX_LISTED}`)
