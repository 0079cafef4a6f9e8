import type { Caller } from '../../identity/credentials/caller.ts'
import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { toDocumentColumns } from '../line_items/columns.ts'
import type { LineDraft } from '../line_items/inputs.ts'
import { priceLines } from '../line_items/price.ts'
import { resolveLines } from '../line_items/resolve.ts'
import { newId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { engageCustomer, lockCustomer } from '../customers/index.ts'
import { locationFor } from '../locations/index.ts'
import { requireLiveRate } from '../tax_rates/index.ts'
import { nextRunDate } from './dates.ts'
import { findPlan, type Plan } from './plan.ts'

/** Describes a new plan; what is undefined takes its default, null is nothing. */
export type NewPlan = Pick<Plan, 'customer_id' | 'name' | 'cadence' | 'start_date'> & {
  line_items: readonly LineDraft[]
} & {
  [Name in 'location_id' | 'description' | 'end_date' | 'discount' | 'tax_rate_id' | 'auto_invoice']?:
    | Plan[Name]
    | undefined
}

/** Adds an active plan. With a start in the past, the run dates before today are not made up for. */
export async function addPlan(db: Db, { user, tenant }: Caller, given: NewPlan): Promise<Plan> {
  const {
    customer_id,
    name,
    description = null,
    cadence,
    start_date,
    end_date = null,
    discount,
    tax_rate_id,
    auto_invoice = 'draft',
  } = given
  const [customer, lines, location_id] = await Promise.all([
    lockCustomer(db, customer_id),
    resolveLines(db, given.line_items),
    locationFor(db, customer_id, given.location_id, ['service']),
    requireLiveRate(db, tax_rate_id),
  ])
  const { tax_exempt } = customer
  const document = await priceLines(db, { lines, discount, tax_rate_id, location_id, tax_exempt, taxed: true })
  const today = todayIn(tenant.timezone)
  const next_run_date = nextRunDate({ cadence, start_date, end_date, last_run_date: null }, today)
  const id = newId()
  const writes = [
    db.run(
      sql`insert into plans ${values({
        tenant_id: db.tenant,
        id,
        customer_id,
        location_id,
        name,
        description,
        cadence,
        start_date,
        end_date,
        ...toDocumentColumns(document),
        tax_rate_chosen: tax_rate_id !== undefined,
        tax_exempt,
        currency: tenant.currency,
        auto_invoice,
        status: 'active',
        next_run_date,
        created_by: user,
        updated_by: user,
      })}`,
    ),
    ...(customer.status === 'lead' ? [engageCustomer(db, customer_id)] : []),
    requestRuns(db, next_run_date, today),
  ]
  const [plan] = await Promise.all([findPlan(db, id), ...writes])
  return plan
}

/** Asks for a run date that has come to be run now, not tomorrow morning. */
export const requestRuns = async (db: Db, next: string | null, today: Temporal.PlainDate): Promise<unknown> =>
  next !== null && next <= today.toString() ? db.run(sql`select ask_chore(${db.tenant}, 'plan_runs')`) : undefined
