import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { weekdayOfYear } from '../../../records/format/formats.ts'
import { addressOf } from '../schedule_view.ts'
import { evenShare, moreOf } from '../bounded.ts'
import type { Booking } from '../bookings.ts'
import { card, dayData, bookingsOn, datesOf, newHere, startOf, timesOf, type BoardContext } from './card.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import type { Lane } from './lanes.ts'
import { packIntervals } from './packing.ts'

/** Maximum visits in a week's table. The pages of its days have all of them. */
const MAX_CARDS = 180

/** Draws a week: each technician's visits by day, capped to the same number per cell if there are too many. */
export function weekHtml(around: BoardContext, lanes: readonly Lane[]): Html {
  const zone = around.context.company.timezone
  const rows = lanes.map((lane) => ({ ...lane, ...barsOf(lane, around.scheduleView.days, zone) }))
  const counts = rows.flatMap(({ single }) =>
    around.scheduleView.days.map((day) => bookingsOn(single, day, zone).length),
  )
  const share = evenShare(counts, MAX_CARDS)
  return html`
<div class="week-room" id="board" tabindex="0" role="group" aria-label="${say`The week by technician`}">
<table class="week">
  <caption class="unseen">${say`Visits by technician and day`}</caption>
  <thead><tr><td></td>${around.scheduleView.days.map(
    (day) => html`
    <th scope="col" class="${kindOf(around, day)}"${when(
      day.equals(around.scheduleView.today),
      () => html` aria-current="date"`,
    )}><a href="${addressOf(around.context, { day, view: 'day' })}">${weekdayOfYear(day.toString())}</a></th>`,
  )}
  </tr></thead>
  <tbody>${rows.map(
    (lane, row) => html`
    <tr id="lane-${lane.id}">
      <th scope="row"><span class="lane-name">${lane.name}</span></th>${around.scheduleView.days.map((day, column) =>
        cell(around, lane, day, { share, row, column }),
      )}
    </tr>`,
  )}
  </tbody>
</table>
</div>`
}

/** Visit of several days, drawn as one bar: first column, end column (exclusive), and row among the bars. */
type WeekBar = { booking: Booking; from: number; to: number; row: number }

type WeekLane = Lane & { bars: readonly WeekBar[]; single: readonly Booking[] }

/** Splits a lane's visits into bars of several days, stacked where they overlap, and single-day visits. */
function barsOf(
  { bookings }: Lane,
  days: readonly Temporal.PlainDate[],
  zone: string,
): Pick<WeekLane, 'bars' | 'single'> {
  const dates = days.map(String)
  const spans = bookings.map((booking) => {
    const [first, last] = datesOf(booking, zone)
    const from = dates.findIndex((date) => date >= first)
    return { booking, from: from < 0 ? dates.length : from, to: dates.findLastIndex((date) => date <= last) + 1 }
  })
  const long = spans.filter(({ from, to }) => to - from > 1)
  const places = packIntervals(long)
  return {
    bars: long.map((span, i) => ({ ...span, row: places[i]?.column ?? 0 })),
    single: spans.flatMap(({ booking, from, to }) => (to - from === 1 ? [booking] : [])),
  }
}

type CellPlace = { share: number; row: number; column: number }

/** Draws a cell: the bars that start in it, space for continuing bars, and its own visits. */
function cell(
  around: BoardContext,
  { id, name, bars, single }: WeekLane,
  day: Temporal.PlainDate,
  { share, row, column }: CellPlace,
): Html {
  const zone = around.context.company.timezone
  const here = bookingsOn(single, day, zone).sort(
    (a, b) => Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start),
  )
  const over = bars.filter(({ from, to }) => from <= column && column < to)
  const rows = Array.from({ length: Math.max(0, ...over.map((bar) => bar.row + 1)) }, (_, i) =>
    over.find((bar) => bar.row === i && bar.from === column),
  )
  const draw = (booking: Booking, span = 1): Html =>
    card(around, {
      job: booking,
      id: `v-${booking.id}-${row}-${column}`,
      when: span === 1 ? startOf(booking, zone) : timesOf(booking, zone),
      placed: span === 1 ? '' : `bar d${span}`,
      on: { lane: id, day },
      hasAddress: false,
      data: dayData(booking, day, zone),
    })
  return html`
      <td class="${classesOf(around, id, day, here.length + over.length)}" id="on-${id}-${day.toString()}"
        data-lane="${id}" data-day="${day.toString()}">
        <ol class="stack">${rows.map((bar) =>
          bar === undefined ? html`<li class="bar-gap" aria-hidden="true"></li>` : draw(bar.booking, bar.to - bar.from),
        )}${here.slice(0, share).map((booking) => draw(booking))}</ol>${moreOf(
          around,
          here.length - share,
          day,
          name,
        )}${when(around.mayBook, () => newHere(around, id, name, day, weekdayOfYear(day.toString())))}</td>`
}

const classesOf = (around: BoardContext, lane: string, day: Temporal.PlainDate, count: number): string =>
  [
    count === 0 ? 'free' : 'busy',
    kindOf(around, day),
    around.roster.spansOn(lane === NOBODY ? null : lane, day).length === 0 ? 'off' : '',
  ]
    .filter(Boolean)
    .join(' ')

/** Returns the classes of a day: today, weekend. */
const kindOf = ({ scheduleView }: BoardContext, day: Temporal.PlainDate): string =>
  [day.equals(scheduleView.today) ? 'today' : '', day.dayOfWeek > 5 ? 'weekend' : ''].filter(Boolean).join(' ')
