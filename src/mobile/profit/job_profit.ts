import { spread } from '../../money/spread.ts'
import { sum } from '../../money/rounding.ts'

/** Sales and costs of a job as one read returns them; only for those who may see costs. */
export type JobProfit = {
  id: string
  display_number: string
  title: string
  customer_id: string
  customer_name: string
  /** Date it was finished. */
  day: string
  /** Sales from its invoices; its share of those that bill several jobs. */
  sales_cents: number
  is_billed: boolean
  /** Item lines in order, with their parts cost at the end of the job; null if unknown. */
  lines: { item_id: string | null; item_name: string | null; total_cents: number; cost_cents: number | null }[]
  /** Working time per member, at the rates of the time; null if a member had no rate. */
  labor: { user_id: string; name: string; seconds: number; cost_cents: number | null }[]
  crew: { user_id: string; name: string }[]
}

/** Dimensions of the profit report. */
export const PROFIT_DIMENSIONS = ['month', 'job', 'customer', 'technician', 'service'] as const
export type ProfitDimension = (typeof PROFIT_DIMENSIONS)[number]

export type ProfitSums = { sales_cents: number; parts_cents: number; labor_cents: number }

/** Part of a job's profit that counts toward a key; null is the part without one. */
export type ProfitShare = ProfitSums & { key: string | null; name: string | null }

/** Returns the parts cost of a job; an unknown cost counts as zero. */
const partsCost = ({ lines }: Pick<JobProfit, 'lines'>): number =>
  lines.reduce((cents, { cost_cents }) => cents + (cost_cents ?? 0), 0)

const laborCost = ({ labor }: Pick<JobProfit, 'labor'>): number =>
  labor.reduce((cents, { cost_cents }) => cents + (cost_cents ?? 0), 0)

export const sumsOf = (job: JobProfit): ProfitSums => ({
  sales_cents: job.sales_cents,
  parts_cents: partsCost(job),
  labor_cents: laborCost(job),
})

export const profitOf = ({ sales_cents, parts_cents, labor_cents }: ProfitSums): number =>
  sales_cents - parts_cents - labor_cents

/** Checks whether a cost of the job is missing, which makes its profit too high. */
export const lacksCosts = ({ lines, labor }: Pick<JobProfit, 'lines' | 'labor'>): boolean =>
  lines.some(({ item_id, cost_cents }) => item_id !== null && cost_cents === null) ||
  labor.some(({ cost_cents }) => cost_cents === null)

/** Splits a job's profit; the shares of each amount add up to the job's total, to the cent. */
export function splitProfit(job: JobProfit, by: ProfitDimension): ProfitShare[] {
  switch (by) {
    case 'month':
      return [{ key: job.day.slice(0, 7), name: null, ...sumsOf(job) }]
    case 'job':
      return [{ key: job.id, name: `${job.display_number} · ${job.title}`, ...sumsOf(job) }]
    case 'customer':
      return [{ key: job.customer_id, name: job.customer_name, ...sumsOf(job) }]
    case 'technician':
      return byTechnician(job)
    case 'service':
      return byService(job)
  }
}

/**
 * Splits sales and parts by working time, or evenly over the crew if no time is recorded; labor goes to the member who
 * worked.
 */
function byTechnician(job: JobProfit): ProfitShare[] {
  const hasTime = job.labor.some(({ seconds }) => seconds > 0)
  const people = hasTime
    ? job.labor.map(({ user_id, name, seconds }) => ({ user_id, name, weight: seconds }))
    : job.crew.map(({ user_id, name }) => ({ user_id, name, weight: 1 }))
  const weights = people.map(({ weight }) => weight)
  const [sales, parts] = [allocate(job.sales_cents, weights), allocate(partsCost(job), weights)]
  const shares = people.map(({ user_id, name }, at): ProfitShare => ({
    key: user_id,
    name,
    sales_cents: sales[at] ?? 0,
    parts_cents: parts[at] ?? 0,
    labor_cents: 0,
  }))
  const labor = job.labor.map(({ user_id, name, cost_cents }): ProfitShare => ({
    key: user_id,
    name,
    sales_cents: 0,
    parts_cents: 0,
    labor_cents: cost_cents ?? 0,
  }))
  return people.length > 0 ? [...shares, ...labor] : [{ ...UNASSIGNED, ...sumsOf(job), labor_cents: 0 }, ...labor]
}

/** Splits sales and labor by line totals; each line keeps its own parts cost. */
function byService(job: JobProfit): ProfitShare[] {
  const weights = job.lines.map(({ total_cents }) => total_cents)
  if (!weights.some((weight) => weight > 0)) {
    const parts = job.lines.map(({ item_id, item_name, cost_cents }): ProfitShare => ({
      key: item_id,
      name: item_name,
      sales_cents: 0,
      parts_cents: cost_cents ?? 0,
      labor_cents: 0,
    }))
    return [{ ...UNASSIGNED, ...sumsOf(job), parts_cents: 0 }, ...parts]
  }
  const [sales, labor] = [allocate(job.sales_cents, weights), allocate(laborCost(job), weights)]
  return job.lines.map(({ item_id, item_name, cost_cents }, at) => ({
    key: item_id,
    name: item_name,
    sales_cents: sales[at] ?? 0,
    parts_cents: cost_cents ?? 0,
    labor_cents: labor[at] ?? 0,
  }))
}

const UNASSIGNED = { key: null, name: null }

/** Divides cents by weights with the largest remainder method; a negative amount is divided the same way. */
function allocate(cents: number, weights: readonly number[]): number[] {
  const parts = weights.map(BigInt)
  if (sum(parts) === 0n) return weights.map(() => 0)
  const sign = cents < 0 ? -1 : 1
  return spread(BigInt(Math.abs(cents)), parts).map((part) => sign * Number(part))
}

/** Adds shares to the totals of their keys. */
export function addShares(totals: Map<string | null, ProfitShare>, shares: readonly ProfitShare[]): void {
  for (const one of shares) {
    const before = totals.get(one.key)
    totals.set(one.key, {
      key: one.key,
      name: before?.name ?? one.name,
      sales_cents: (before?.sales_cents ?? 0) + one.sales_cents,
      parts_cents: (before?.parts_cents ?? 0) + one.parts_cents,
      labor_cents: (before?.labor_cents ?? 0) + one.labor_cents,
    })
  }
}
