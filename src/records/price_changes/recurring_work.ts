import type { Db } from '../../platform/db/tenant.ts'
import { listSeriesSelling, subtotalWith } from '../job_series/index.ts'
import type { PriceStep } from '../line_items/line.ts'
import { listPlansSelling, totalWithPrice } from '../plans/index.ts'

/** Recurring work that sells an item, with its amount each time. */
type RecurringWork = {
  kind: 'job_series' | 'plans'
  id: string
  name: string
  customer_id: string
  customer_name: string
  /** Amount of a visit before tax, or of a plan's run with tax. */
  cents: number
}

/** Maximum recurring jobs, and maximum plans, listed for a price change. */
export const MAX_LISTED = 250

/** Returns the recurring jobs, then the plans, that sell an item at a price, each by customer. */
async function listRecurring(db: Db, item: string, cents: number): Promise<RecurringWork[]> {
  const [series, plans] = await Promise.all([
    listSeriesSelling(db, item, cents, MAX_LISTED),
    listPlansSelling(db, item, cents, MAX_LISTED),
  ])
  return [
    ...series.map((one) => ({ ...toWork('job_series', one, one.title), cents: one.subtotal_cents })),
    ...plans.map((one) => ({ ...toWork('plans', one, one.name), cents: one.total_cents })),
  ]
}

/** Returns the recurring work that these scopes may change. */
export const listChangeable = async (
  db: Db,
  scopes: ReadonlySet<string>,
  item: string,
  cents: number,
): Promise<RecurringWork[]> => (await listRecurring(db, item, cents)).filter(({ kind }) => scopes.has(`write:${kind}`))

/** Returns the chosen recurring work, with its amounts after the change. */
export async function previewRecurring(
  db: Db,
  step: PriceStep,
  chosen: readonly string[],
): Promise<(RecurringWork & { next_cents: number })[]> {
  const ids = new Set(chosen)
  const [series, plans] = await Promise.all([
    listSeriesSelling(db, step.item, step.from, MAX_LISTED),
    listPlansSelling(db, step.item, step.from, MAX_LISTED),
  ])
  const isChosen = ({ id }: { id: string }) => ids.has(id)
  return Promise.all([
    ...series
      .filter(isChosen)
      .map(async (one) => ({
        ...toWork('job_series', one, one.title),
        cents: one.subtotal_cents,
        next_cents: await subtotalWith(db, one.line_items, step),
      })),
    ...plans
      .filter(isChosen)
      .map(async (one) => ({
        ...toWork('plans', one, one.name),
        cents: one.total_cents,
        next_cents: await totalWithPrice(db, one, step),
      })),
  ])
}

const toWork = (
  kind: RecurringWork['kind'],
  { id, customer_id, customer_name }: { id: string; customer_id: string; customer_name: string },
  name: string,
): Omit<RecurringWork, 'cents'> => ({ kind, id, name, customer_id, customer_name })
