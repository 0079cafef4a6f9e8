import { isId } from '../../platform/validation/id.ts'
import { findFreeTime, type MemberSlot, type MemberTime } from '../../scheduling/availability.ts'
import { clockOf, type DayClock, type TimeRange } from '../../scheduling/working_time.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { days } from '../completions.ts'
import type { Overview, OverviewContext } from './overview.ts'
import type { OverviewSheet } from './sheet.ts'

const DAYS = 5
const MAX_PEOPLE = 10
/** Maximum number of people when each time has its driving beside it. */
const MAX_PEOPLE_AT_LOCATION = 6
const MAX_SPANS = 3
const MIN_SLOT_MS = 15 * 60_000
const HOUR_MS = 4 * MIN_SLOT_MS

const DESCRIPTION = 'When each technician is free on five days: working hours minus visits and the drives to them'

export const freeNow: Overview = {
  path: 'availability',
  name: 'availability',
  title: 'Who is free',
  description: `${DESCRIPTION}, starting today`,
  tools: ['jobs_list'],
  read: (by) => freeSheet(by, todayIn(by.caller.tenant.timezone)),
}

export const availability: Overview = {
  path: 'availability/{date}',
  name: 'availability_from',
  title: 'Who is free from a given day',
  description: `${DESCRIPTION}, starting on a given day`,
  tools: ['jobs_list'],
  completes: { date: days },
  async read(by, { date = '' }) {
    const day = parseDay(date)
    return day && freeSheet(by, day)
  },
}

export const availabilityAt: Overview = {
  path: 'availability/{date}/{location_id}',
  name: 'availability_at',
  title: 'Who is free for a visit at a location',
  description: 'When each technician is free on five days, and the minutes of driving that a visit to a location adds',
  tools: ['jobs_list', 'locations_get'],
  completes: { date: days },
  async read(by, { date = '', location_id = '' }) {
    const [day, get] = [parseDay(date), by.tools.get('locations_get')]
    if (day === undefined || get === undefined || !isId(location_id)) return undefined
    const [sheet] = await Promise.all([freeSheet(by, day, location_id), get.tool.run(by, { id: location_id })])
    return sheet
  },
}

async function freeSheet(
  { db, caller }: OverviewContext,
  first: Temporal.PlainDate,
  location?: string,
): Promise<OverviewSheet> {
  const { timezone, currency } = caller.tenant
  const from = first.toZonedDateTime(timezone).toInstant()
  const until = first.add({ days: DAYS }).toZonedDateTime(timezone).toInstant().subtract({ milliseconds: 1 })
  const place = location === undefined ? undefined : { location }
  const maxPeople = location === undefined ? MAX_PEOPLE : MAX_PEOPLE_AT_LOCATION
  const days = Array.from({ length: DAYS }, (_, i) => clockOf(first.add({ days: i }), timezone))
  const slotsOf = (free: readonly TimeRange[]) => days.flatMap((day) => remainingFree(free, day))
  const people = await findFreeTime(db, timezone, { from, until, place, slotsOf })
  return {
    title: `Free times from ${first.toString()}`,
    currency,
    says: [
      `Times are local, in ${timezone}; past times are left out. "off" means not a working day, ` +
        `"full" means no free 15 minutes.`,
      ...(location === undefined ? [] : [DRIVING, ...leastDriving(people, timezone)]),
    ],
    parts: [
      {
        name: 'people',
        title: 'People',
        emptyText: 'Nobody works here yet.',
        columns: [
          { name: 'person', label: 'Person' },
          ...days.map(({ day }) => ({
            name: day.toString(),
            label: `${day.toLocaleString('en-US', { weekday: 'short' })} ${day.toString().slice(5)}`,
          })),
        ],
        rows: people
          .slice(0, maxPeople)
          .map((one) => ({
            person: one.skills.length === 0 ? one.name : `${one.name} (${one.skills.join(', ')})`,
            ...Object.fromEntries(days.map((clock) => [clock.day.toString(), freeOn(one, clock, timezone)])),
          })),
        more: Math.max(0, people.length - maxPeople),
        moreHint: "jobs_list with assignee and dates shows one person's jobs",
      },
    ],
  }
}

const DRIVING =
  'Drives to and from the location are already subtracted. "+10 min" is the driving that a visit adds between ' +
  'the visits before and after it that day; "about" marks an estimate.'

const drivingText = (driving: MemberSlot['driving']): string =>
  driving === undefined ? '' : ` (${driving.isEstimate ? 'about ' : ''}+${driving.minutes} min)`

/** Returns the free time that remains of a day, from now on. */
const remainingFree = (free: readonly TimeRange[], day: TimeRange): TimeRange[] =>
  free
    .map(({ from, to }) => ({ from: Math.max(from, day.from, Date.now()), to: Math.min(to, day.to) }))
    .filter(({ from, to }) => to - from >= MIN_SLOT_MS)

/** Formats the free hours that add the least driving, then the earliest. */
function leastDriving(people: readonly MemberTime[], zone: string): string[] {
  const hours = people
    .flatMap(({ name, slots }) =>
      slots.flatMap(({ from, to, driving }) => {
        const start = Math.ceil(from / MIN_SLOT_MS) * MIN_SLOT_MS
        return driving === undefined || to - start < HOUR_MS ? [] : [{ name, start, driving }]
      }),
    )
    .sort((a, b) => a.driving.minutes - b.driving.minutes || a.start - b.start)
    .slice(0, MAX_SPANS)
  const texts = hours.map(({ name, start, driving }) => {
    const time = at(start, zone)
    return `${name} ${time.toPlainDate().toString()} ${timeOf(time)}${drivingText(driving)}`
  })
  return texts.length === 0 ? [] : [`Least added driving for an hour of work: ${texts.join(', ')}.`]
}

/** Describes when a person is free on a day, from now on. */
function freeOn({ work, slots }: MemberTime, { day, from: begin, to: end }: DayClock, zone: string): string {
  if (!work.some(({ from, to }) => from < end && to > begin)) return 'off'
  const spans = slots.filter(({ from, to }) => from >= begin && to <= end)
  if (spans.length === 0) return 'full'
  const clockSpans = spans.slice(0, MAX_SPANS).map((span) => clocks(span, day, zone) + drivingText(span.driving))
  return clockSpans.join(', ') + (spans.length > MAX_SPANS ? ', …' : '')
}

const clocks = ({ from, to }: TimeRange, day: Temporal.PlainDate, zone: string): string => {
  const end = at(to, zone)
  const isMidnight = !end.toPlainDate().equals(day)
  return `${timeOf(at(from, zone))}-${isMidnight ? '24:00' : timeOf(end)}`
}

const at = (milliseconds: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone)

const timeOf = (time: Temporal.ZonedDateTime): string => time.toPlainTime().toString({ smallestUnit: 'minute' })
