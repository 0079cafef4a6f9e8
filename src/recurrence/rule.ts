import { invalidAt } from '../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'
import {
  formatParts,
  readDays,
  readNumber,
  readNumbers,
  readUntil,
  readWeekStart,
  splitParts,
  type DayItem,
  type Parts,
  type Until,
} from './parts.ts'

export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/**
 * Rule of the accepted grammar (docs/spec/recurrence.md#accepted-parts). An absent list is empty, an absent single
 * value null.
 */
export type Rule = {
  /** Normalized spelling: uppercase, fixed order, no prefix. */
  readonly text: string
  readonly freq: Frequency
  readonly interval: number
  readonly count: number | null
  readonly until: Until | null
  readonly months: readonly number[]
  readonly monthDays: readonly number[]
  readonly days: readonly DayItem[]
  readonly positions: readonly number[]
  readonly hour: number | null
  readonly minute: number | null
  readonly second: number | null
  /** First day of the week, 1 (Monday) to 7. */
  readonly weekStart: number
}

const MAX_INTERVAL: Readonly<Record<Frequency, number>> = { DAILY: 366, WEEKLY: 104, MONTHLY: 60, YEARLY: 10 }

/** Parses an RRULE value (RFC 5545 3.3.10, narrowed by docs/spec/recurrence.md#rules). Throws `invalid_input`. */
export function parseRule(text: string): Rule {
  const parts = splitParts(text)
  const freq = readFrequency(parts)
  const rule: Rule = {
    text: formatParts(parts),
    freq,
    interval: readNumber(parts, 'INTERVAL', 1, MAX_INTERVAL[freq], ` with FREQ=${freq}`) ?? 1,
    count: readNumber(parts, 'COUNT', 1, 1000, ', or leave it out for an ongoing series'),
    until: readUntil(parts),
    months: readNumbers(parts, 'BYMONTH', 12, false),
    monthDays: readNumbers(parts, 'BYMONTHDAY', 31, true),
    days: readDays(parts),
    positions: readNumbers(parts, 'BYSETPOS', 366, true),
    hour: readNumber(parts, 'BYHOUR', 0, 23),
    minute: readNumber(parts, 'BYMINUTE', 0, 59),
    second: readNumber(parts, 'BYSECOND', 0, 0),
    weekStart: readWeekStart(parts),
  }
  refuseContradictions(rule, parts)
  return rule
}

function readFrequency(parts: Parts): Frequency {
  const value = parts.get('FREQ')
  if (value === undefined) throw invalidAt('rrule', refusals.noFrequency())
  if (value === 'DAILY' || value === 'WEEKLY' || value === 'MONTHLY' || value === 'YEARLY') return value
  const equivalent = Object.hasOwn(EQUIVALENTS, value) ? EQUIVALENTS[value] : undefined
  const hint = equivalent === undefined ? 'DAILY, WEEKLY, MONTHLY or YEARLY' : `FREQ=${equivalent}`
  throw invalidAt('rrule', refusals.frequency({ value: value.slice(0, 40), hint }))
}

/** Equivalents of common frequency names that RFC 5545 doesn't have. */
const EQUIVALENTS: Readonly<Record<string, string>> = {
  BIWEEKLY: 'WEEKLY;INTERVAL=2',
  FORTNIGHTLY: 'WEEKLY;INTERVAL=2',
  BIMONTHLY: 'MONTHLY;INTERVAL=2',
  QUARTERLY: 'MONTHLY;INTERVAL=3',
  SEMIANNUAL: 'MONTHLY;INTERVAL=6',
  SEMIANNUALLY: 'MONTHLY;INTERVAL=6',
  ANNUAL: 'YEARLY',
  ANNUALLY: 'YEARLY',
}

function refuseContradictions(rule: Rule, parts: Parts): void {
  const { freq, days, months, monthDays } = rule
  const nths = days.flatMap(({ nth }) => nth ?? [])
  const byMonthOrYear = freq === 'MONTHLY' || freq === 'YEARLY'
  const inMonth = freq === 'MONTHLY' || months.length > 0
  const max = inMonth ? 5 : 53

  if (rule.count !== null && rule.until !== null) throw invalidAt('rrule', refusals.countAndUntil())
  if (nths.length > 0 && !byMonthOrYear) {
    throw invalidAt('rrule', refusals.numberedWeekday({ freq }))
  }
  if (nths.some((nth) => Math.abs(nth) > max)) {
    const within = inMonth ? 'within a month' : 'within a year'
    throw invalidAt('rrule', refusals.weekdayNumbers({ max: String(max), within }))
  }
  if (monthDays.length > 0 && freq === 'WEEKLY') {
    throw invalidAt('rrule', refusals.monthDayWeekly())
  }
  if (monthDays.length > 0 && nths.length > 0) {
    throw invalidAt('rrule', refusals.monthDayAndWeekday())
  }
  if (rule.positions.length > 0 && !byMonthOrYear) {
    throw invalidAt('rrule', refusals.positions({ freq }))
  }
  if (rule.positions.length > 0 && [...parts.keys()].filter((name) => name.startsWith('BY')).length === 1) {
    throw invalidAt('rrule', refusals.positionsAlone())
  }
}
