import { invalidField, fieldName } from '../../../platform/errors/refusal.ts'
import type { Warning } from '../../../platform/errors/refusal_text.ts'
import { parseRule } from '../../../recurrence/rule.ts'
import { ruleText } from '../../../recurrence/text.ts'
import { readDtstart, readTimezone, type Dtstart } from '../../../recurrence/timezone.ts'
import { warningsOf } from '../../../recurrence/warnings.ts'
import { previewOccurrences, requireOccurrence, type Series } from '../../../recurrence/window.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { applyPatch } from '../../../platform/validation/patch.ts'
import { refusals } from '../refusals.ts'

/** Timing of a series as stored. If `dtstart` is only a date, the jobs are all-day. */
export type Timing = { rrule: string; timezone: string; dtstart: string; end_date: string | null }

type TimingDraft = { [Name in keyof Timing]?: Timing[Name] | undefined } & { all_day?: boolean | undefined }

const PREVIEW_COUNT = 5

/** Returns the series that the recurrence engine expands. */
export const toSeries = ({ rrule, timezone, dtstart, end_date }: Timing): Series => ({
  rule: parseRule(rrule),
  dtstart: readDtstart(dtstart, timezone),
  timezone,
  end_date: end_date === null ? null : Temporal.PlainDate.from(end_date),
})

/** Returns a new series' timing; `today` is the tenant's day. */
export function newTiming(
  draft: TimingDraft & { rrule: string; dtstart: string },
  timezone: string,
  today: Temporal.PlainDate,
): Timing {
  const { rrule, dtstart, end_date = null } = draft
  return normalizeTiming({ rrule, dtstart, end_date, timezone: draft.timezone ?? timezone }, draft.all_day, today)
}

/** Returns a series' timing after a change. */
export const timingAfter = (before: Timing, { all_day, ...draft }: TimingDraft, today: Temporal.PlainDate): Timing =>
  normalizeTiming(applyPatch(before, draft), all_day, today, before)

function normalizeTiming(
  timing: Timing,
  allDay: boolean | undefined,
  today: Temporal.PlainDate,
  before?: Timing,
): Timing {
  const timezone = readTimezone(timing.timezone)
  const dtstart = applyAllDay(readDtstart(timing.dtstart, timezone), allDay)
  if (dayOf(dtstart).toString() !== before?.dtstart.slice(0, 10)) requireStartInRange(dtstart, today)
  if (timing.end_date !== null) requireEndInRange(timing.end_date, dtstart)
  const rule = parseRule(timing.rrule)
  const end_date = timing.end_date === null ? null : Temporal.PlainDate.from(timing.end_date)
  requireOccurrence({ rule, dtstart, timezone, end_date })
  return { rrule: rule.text, timezone, dtstart: formatDtstart(dtstart), end_date: timing.end_date }
}

/** Returns the start. With all_day true it has no time of day; with all_day false it must have one. */
function applyAllDay(dtstart: Dtstart, allDay: boolean | undefined): Dtstart {
  if (allDay === true) return dayOf(dtstart)
  if (allDay === false && dtstart instanceof Temporal.PlainDate)
    throw invalidField('all_day', refusals.timeRequired({ dtstart: fieldName('dtstart') }))
  return dtstart
}

function requireStartInRange(dtstart: Dtstart, today: Temporal.PlainDate): void {
  const [first, last] = [today.subtract({ years: 1 }).toString(), today.add({ years: 5 }).toString()]
  const day = dayOf(dtstart).toString()
  if (day < first || day > last) throw invalidField('dtstart', refusals.startOutOfRange({ first, last, day }))
}

function requireEndInRange(end: string, dtstart: Dtstart): void {
  const [first, last] = [dayOf(dtstart).toString(), dayOf(dtstart).add({ years: 10 }).toString()]
  if (end < first)
    throw invalidField('end_date', refusals.endBeforeStart({ dtstart: fieldName('dtstart'), first, end }))
  if (end > last) throw invalidField('end_date', refusals.endTooFar({ dtstart: fieldName('dtstart'), last, end }))
}

const dayOf = (dtstart: Dtstart): Temporal.PlainDate =>
  dtstart instanceof Temporal.PlainDate ? dtstart : dtstart.toPlainDate()

const formatDtstart = (dtstart: Dtstart): string =>
  dtstart instanceof Temporal.PlainDate ? dtstart.toString() : dtstart.toString({ smallestUnit: 'second' })

export const isAllDay = ({ dtstart }: Timing): boolean => dtstart.length === 10

/** Returns the rule's next occurrences after `now` as UTC instants, regardless of their jobs. */
export function upcomingStarts(timing: Timing, now: Temporal.Instant, limit = PREVIEW_COUNT): string[] {
  const series = toSeries(timing)
  const today = now.toZonedDateTimeISO(timing.timezone).toPlainDate()
  return previewOccurrences(series, today, limit + 1)
    .filter((start) => start > utc(now))
    .slice(0, limit)
}

/** Returns the rule in English. */
export const describeRule = (timing: Timing): string => {
  const { rule, dtstart, timezone } = toSeries(timing)
  return ruleText(rule, dtstart, timezone)
}

/** Returns the warnings about the rule. */
export const timingWarnings = (timing: Timing): readonly Warning[] => {
  const { rule, dtstart } = toSeries(timing)
  return warningsOf(rule, dtstart)
}
