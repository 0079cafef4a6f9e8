import { say, sayCount } from '../../../platform/i18n/say.ts'
import { parseRule, type Rule } from '../../../recurrence/rule.ts'
import { shortDay, time } from '../../format/formats.ts'
import { isAcrossMonths, describeDays, dayCondition, joinList, monthName } from './rhythm_days.ts'

/** Timing to describe a series by. A list knows the next visit, a record the first. */
type RecurrenceTiming = {
  rrule: string
  timezone: string
  dtstart?: string
  next_occurrence_at?: string | null | undefined
}

/** Describes how often a series runs, in the reader's language: `Weekly on Monday, from April to October`. */
export function describeRecurrence(series: RecurrenceTiming): string {
  const rule = parseRule(series.rrule)
  const visit = sampleVisit(series)
  const parts = [appendDays, appendMonths, appendTime] as const
  return appendEnd(
    parts.reduce((text, part) => part(text, rule, visit), frequencyText(rule)),
    rule,
    series.timezone,
  )
}

/** Returns a visit of the series in its own time zone. */
function sampleVisit({ dtstart, next_occurrence_at, timezone }: RecurrenceTiming): Temporal.PlainDateTime | undefined {
  if (dtstart !== undefined) return Temporal.PlainDateTime.from(dtstart)
  if (next_occurrence_at == null) return undefined
  return Temporal.Instant.from(next_occurrence_at).toZonedDateTimeISO(timezone).toPlainDateTime()
}

function frequencyText({ freq, interval }: Rule): string {
  const every = {
    DAILY: () => (interval === 1 ? say`Daily` : say`Every ${interval} days`),
    WEEKLY: () => (interval === 1 ? say`Weekly` : say`Every ${interval} weeks`),
    MONTHLY: () => (interval === 1 ? say`Monthly` : say`Every ${interval} months`),
    YEARLY: () => (interval === 1 ? say`Yearly` : say`Every ${interval} years`),
  }
  return every[freq]()
}

function appendDays(frequency: string, rule: Rule, visit: Temporal.PlainDateTime | undefined): string {
  const { freq, interval, days, monthDays } = rule
  // Every third day is counted from the first visit, so weekdays and month days are only a condition.
  if (freq === 'DAILY' && interval > 1 && days.length + monthDays.length > 0)
    return say`${frequency}, only if it is ${dayCondition(rule)}`
  const dayText = describeDays(rule, visit?.toPlainDate())
  return dayText === '' ? frequency : say`${frequency} on ${dayText}`
}

function appendMonths(frequency: string, rule: Rule): string {
  const { months } = rule
  if (months.length === 0 || isAcrossMonths(rule)) return frequency
  const first = months.find((month) => !months.includes(previousMonth(month)))
  const isOneSeason = months.filter((month) => !months.includes(previousMonth(month))).length === 1
  if (months.length < 3 || first === undefined || !isOneSeason)
    return say`${frequency}, in ${joinList(months.map(monthName))}`
  const last = ((first + months.length - 2) % 12) + 1
  return say`${frequency}, from ${monthName(first)} to ${monthName(last)}`
}

const previousMonth = (month: number): number => ((month + 10) % 12) + 1

function appendTime(frequency: string, { hour, minute }: Rule, visit: Temporal.PlainDateTime | undefined): string {
  if (hour === null && minute === null) return frequency
  const at = new Temporal.PlainDateTime(2024, 1, 1, hour ?? visit?.hour ?? 0, minute ?? visit?.minute ?? 0)
  return say`${frequency}, at ${time(at.toZonedDateTime('UTC').toInstant().toString(), 'UTC')}`
}

function appendEnd(frequency: string, { count, until }: Rule, timezone: string): string {
  if (count !== null) return sayCount(count, '{1}, once', '{1}, {0} times', frequency)
  if (until === null) return frequency
  const last = until instanceof Temporal.Instant ? until.toZonedDateTimeISO(timezone) : until
  return say`${frequency}, until ${shortDay(last.toString())}`
}
