import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { RateChoice } from '../line_items/columns.ts'
import { copyLines, orderLineFields } from '../line_items/line.ts'
import { addInvoice, type InvoiceStatus } from '../invoices/index.ts'
import { nextRunDate } from './dates.ts'
import { PLAN, type Plan } from './fields.ts'

const BATCH_SIZE = 200

const fromPlans = sql`plans p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
  left join locations l on l.tenant_id = p.tenant_id and l.id = p.location_id`

/** Returns a plan in any status, with its lines in order. */
export const findPlan = (db: Db, id: string): Promise<Plan> =>
  db
    .present<Plan>(
      sql`select ${PLAN.columns('p')} from ${fromPlans} where p.tenant_id = ${db.tenant} and p.id = ${id}`,
      'plan',
    )
    .then(orderLineFields)

/** Current values that a save of a plan depends on. */
export type PlanTerms = RateChoice & {
  customer_exempt: boolean
  customer_archived: boolean
  location_archived: boolean
}

/** Locks a plan until the transaction ends, its customer first, and returns it. */
export async function lockPlan(db: Db, id: string): Promise<{ before: Plan; terms: PlanTerms }> {
  const [, plan] = await Promise.all([
    db.run(sql`select id from customers
      where tenant_id = ${db.tenant}
        and id = (select customer_id from plans where tenant_id = ${db.tenant} and id = ${id})
      for no key update`),
    db
      .present<Plan & PlanTerms>(
        sql`
      select ${PLAN.columns('p')}, p.tax_rate_chosen, r.archived_at is not null as rate_archived,
        c.tax_exempt as customer_exempt, c.archived_at is not null as customer_archived,
        l.archived_at is not null as location_archived
      from ${fromPlans} left join tax_rates r on r.tenant_id = p.tenant_id and r.id = p.tax_rate_id
      where p.tenant_id = ${db.tenant} and p.id = ${id} for no key update of p`,
        'plan',
      )
      .then(orderLineFields),
  ])
  const { tax_rate_chosen, rate_archived, customer_exempt, customer_archived, location_archived, ...before } = plan
  return {
    before,
    terms: {
      tax_rate_id: before.tax_rate_id,
      tax_rate_chosen,
      rate_archived,
      customer_exempt,
      customer_archived,
      location_archived,
    },
  }
}

/** Returns the active plans of a customer, by name. */
export const activePlansOf = (db: Db, customer: string): Promise<Pick<Plan, 'id' | 'name'>[]> =>
  db.all(
    sql`select id, name from plans
      where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'active'
      order by name, id limit 5`,
  )

/** Returns the next plans, by id, with a run date on or before `day`. */
export const duePlans = (db: Db, day: string, after: string): Promise<{ id: string }[]> =>
  db.all(
    sql`select id from plans
      where tenant_id = ${db.tenant} and next_run_date <= ${day} and id > ${after}
      order by id limit ${BATCH_SIZE}`,
  )

/**
 * Runs a plan on each of its run dates up to `day`, once each, however often it is called. Drafts an invoice for each
 * date, unless the plan drafts none.
 */
export async function runPlan(db: Db, id: string, day: string): Promise<void> {
  const { before, terms } = await lockPlan(db, id)
  for (let plan = before; plan.next_run_date !== null && plan.next_run_date <= day;)
    plan = await runOnce(db, plan, terms, plan.next_run_date)
}

async function runOnce(db: Db, plan: Plan, terms: PlanTerms, run_date: string): Promise<Plan> {
  const invoice = plan.auto_invoice === 'draft' ? await addInvoice(db, null, invoiceDraft(plan, terms, run_date)) : null
  const progress = { last_run_date: run_date, runs_count: plan.runs_count + 1 }
  const next_run_date = nextRunDate({ ...plan, ...progress }, Temporal.PlainDate.from(run_date))
  await Promise.all([
    db.run(
      sql`insert into plan_runs ${values({
        tenant_id: db.tenant,
        plan_id: plan.id,
        run_date,
        invoice_id: invoice?.id ?? null,
      })}`,
    ),
    db.run(sql`update plans
      set last_run_date = ${run_date}, runs_count = ${progress.runs_count}, next_run_date = ${next_run_date},
      updated_at = later_than(updated_at), updated_by = null where tenant_id = ${db.tenant} and id = ${plan.id}`),
  ])
  return { ...plan, ...progress, next_run_date }
}

/** Returns the plan's lines and discount at current rates, at its location unless that is archived. */
const invoiceDraft = (plan: Plan, terms: PlanTerms, run_date: string) => ({
  customer_id: plan.customer_id,
  location_id: plan.location_id === null || terms.location_archived ? undefined : plan.location_id,
  subject: plan.name,
  issue_date: run_date,
  lines: copyLines(plan.line_items),
  discount: plan.discount,
  tax_rate_id: terms.tax_rate_chosen ? plan.tax_rate_id : undefined,
  is_rate_copied: true,
  plan: { id: plan.id, run_date },
})

/** Returns the name and status of a plan. */
export const findPlanName = (db: Db, id: string): Promise<Pick<Plan, 'id' | 'name' | 'status'> | undefined> =>
  db.maybe(sql`select id, name, status from plans where tenant_id = ${db.tenant} and id = ${id}`)

/** A past run date, and the invoice it drafted. */
type PlanRun = {
  run_date: string
  invoice_id: string | null
  display_number: string | null
  status: InvoiceStatus | null
  total_cents: number | null
}

/** Returns the latest past run dates, newest first. */
export const runsOf = (db: Db, id: string): Promise<PlanRun[]> =>
  db.all<PlanRun>(sql`select r.run_date, r.invoice_id, i.display_number, i.status, i.total_cents
    from plan_runs r left join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.tenant_id = ${db.tenant} and r.plan_id = ${id} order by r.run_date desc limit ${MAX_SHOWN}`)

const MAX_SHOWN = 50

/** Expires the plans whose last day is before `day` and that have no run left. Returns how many. */
export const expirePlans = (db: Db, day: string): Promise<number> =>
  db.run(sql`update plans set status = 'expired', updated_at = later_than(updated_at), updated_by = null
    where tenant_id = ${db.tenant} and status in ('active', 'paused') and next_run_date is null and end_date < ${day}`)
