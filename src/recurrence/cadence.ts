/** Intervals at which a plan may run (docs/spec/records.md#plan-fields). */
export const CADENCES = ['weekly', 'biweekly', 'monthly', 'bimonthly', 'quarterly', 'semiannual', 'annual'] as const
export type Cadence = (typeof CADENCES)[number]

const INTERVAL = {
  weekly: { days: 7 },
  biweekly: { days: 14 },
  monthly: { months: 1 },
  bimonthly: { months: 2 },
  quarterly: { months: 3 },
  semiannual: { months: 6 },
  annual: { months: 12 },
} as const satisfies Record<Cadence, { days: number } | { months: number }>

/**
 * Returns run `k` (from 0), counted from the anchor, so that a day lost to a short month comes back
 * (docs/spec/recurrence.md#plan-cadence).
 */
export function runDate(start: Temporal.PlainDate, cadence: Cadence, k: number): Temporal.PlainDate {
  const interval = INTERVAL[cadence]
  return start.add('days' in interval ? { days: k * interval.days } : { months: k * interval.months })
}

/** Returns the first run date after a day, which may be the anchor itself. */
export function nextRun(
  start: Temporal.PlainDate,
  cadence: Cadence,
  afterDate: Temporal.PlainDate,
): Temporal.PlainDate {
  let k = Math.max(0, wholeIntervals(start, cadence, afterDate))
  while (Temporal.PlainDate.compare(runDate(start, cadence, k), afterDate) <= 0) k += 1
  return runDate(start, cadence, k)
}

/** Counts whole intervals. May be one too few, if a short month made the run on `to` early, but never one too many. */
function wholeIntervals(start: Temporal.PlainDate, cadence: Cadence, to: Temporal.PlainDate): number {
  const interval = INTERVAL[cadence]
  return 'days' in interval
    ? Math.floor(start.until(to, { largestUnit: 'days' }).days / interval.days)
    : Math.floor(start.until(to, { largestUnit: 'months' }).months / interval.months)
}
