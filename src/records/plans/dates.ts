import { invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { nextRun, type Cadence } from '../../recurrence/cadence.ts'
import { refusals } from './refusals.ts'

type Day = Temporal.PlainDate

/** Fields of a plan that determine its run dates. */
type Calendar = { cadence: Cadence; start_date: string; end_date: string | null; last_run_date: string | null }

const MAX_YEARS = 5

/** Returns the first run date from a day on that hasn't run yet; null after the end. */
export function nextRunDate({ cadence, start_date, end_date, last_run_date }: Calendar, from: Day): string | null {
  const dayBefore = from.subtract({ days: 1 }).toString()
  const after = last_run_date !== null && last_run_date > dayBefore ? last_run_date : dayBefore
  const next = nextRun(Temporal.PlainDate.from(start_date), cadence, Temporal.PlainDate.from(after)).toString()
  return end_date !== null && next > end_date ? null : next
}

/** Throws `invalid_input` for an anchor day out of bounds (docs/spec/records.md#plan-fields). */
export function requireStartInRange(start: string, today: Day): void {
  const [first, last] = [today.subtract({ years: MAX_YEARS }).toString(), today.add({ years: MAX_YEARS }).toString()]
  if (start < first || start > last)
    throw invalidField('start_date', refusals.startOutOfRange({ first, last, start, years: MAX_YEARS }))
}

export function requireEndAfterStart({ start_date, end_date }: Pick<Calendar, 'start_date' | 'end_date'>): void {
  if (end_date !== null && end_date < start_date)
    throw invalidField(
      'end_date',
      refusals.endBeforeStart({ start_date: fieldName('start_date'), start: start_date, end: end_date }),
    )
}
