import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { RateChoice } from '../line_items/columns.ts'
import { copyLines, orderLineFields, type LineItem } from '../line_items/line.ts'
import type { Discount, DocumentPrice } from '../../money/document.ts'
import type { Cadence } from '../../recurrence/cadence.ts'
import { addInvoice, type InvoiceStatus } from '../invoices/index.ts'
import { nextRunDate } from './dates.ts'

export const STATUSES = ['active', 'paused', 'cancelled', 'expired'] as const
export type PlanStatus = (typeof STATUSES)[number]
export type AutoInvoice = 'draft' | 'none'

export type Plan = {
  id: string
  customer_id: string
  customer_name: string
  location_id: string | null
  location_address: string | null
  name: string
  description: string | null
  cadence: Cadence
  start_date: string
  end_date: string | null
  line_items: LineItem[]
  discount: Discount | null
  /** Tax rate of lines that name none. */
  tax_rate_id: string | null
  tax_exempt: boolean
  taxes: DocumentPrice['taxes']
  subtotal_cents: number
  discount_cents: number
  taxable_cents: number
  tax_cents: number
  total_cents: number
  currency: string
  auto_invoice: AutoInvoice
  status: PlanStatus
  next_run_date: string | null
  last_run_date: string | null
  runs_count: number
  cancelled_at: string | null
  cancel_reason: string | null
  created_at: string
  updated_at: string
  created_by: string | null
  updated_by: string | null
}

const AT_ONCE = 200

const columns = sql`p.id, p.customer_id, c.display_name as customer_name, p.location_id, l.formatted_address as location_address, p.name,
  p.description, p.cadence, p.start_date, p.end_date, p.line_items, p.discount, p.tax_rate_id, p.tax_exempt, p.taxes, p.subtotal_cents,
  p.discount_cents, p.taxable_cents, p.tax_cents, p.total_cents, p.currency, p.auto_invoice, p.status, p.next_run_date, p.last_run_date,
  p.runs_count, p.cancelled_at, p.cancel_reason, p.created_at, p.updated_at, p.created_by, p.updated_by`

const joined = sql`plans p join customers c on c.tenant_id = p.tenant_id and c.id = p.customer_id
  left join locations l on l.tenant_id = p.tenant_id and l.id = p.location_id`

/** Returns a plan in any status, with its lines in their order. */
export const findPlan = (db: Db, id: string): Promise<Plan> =>
  db
    .present<Plan>(sql`select ${columns} from ${joined} where p.tenant_id = ${db.tenant} and p.id = ${id}`, 'plan')
    .then(orderLineFields)

/** Holds what a save of a plan depends on, as it is now. */
export type PlanTerms = RateChoice & {
  customer_exempt: boolean
  customer_archived: boolean
  location_archived: boolean
}

/** Returns a plan that no other call changes until this one ends; its customer is locked before it. */
export async function lockPlan(db: Db, id: string): Promise<{ before: Plan; now: PlanTerms }> {
  const [, found] = await Promise.all([
    db.run(sql`select id from customers
      where tenant_id = ${db.tenant} and id = (select customer_id from plans where tenant_id = ${db.tenant} and id = ${id}) for no key update`),
    db
      .present<Plan & PlanTerms>(
        sql`
      select ${columns}, p.tax_rate_chosen, r.archived_at is not null as rate_archived, c.tax_exempt as customer_exempt,
        c.archived_at is not null as customer_archived, l.archived_at is not null as location_archived
      from ${joined} left join tax_rates r on r.tenant_id = p.tenant_id and r.id = p.tax_rate_id
      where p.tenant_id = ${db.tenant} and p.id = ${id} for no key update of p`,
        'plan',
      )
      .then(orderLineFields),
  ])
  const { tax_rate_chosen, rate_archived, customer_exempt, customer_archived, location_archived, ...before } = found
  return {
    before,
    now: {
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
    sql`select id, name from plans where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'active' order by name, id limit 5`,
  )

/** Returns the next plans, by id, that have a run date to make up for or to run on `day`. */
export const duePlans = (db: Db, day: string, after: string): Promise<{ id: string }[]> =>
  db.all(
    sql`select id from plans where tenant_id = ${db.tenant} and next_run_date <= ${day} and id > ${after} order by id limit ${AT_ONCE}`,
  )

/**
 * Runs a plan on each of its run dates up to `day`, once each, however often it is called: a draft for each date, or
 * none if it makes none.
 */
export async function runPlan(db: Db, id: string, day: string): Promise<void> {
  const { before, now } = await lockPlan(db, id)
  for (let plan = before; plan.next_run_date !== null && plan.next_run_date <= day;)
    plan = await runOnce(db, plan, now, plan.next_run_date)
}

async function runOnce(db: Db, plan: Plan, now: PlanTerms, run_date: string): Promise<Plan> {
  const invoice = plan.auto_invoice === 'draft' ? await addInvoice(db, null, draftOf(plan, now, run_date)) : null
  const ran = { last_run_date: run_date, runs_count: plan.runs_count + 1 }
  const next_run_date = nextRunDate({ ...plan, ...ran }, Temporal.PlainDate.from(run_date))
  await Promise.all([
    db.run(
      sql`insert into plan_runs ${values({ tenant_id: db.tenant, plan_id: plan.id, run_date, invoice_id: invoice?.id ?? null })}`,
    ),
    db.run(sql`update plans set last_run_date = ${run_date}, runs_count = ${ran.runs_count}, next_run_date = ${next_run_date},
      updated_at = later_than(updated_at), updated_by = null where tenant_id = ${db.tenant} and id = ${plan.id}`),
  ])
  return { ...plan, ...ran, next_run_date }
}

/** Returns the plan's lines and discount, taxed by the rates of now, at its location while that is live. */
const draftOf = (plan: Plan, now: PlanTerms, run_date: string) => ({
  customer_id: plan.customer_id,
  location_id: plan.location_id === null || now.location_archived ? undefined : plan.location_id,
  subject: plan.name,
  issue_date: run_date,
  lines: copyLines(plan.line_items),
  discount: plan.discount,
  tax_rate_id: now.tax_rate_chosen ? plan.tax_rate_id : undefined,
  is_rate_copied: true,
  plan: { id: plan.id, run_date },
})

/** Returns what a plan is called. */
export const findPlanName = (db: Db, id: string): Promise<Pick<Plan, 'id' | 'name' | 'status'> | undefined> =>
  db.maybe(sql`select id, name, status from plans where tenant_id = ${db.tenant} and id = ${id}`)

/** Describes a run date that has come, and the invoice it made. */
export type PlanRun = {
  run_date: string
  invoice_id: string | null
  display_number: string | null
  status: InvoiceStatus | null
  total_cents: number | null
}

/** Returns the last run dates that have come, newest first. */
export const runsOf = (db: Db, id: string): Promise<PlanRun[]> =>
  db.all<PlanRun>(sql`select r.run_date, r.invoice_id, i.display_number, i.status, i.total_cents
    from plan_runs r left join invoices i on i.tenant_id = r.tenant_id and i.id = r.invoice_id
    where r.tenant_id = ${db.tenant} and r.plan_id = ${id} order by r.run_date desc limit ${MAX_SHOWN}`)

const MAX_SHOWN = 50

/** Ends the plans whose last day is before `day` and that have nothing left to run; returns how many. */
export const expirePlans = (db: Db, day: string): Promise<number> =>
  db.run(sql`update plans set status = 'expired', updated_at = later_than(updated_at), updated_by = null
    where tenant_id = ${db.tenant} and status in ('active', 'paused') and next_run_date is null and end_date < ${day}`)
