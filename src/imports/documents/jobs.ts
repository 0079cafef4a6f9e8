import { day } from '../../records/format/formats.ts'
import type { IncomingRecord, MappedRow, ReadingRules } from '../reading/incoming.ts'
import { parseAddress } from '../rows/addresses.ts'
import { parseMinutes, splitList } from '../reading/values.ts'
import { readDocuments } from './reading.ts'
import type { Cells } from './cells.ts'
import { extraFields, parseStatus, defaultTitle, type StatusWords } from './words.ts'

const STATUSES: StatusWords = {
  unscheduled: ['unscheduled', 'needs scheduling', 'new', 'action required', 'upcoming unscheduled'],
  scheduled: [
    'scheduled',
    'upcoming',
    'today',
    'active',
    'open',
    'booked',
    'late',
    'dispatched',
    'assigned',
    'pending',
  ],
  en_route: ['en route', 'on my way', 'on the way', 'traveling'],
  in_progress: ['in progress', 'started', 'working', 'on site', 'arrived'],
  on_hold: ['on hold', 'hold', 'paused', 'waiting'],
  done: [
    'done',
    'complete',
    'completed',
    'complete rated',
    'complete unrated',
    'finished',
    'closed',
    'archived',
    'requires invoicing',
    'invoiced',
    'paid',
  ],
  cancelled: ['canceled', 'cancelled', 'pro canceled', 'user canceled', 'pro cancelled', 'user cancelled', 'deleted'],
}

const PRIORITIES: StatusWords = {
  low: ['low'],
  normal: ['normal', 'medium', 'standard', 'none'],
  high: ['high'],
  urgent: ['urgent', 'emergency', 'critical'],
}

const MINUTES_IN_TWO_WEEKS = 20_160

export const readJobs = (rows: readonly MappedRow[], rules: ReadingRules): Promise<IncomingRecord[]> =>
  readDocuments(rows, rules, {
    isTaxed: false,
    nameOf,
    readKindFields: ({ cells, row }) => {
      const title = nameOf(cells).slice(0, 200)
      const schedule = scheduleOf(cells)
      const completed = cells.moment('completed_date')
      const fallback =
        completed !== undefined ? 'done' : schedule.scheduled_start === undefined ? 'unscheduled' : 'scheduled'
      return {
        name: cells.text('customer_name') ?? title,
        input: {
          title,
          description: cells.text('description'),
          instructions: cells.text('instructions'),
          priority: priorityOf(cells),
          ...schedule,
          fields: extraFields(cells, row.custom),
        },
        state: parseStatus(cells, STATUSES, fallback),
        days: {
          completed:
            completed === undefined
              ? (schedule.scheduled_end ?? schedule.scheduled_start)
              : `${completed.day}T${completed.time ?? '12:00'}${completed.offset ?? ''}`,
        },
        place: parseSite(cells),
        assignees: [...new Set(splitList(cells.text('assignees')))].slice(0, 20),
        summary: [cells.first('number', 'source_id'), title, schedule.scheduled_start && day(schedule.scheduled_start)],
      }
    },
  })

/** Returns the title of a job, or the first line of its description. */
const nameOf = (cells: Cells): string =>
  cells.text('title') ?? cells.text('description')?.split('\n')[0] ?? defaultTitle(cells, 'job')

type Schedule = { scheduled_start?: string; scheduled_end?: string; duration_minutes?: number; all_day?: boolean }

/** Returns the schedule of a visit, in the company's time zone unless the file has an offset. */
function scheduleOf(cells: Cells): Schedule {
  const start = cells.moment('visit_date') ?? cells.moment('start_date')
  const end = cells.moment('end_date')
  const times = cells.times('start_time')
  const from = start?.time ?? times.from
  const until = end?.time ?? cells.time('end_time') ?? times.until
  const minutes = durationOf(cells)
  if (start === undefined) return {}
  if (from === undefined)
    return {
      scheduled_start: `${start.day}T00:00`,
      all_day: true,
      ...(minutes === undefined ? {} : { duration_minutes: minutes }),
    }
  const scheduled_start = `${start.day}T${from}${start.offset ?? ''}`
  const endsOn = end?.day ?? start.day
  const length = until === undefined ? undefined : minutesFrom(`${start.day}T${from}`, `${endsOn}T${until}`)
  if (length !== undefined && length >= 5 && length <= MINUTES_IN_TWO_WEEKS)
    return { scheduled_start, scheduled_end: `${endsOn}T${until}${end?.offset ?? start.offset ?? ''}` }
  if (length !== undefined) cells.addRemark('end_date', cells.first('end_date', 'end_time') ?? '', '')
  return { scheduled_start, ...(minutes === undefined ? {} : { duration_minutes: minutes }) }
}

const minutesFrom = (start: string, end: string): number =>
  Temporal.PlainDateTime.from(start).until(end, { largestUnit: 'minute' }).minutes

function durationOf(cells: Cells): number | undefined {
  const [minutes, hours] = [cells.text('duration_minutes'), cells.text('duration_hours')]
  const length =
    hours === undefined ? (/^\d{1,5}$/.test(minutes ?? '') ? Number(minutes) : undefined) : parseMinutes(hours)
  return length !== undefined && length >= 5 && length <= MINUTES_IN_TWO_WEEKS ? length : undefined
}

function priorityOf(cells: Cells): string | undefined {
  const cell = cells.text('priority')?.toLowerCase()
  return Object.entries(PRIORITIES).find(([, words]) => cell !== undefined && words.includes(cell))?.[0]
}

/** Returns the service address of a job. */
const parseSite = (cells: Cells): Record<string, string | undefined> => ({
  name: cells.text('site_name'),
  ...parseAddress(Object.fromEntries(ADDRESS.map((part) => [part, cells.text(part)])), cells.rules.country),
})

const ADDRESS = ['address_line1', 'address_line2', 'city', 'region', 'postal_code', 'country']
