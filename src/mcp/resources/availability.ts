import { isId } from '../../platform/validation/id.ts'
import { freeTime, type MemberTime } from '../../scheduling/availability.ts'
import type { TimeStretch } from '../../scheduling/working_time.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { days } from '../completions.ts'
import type { Overview, OverviewContext } from './overview.ts'
import type { OverviewSheet } from './sheet.ts'

const DAYS = 5
const MAX_PEOPLE = 10
/** Maximum people where each time has its driving beside it. */
const MAX_PEOPLE_AT_LOCATION = 6
const MAX_SPANS = 3
const SHORTEST = 15 * 60_000
const HOUR = 4 * SHORTEST

const SHOWN = 'When each technician is free on five days: working hours less visits and the way to them'

export const freeNow: Overview = {
  path: 'availability',
  name: 'availability',
  title: 'Who is free',
  says: `${SHOWN}, from today on`,
  tools: ['jobs_list'],
  read: (by) => freeSheet(by, todayIn(by.caller.tenant.timezone)),
}

export const availability: Overview = {
  path: 'availability/{date}',
  name: 'availability_from',
  title: 'Who is free from a day on',
  says: `${SHOWN}, from a day on`,
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
  says: 'When each technician is free on five days, and the minutes of driving that a visit at a location adds',
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
  const people = await freeTime(db, timezone, { from, until, place })
  const days = Array.from({ length: DAYS }, (_, i) => first.add({ days: i }))
  return {
    title: `Free times from ${first.toString()}`,
    currency,
    says: [
      `Times are local, in ${timezone}; what is past is left out. "off" is no working day, ` +
        `"full" has no free quarter of an hour.`,
      ...(location === undefined ? [] : [DRIVING, ...leastDriving(people, timezone)]),
    ],
    parts: [
      {
        name: 'people',
        title: 'People',
        none: 'Nobody works here yet.',
        columns: [
          { name: 'person', label: 'Person' },
          ...days.map((day) => ({
            name: day.toString(),
            label: `${day.toLocaleString('en-US', { weekday: 'short' })} ${day.toString().slice(5)}`,
          })),
        ],
        rows: people
          .slice(0, maxPeople)
          .map((one) => ({
            person: one.skills.length === 0 ? one.name : `${one.name} (${one.skills.join(', ')})`,
            ...Object.fromEntries(days.map((day) => [day.toString(), freeOn(one, day, timezone)])),
          })),
        more: Math.max(0, people.length - maxPeople),
        rest: 'jobs_list with assignee and days shows what one of them does',
      },
    ],
  }
}

const DRIVING =
  'The drives to and from the location are left out of the times. "+10 min" is the driving that a visit adds between ' +
  'the ones before and after it that day, "about" where it is an estimate.'

const drivingText = (driving: ReturnType<MemberTime['drivingIn']>): string =>
  driving === undefined ? '' : ` (${driving.isEstimate ? 'about ' : ''}+${driving.minutes} min)`

/** Names the free hours that add the least driving, then the earliest. */
function leastDriving(people: readonly MemberTime[], zone: string): string[] {
  const hours = people
    .flatMap(({ name, free, drivingIn }) => free.map((span) => ({ name, span, driving: drivingIn(span) })))
    .flatMap(({ name, span, driving }) => {
      const from = Math.ceil(Math.max(span.from, Date.now()) / SHORTEST) * SHORTEST
      return driving === undefined || span.to - from < HOUR ? [] : [{ name, from, driving }]
    })
    .sort((a, b) => a.driving.minutes - b.driving.minutes || a.from - b.from)
    .slice(0, MAX_SPANS)
  const texts = hours.map(({ name, from, driving }) => {
    const start = at(from, zone)
    return `${name} ${start.toPlainDate().toString()} ${timeOf(start)}${drivingText(driving)}`
  })
  return texts.length === 0 ? [] : [`Least driving for an hour of work: ${texts.join(', ')}.`]
}

/** Describes when somebody is free on a day, from now on. */
function freeOn({ work, free, drivingIn }: MemberTime, day: Temporal.PlainDate, zone: string): string {
  const begin = day.toZonedDateTime(zone).epochMilliseconds
  const end = day.add({ days: 1 }).toZonedDateTime(zone).epochMilliseconds
  if (!work.some(({ from, to }) => from < end && to > begin)) return 'off'
  const spans = free
    .map(({ from, to }) => ({ from: Math.max(from, begin, Date.now()), to: Math.min(to, end) }))
    .filter(({ from, to }) => to - from >= SHORTEST)
  if (spans.length === 0) return 'full'
  const clockSpans = spans.slice(0, MAX_SPANS).map((span) => clocks(span, day, zone) + drivingText(drivingIn(span)))
  return clockSpans.join(', ') + (spans.length > MAX_SPANS ? ', …' : '')
}

const clocks = ({ from, to }: TimeStretch, day: Temporal.PlainDate, zone: string): string => {
  const end = at(to, zone)
  const isMidnight = !end.toPlainDate().equals(day)
  return `${timeOf(at(from, zone))}-${isMidnight ? '24:00' : timeOf(end)}`
}

const at = (milliseconds: number, zone: string): Temporal.ZonedDateTime =>
  Temporal.Instant.fromEpochMilliseconds(milliseconds).toZonedDateTimeISO(zone)

const timeOf = (time: Temporal.ZonedDateTime): string => time.toPlainTime().toString({ smallestUnit: 'minute' })
