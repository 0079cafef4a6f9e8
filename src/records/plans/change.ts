import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { repriceDraft } from '../line_items/draft.ts'
import { conflict, invalidField, quoteText } from '../../platform/errors/refusal.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { applyPatch } from '../../platform/validation/patch.ts'
import { requestRuns } from './create.ts'
import { nextRunDate, requireEndAfterStart, requireStartInRange } from './dates.ts'
import { PLAN, type Plan, type PlanPatch } from './fields.ts'
import { findPlan, type PlanTerms } from './plan.ts'
import { refusals } from './refusals.ts'

type LockedPlan = { before: Plan; terms: PlanTerms }

const PRICE_FIELDS = ['location_id', 'line_items', 'discount', 'tax_rate_id'] as const
const SCHEDULE_FIELDS = ['cadence', 'start_date', 'end_date', 'status'] as const

/** Changes a locked plan that hasn't ended. Saving its billing fields prices it again. */
export async function changePlan(
  db: Db,
  { user, tenant }: Caller,
  { before, terms }: LockedPlan,
  patch: PlanPatch,
): Promise<Plan> {
  const today = todayIn(tenant.timezone)
  const { location_id, line_items, discount, tax_rate_id, ...fields } = patch
  const after = applyPatch(before, fields)
  if (after.start_date !== before.start_date) requireMovableStart(before, after.start_date, today)
  requireEndAfterStart(after)
  if (before.status === 'paused' && after.status === 'active' && terms.customer_archived) {
    throw conflict(refusals.customerArchived())
  }
  const document = PRICE_FIELDS.some((field) => patch[field] !== undefined)
    ? await repricePlan(db, { before, terms }, { location_id, line_items, discount, tax_rate_id })
    : {}
  const next_run_date = SCHEDULE_FIELDS.some((field) => before[field] !== after[field])
    ? nextRunAfter(before, after, today)
    : before.next_run_date
  const writes = [
    updatePlan(db, user, before.id, { ...PLAN.toColumns(after), status: after.status, next_run_date, ...document }),
    requestRuns(db, next_run_date, today),
  ]
  const [saved] = await Promise.all([findPlan(db, before.id), ...writes])
  return saved
}

async function repricePlan(db: Db, { before, terms }: LockedPlan, patch: PlanPatch) {
  const { contact_id: _, ...document } = await repriceDraft(db, { ...before, contact_id: null }, terms, patch)
  return document
}

/** Cancels a plan permanently. */
export async function cancelPlan(
  db: Db,
  { user }: Caller,
  { before }: LockedPlan,
  reason: string | null,
): Promise<Plan> {
  const writes = [
    updatePlan(db, user, before.id, {
      status: 'cancelled',
      next_run_date: null,
      cancelled_at: sql`moment()`,
      cancel_reason: reason,
    }),
  ]
  const [saved] = await Promise.all([findPlan(db, before.id), ...writes])
  return saved
}

/** Refuses to change a plan that has ended (docs/spec/records.md#plan-status). */
export function requireNotEnded({ status, name }: Plan): void {
  if (status === 'active' || status === 'paused') return
  throw conflict(refusals.ended({ name: quoteText(name), status }))
}

function requireMovableStart(before: Plan, start: string, today: Temporal.PlainDate): void {
  if (before.runs_count > 0) {
    throw invalidField('start_date', refusals.startFixed({ before: before.start_date, start }))
  }
  requireStartInRange(start, today)
}

/** Returns the next run date from today on, or an overdue one that hasn't run yet; null unless the plan is active. */
function nextRunAfter(before: Plan, after: Plan, today: Temporal.PlainDate): string | null {
  if (after.status !== 'active') return null
  const { next_run_date: due } = before
  return nextRunDate(after, due !== null && due < today.toString() ? Temporal.PlainDate.from(due) : today)
}

const updatePlan = (db: Db, user: string | null, id: string, columns: Record<string, unknown>): Promise<number> =>
  db.run(sql`update plans set ${assignments({ ...columns, updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)
