import { isOverlong, type TimeSheetEntry } from '../../mobile/time/entry.ts'
import { secondsByDay } from '../../mobile/time/week.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { wallAt } from '../../platform/validation/formats/instants.ts'
import { sendSheet, type SheetRow } from '../sheet.ts'
import type { Site } from '../site.ts'
import { openSheet, type TimeSheet } from './sheet.ts'

const COLUMNS = [
  'day',
  'member',
  'job',
  'title',
  'customer',
  'started_at',
  'ended_at',
  'hours',
  'is_running',
  'is_corrected',
  'needs_correction',
] as const

/**
 * Sends a week of time as CSV, in the company's time zone: a row per entry and day, with hours that add up to the
 * page's.
 */
export async function sendTimeSheet(site: Site, request: PageRequest): Promise<Response> {
  const sheet = await openSheet(site, request)
  return sendSheet(site, request, {
    name: `time-${sheet.days[0]!.toString()}.csv`,
    columns: COLUMNS,
    rows: sheet.entries.flatMap((entry) => linesOf(sheet, entry)),
  })
}

const linesOf = (sheet: TimeSheet, entry: TimeSheetEntry): SheetRow[] =>
  secondsByDay([entry], sheet.borders, sheet.now).flatMap((seconds, dayIndex) =>
    seconds === 0 ? [] : [lineOf(sheet, entry, dayIndex, seconds)],
  )

function lineOf(
  { context, borders, days, now }: TimeSheet,
  entry: TimeSheetEntry,
  dayIndex: number,
  seconds: number,
): SheetRow {
  const [dayStart, dayEnd] = [borders[dayIndex]!, borders[dayIndex + 1]!]
  const [started, ended] = [Temporal.Instant.from(entry.started_at), Temporal.Instant.from(entry.ended_at ?? now)]
  const local = (instant: Temporal.Instant): string =>
    wallAt(instant, context.company.timezone).toString({ smallestUnit: 'second' })
  return [
    days[dayIndex]!.toString(),
    entry.user_name,
    entry.display_number,
    entry.title,
    entry.customer_name,
    local(Temporal.Instant.compare(started, dayStart) < 0 ? dayStart : started),
    local(Temporal.Instant.compare(ended, dayEnd) > 0 ? dayEnd : ended),
    (seconds / 3600).toFixed(4),
    yesNo(entry.ended_at === null),
    yesNo(entry.is_corrected),
    yesNo(isOverlong(entry, now)),
  ]
}

const yesNo = (value: boolean): string => (value ? 'yes' : 'no')
