import { html, when, type Html } from '../../../platform/html/html.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { subtractTime, workStretches } from '../../../scheduling/working_time.ts'
import { day as longDay, duration, hourName } from '../../../records/format/formats.ts'
import type { Booking } from '../bookings.ts'
import { card, bookingsOn, minutesOf, newHere, timesOf, type BoardContext } from './card.ts'
import { hoursOf, hoursShown, instantOf, minuteOf, type DayLine } from '../clock.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { swatchHtml } from '../map/swatch.ts'
import type { Lane } from './lanes.ts'
import { packIntervals, type ColumnSpan } from './packing.ts'

/** Visit as drawn on its day's timeline: clipped to the day, and long enough to read and click. */
type VisitBox = { booking: Booking; from: number; to: number }

const SHORTEST = 30
/** Shortest visit, in minutes, with space for the time and the title on separate lines. */
const TWO_LINES = 45
/** Number of columns with CSS classes (public/schedule/schedule_day.css). */
const MAX_COLUMNS = 12
/** Maximum all-day visits in a lane before they scroll. */
const MAX_STRIPS = 3

/** Draws a day: lanes of technicians side by side over the hours, or one list after the other on a phone. */
export function dayHtml(around: BoardContext, line: DayLine, lanes: readonly Lane[]): Html {
  const day = Temporal.PlainDate.from(line.day)
  const filled = lanes.map((lane) => {
    const here = bookingsOn(lane.bookings, day, line.zone)
    return {
      ...lane,
      anytime: here.filter(({ all_day }) => all_day),
      drawn: here.filter(({ all_day }) => !all_day).map((booking) => placeOnLine(line, booking)),
    }
  })
  const { since, until } = hoursShown(line, [
    ...filled.flatMap(({ drawn }) => drawn),
    ...filled.flatMap(({ id }) => workOf(around, line, id)),
  ])
  const strips = Math.min(Math.max(...filled.map(({ anytime }) => anytime.length)), MAX_STRIPS)
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
  <div class="lanes">${nowOn(line, since, until)}${filled.map((lane) => laneHtml(around, line, lane))}
  </div>
</div>`
}

/** Draws the current time, on its day. */
function nowOn(line: DayLine, since: number, until: number): Html | '' {
  const minute = minuteOf(line, Temporal.Now.instant().toString())
  return minute < since * 60 || minute >= until * 60
    ? ''
    : html`<span class="now ${positionClass(minute)}" id="now"></span>`
}

type DayLane = Lane & { anytime: readonly Booking[]; drawn: readonly VisitBox[] }

function laneHtml(around: BoardContext, line: DayLine, { id, name, anytime, drawn }: DayLane): Html {
  const places = packIntervals(drawn)
  const most = Math.min(Math.max(1, ...places.map(({ columns }) => columns)), MAX_COLUMNS)
  const count = anytime.length + drawn.length
  const day = Temporal.PlainDate.from(line.day)
  return html`
  <section class="lane o${most}${id === NOBODY && count === 0 ? ' slim' : ''}" id="lane-${id}"
    data-lane="${id}" aria-label="${name}">
    <h2 class="lane-head"><span class="lane-name">${name}${when(
      around.people?.get(id),
      swatchHtml,
    )}</span><span class="help">${loadText(
      count,
      drawn,
    )}</span>${when(around.mayBook, () => newHere(around, id, name, day, longDay(line.day)))}</h2>
    <ol class="strip" id="any-${id}" aria-label="${say`Any time`}">${anytime.map((booking) =>
      card(around, {
        job: booking,
        id: `v-${booking.id}-${id}`,
        when: timesOf(booking, line.zone),
        on: { lane: id, day },
        data: { long: minutesOf(booking), ...lockAttributes(booking, line) },
      }),
    )}</ol>
    <div class="shades" aria-hidden="true">${shadesOf(around, line, id).map(
      (one) => html`<i class="${one}"></i>`,
    )}</div>
    <ol class="track" id="track-${id}" aria-label="${say`By the clock`}">${drawn.map((one, i) =>
      card(around, {
        job: one.booking,
        id: `v-${one.booking.id}-${id}${around.marks?.get(one.booking) === 'proposed' ? '-new' : ''}`,
        when: timesOf(one.booking, line.zone),
        on: { lane: id, day },
        placed:
          `${positionClass(one.from)} ${lengthClass(one.to - one.from)} ` +
          `${columnOf(places[i]!)}${one.to - one.from < TWO_LINES ? ' short' : ''} ` +
          (around.marks?.get(one.booking) ?? ''),
        data: {
          from: minuteOf(line, one.booking.scheduled_start),
          long: minutesOf(one.booking),
          ...lockAttributes(one.booking, line),
        },
      }),
    )}</ol>
  </section>`
}

const loadText = (count: number, drawn: readonly VisitBox[]): string => {
  const busy = drawn.reduce((sum, { from, to }) => sum + to - from, 0)
  if (count === 0) return say`No visits`
  return busy === 0
    ? sayCount(count, 'one visit', '{0} visits')
    : sayCount(count, 'one visit, {1}', '{0} visits, {1}', duration(busy))
}

/** Returns a technician's working hours, in minutes since the day began. */
function workOf({ roster }: BoardContext, line: DayLine, lane: string): { from: number; to: number }[] {
  const day = Temporal.PlainDate.from(line.day)
  const minuteAt = (ms: number): number => Math.round((ms - line.from.epochMilliseconds) / MINUTE)
  return workStretches(day, roster.spansOn(lane === NOBODY ? null : lane, day), line.zone).map(({ from, to }) => ({
    from: minuteAt(from),
    to: minuteAt(to),
  }))
}

/** Returns the positions of a technician's non-working time on the board. */
const shadesOf = (around: BoardContext, line: DayLine, lane: string): string[] =>
  subtractTime([{ from: 0, to: line.minutes }], workOf(around, line, lane)).map(
    ({ from, to }) => `${positionClass(from)} ${lengthClass(to - from)}`,
  )

const MINUTE = 60_000

/**
 * Returns the attribute that blocks dragging: a done visit stays in place, and one from an earlier day is moved on that
 * day's board or in its form.
 */
const lockAttributes = ({ status, scheduled_start }: Booking, line: DayLine): Record<string, string> =>
  status === 'done' ? { fixed: 'done' } : minuteOf(line, scheduled_start) < 0 ? { fixed: 'earlier' } : {}

function placeOnLine(line: DayLine, booking: Booking): VisitBox {
  const to = Math.min(line.minutes, minuteOf(line, booking.scheduled_end))
  const from = Math.max(0, Math.min(minuteOf(line, booking.scheduled_start), line.minutes - SHORTEST))
  return { booking, from, to: Math.max(to, from + SHORTEST) }
}

const positionClass = (minute: number): string => `h${Math.floor(minute / 60)} m${minute % 60}`

const lengthClass = (minutes: number): string => `fh${Math.floor(minutes / 60)} fm${minutes % 60}`

const columnOf = ({ column, columns, span }: ColumnSpan): string =>
  `c${Math.min(column, MAX_COLUMNS - 1)} n${Math.min(columns, MAX_COLUMNS)} w${Math.min(span, MAX_COLUMNS)}`
