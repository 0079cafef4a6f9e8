import type { Caller } from '../../identity/credentials/caller.ts'
import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { toDocumentColumns } from '../line_items/columns.ts'
import { priceLines } from '../line_items/price.ts'
import { resolveLines } from '../line_items/resolve.ts'
import { newId } from '../../platform/validation/id.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { activateCustomer, lockCustomer } from '../customers/index.ts'
import { locationFor } from '../locations/index.ts'
import { requireLiveRate } from '../tax_rates/index.ts'
import { nextRunDate, requireEndAfterStart, requireStartInRange } from './dates.ts'
import { PLAN, type Plan, type PlanDraft } from './fields.ts'
import { findPlan } from './plan.ts'

type NewPlan = PlanDraft & { customer_id: string }

/** Adds an active plan. If it starts in the past, run dates before today are skipped. */
export async function addPlan(db: Db, { user, tenant }: Caller, { customer_id, ...draft }: NewPlan): Promise<Plan> {
  const { discount, tax_rate_id } = draft
  const today = todayIn(tenant.timezone)
  const plan = PLAN.complete(draft, { start_date: today.toString() })
  requireStartInRange(plan.start_date, today)
  requireEndAfterStart(plan)
  const [customer, lines, location_id] = await Promise.all([
    lockCustomer(db, customer_id),
    resolveLines(db, draft.line_items),
    locationFor(db, customer_id, draft.location_id, ['service']),
    requireLiveRate(db, tax_rate_id),
  ])
  const { tax_exempt } = customer
  const document = await priceLines(db, { lines, discount, tax_rate_id, location_id, tax_exempt, hasTax: true })
  const next_run_date = nextRunDate({ ...plan, last_run_date: null }, today)
  const id = newId()
  const writes = [
    db.run(
      sql`insert into plans ${values({
        tenant_id: db.tenant,
        id,
        customer_id,
        ...PLAN.toColumns({ ...plan, location_id }),
        ...toDocumentColumns(document),
        tax_rate_chosen: tax_rate_id !== undefined,
        tax_exempt,
        currency: tenant.currency,
        status: 'active',
        next_run_date,
        created_by: user,
        updated_by: user,
      })}`,
    ),
    ...(customer.status === 'lead' ? [activateCustomer(db, customer_id)] : []),
    requestRuns(db, next_run_date, today),
  ]
  const [added] = await Promise.all([findPlan(db, id), ...writes])
  return added
}

/** Wakes the worker for a run date that is due today or earlier, so that it doesn't wait until tomorrow morning. */
export const requestRuns = async (db: Db, next: string | null, today: Temporal.PlainDate): Promise<unknown> =>
  next !== null && next <= today.toString() ? db.run(sql`select ask_chore(${db.tenant}, 'plan_runs')`) : undefined
