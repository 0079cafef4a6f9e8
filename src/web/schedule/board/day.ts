import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { subtractTime, workRanges } from '../../../scheduling/working_time.ts'
import { day as longDay, duration, hourName } from '../../../records/format/formats.ts'
import type { Booking } from '../bookings.ts'
import { card, bookingsOn, minutesOf, newCallLink, timesOf, type BoardContext } from './card.ts'
import { hoursOf, visibleHours, instantOf, minuteOf, type DayTimeline } from '../clock.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { swatchHtml } from '../map/swatch.ts'
import type { Lane } from './lanes.ts'
import { packIntervals, type ColumnSpan } from './packing.ts'

/** Visit as drawn on its day's timeline: clipped to the day, and long enough to read and click. */
type VisitBox = { booking: Booking; from: number; to: number }

const MIN_MINUTES = 30
/** Shortest visit, in minutes, with space for the time and the title on separate lines. */
const MIN_TWO_LINE_MINUTES = 45
/** Number of columns with CSS classes (public/schedule/schedule_day.css). */
const MAX_COLUMNS = 12
/** Maximum all-day visits in a lane before they scroll. */
const MAX_STRIPS = 3

/** Draws a day: lanes of technicians side by side over the hours, or one list after the other on a phone. */
export function dayHtml(board: BoardContext, line: DayTimeline, lanes: readonly Lane[]): Html {
  const day = Temporal.PlainDate.from(line.day)
  const dayLanes = lanes.map((lane) => {
    const dayBookings = bookingsOn(lane.bookings, day, line.zone)
    return {
      ...lane,
      anytime: dayBookings.filter(({ all_day }) => all_day),
      boxes: dayBookings.filter(({ all_day }) => !all_day).map((booking) => toVisitBox(line, booking)),
    }
  })
  const { since, until } = visibleHours(line, [
    ...dayLanes.flatMap(({ boxes }) => boxes),
    ...dayLanes.flatMap(({ id }) => workingHoursOf(board, line, id)),
  ])
  const strips = Math.min(Math.max(...dayLanes.map(({ anytime }) => anytime.length)), MAX_STRIPS)
  return html`
<div class="board s${since} u${until} y${strips}" id="board" tabindex="0" role="group"
  aria-label="${say`The day by technician`}" data-midnight="${instantOf(line, 0)}" data-minutes="${line.minutes}"
  data-since="${since}" data-until="${until}">
  <ol class="hours" aria-hidden="true">${hoursOf(line)
    .filter(({ minute }) => minute >= since * 60 && minute <= until * 60)
    .map(
      ({ minute, hour }) => html`
    <li class="${positionClass(minute)}">${hourName(hour)}</li>`,
    )}
  </ol>
  <div class="lanes">${nowMarker(line, since, until)}${dayLanes.map((lane) => laneHtml(board, line, lane))}
  </div>
</div>`
}

/** Draws the current time, on its day. */
function nowMarker(line: DayTimeline, since: number, until: number): Html | '' {
  const minute = minuteOf(line, Temporal.Now.instant().toString())
  return minute < since * 60 || minute >= until * 60
    ? ''
    : html`<span class="now ${positionClass(minute)}" id="now"></span>`
}

type DayLane = Lane & { anytime: readonly Booking[]; boxes: readonly VisitBox[] }

function laneHtml(board: BoardContext, line: DayTimeline, { id, name, anytime, boxes }: DayLane): Html {
  const placements = packIntervals(boxes)
  const columnCount = Math.min(Math.max(1, ...placements.map(({ columns }) => columns)), MAX_COLUMNS)
  const count = anytime.length + boxes.length
  const day = Temporal.PlainDate.from(line.day)
  return html`
  <section class="lane o${columnCount}${id === NOBODY && count === 0 ? ' slim' : ''}" id="lane-${id}"
    data-lane="${id}" aria-label="${name}">
    <h2 class="lane-head"><span class="lane-name">${name}${when(
      board.people?.get(id),
      swatchHtml,
    )}</span><span class="help">${loadText(
      count,
      boxes,
    )}</span>${when(board.mayBook, () => newCallLink(board, id, name, day, longDay(line.day)))}</h2>
    <ol class="strip" id="any-${id}" aria-label="${say`Any time`}">${anytime.map((booking) =>
      card(board, {
        job: booking,
        id: `v-${booking.id}-${id}`,
        timeText: timesOf(booking, line.zone),
        cell: { lane: id, day },
        data: { long: minutesOf(booking), ...lockAttributes(booking, line) },
      }),
    )}</ol>
    <div class="shades" aria-hidden="true">${shadesOf(board, line, id).map((one) => html`<i class="${one}"></i>`)}</div>
    <ol class="track" id="track-${id}" aria-label="${say`By the clock`}">${boxes.map((one, i) =>
      card(board, {
        job: one.booking,
        id: `v-${one.booking.id}-${id}${board.marks?.get(one.booking) === 'proposed' ? '-new' : ''}`,
        timeText: timesOf(one.booking, line.zone),
        cell: { lane: id, day },
        positionClasses:
          `${positionClass(one.from)} ${lengthClass(one.to - one.from)} ` +
          `${columnClasses(placements[i]!)}${one.to - one.from < MIN_TWO_LINE_MINUTES ? ' short' : ''} ` +
          (board.marks?.get(one.booking) ?? ''),
        data: {
          from: minuteOf(line, one.booking.scheduled_start),
          long: minutesOf(one.booking),
          ...lockAttributes(one.booking, line),
        },
      }),
    )}</ol>
  </section>`
}

const loadText = (count: number, boxes: readonly VisitBox[]): string => {
  const busy = boxes.reduce((sum, { from, to }) => sum + to - from, 0)
  if (count === 0) return say`No visits`
  return busy === 0
    ? sayCount(count, 'one visit', '{0} visits')
    : sayCount(count, 'one visit, {1}', '{0} visits, {1}', duration(busy))
}

/** Returns a technician's working hours, in minutes since the day began. */
function workingHoursOf({ roster }: BoardContext, line: DayTimeline, lane: string): { from: number; to: number }[] {
  const day = Temporal.PlainDate.from(line.day)
  const minuteAt = (ms: number): number => Math.round((ms - line.from.epochMilliseconds) / MINUTE)
  return workRanges(day, roster.spansOn(lane === NOBODY ? null : lane, day), line.zone).map(({ from, to }) => ({
    from: minuteAt(from),
    to: minuteAt(to),
  }))
}

/** Returns the positions of a technician's non-working time on the board. */
const shadesOf = (board: BoardContext, line: DayTimeline, lane: string): string[] =>
  subtractTime([{ from: 0, to: line.minutes }], workingHoursOf(board, line, lane)).map(
    ({ from, to }) => `${positionClass(from)} ${lengthClass(to - from)}`,
  )

const MINUTE = 60_000

/**
 * Returns the attribute that blocks dragging: a done visit stays in place, and one from an earlier day is moved on that
 * day's board or in its form.
 */
const lockAttributes = ({ status, scheduled_start }: Booking, line: DayTimeline): Record<string, string> =>
  status === 'done' ? { fixed: 'done' } : minuteOf(line, scheduled_start) < 0 ? { fixed: 'earlier' } : {}

function toVisitBox(line: DayTimeline, booking: Booking): VisitBox {
  const to = Math.min(line.minutes, minuteOf(line, booking.scheduled_end))
  const from = Math.max(0, Math.min(minuteOf(line, booking.scheduled_start), line.minutes - MIN_MINUTES))
  return { booking, from, to: Math.max(to, from + MIN_MINUTES) }
}

const positionClass = (minute: number): string => `h${Math.floor(minute / 60)} m${minute % 60}`

const lengthClass = (minutes: number): string => `fh${Math.floor(minutes / 60)} fm${minutes % 60}`

const columnClasses = ({ column, columns, span }: ColumnSpan): string =>
  `c${Math.min(column, MAX_COLUMNS - 1)} n${Math.min(columns, MAX_COLUMNS)} w${Math.min(span, MAX_COLUMNS)}`
