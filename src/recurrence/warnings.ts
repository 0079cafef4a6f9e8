import type { Warning } from '../platform/errors/refusal_text.ts'
import { warnings } from './refusals.ts'
import type { Rule } from './rule.ts'
import type { Dtstart } from './timezone.ts'

/** Minimum days of each month: 28 for February. */
const MIN_MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] as const

/**
 * Returns warnings about an accepted rule: months too short for its day are skipped
 * (docs/spec/recurrence.md#short-months).
 */
export function warningsOf(rule: Rule, dtstart: Dtstart): readonly Warning[] {
  if (rule.freq !== 'MONTHLY' || rule.days.length > 0) return []
  const days = rule.monthDays.length > 0 ? rule.monthDays : [dtstart.day]
  const day = Math.min(...days)
  const skips = monthsOf(rule, dtstart.month).some((month) => (MIN_MONTH_DAYS[month - 1] ?? 31) < day)
  return skips ? [warnings.shortMonths({ day })] : []
}

/** Returns the months that a monthly rule reaches, in any year. */
const monthsOf = ({ interval, months }: Rule, first: number): readonly number[] =>
  Array.from({ length: 12 }, (_, k) => ((first - 1 + k * interval) % 12) + 1).filter(
    (month) => months.length === 0 || months.includes(month),
  )
