import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { weekdayOfYear } from '../../../records/format/formats.ts'
import { addressOf } from '../schedule_view.ts'
import { evenShare, moreLink } from '../overflow.ts'
import type { Booking } from '../bookings.ts'
import { card, dayData, bookingsOn, datesOf, newCallLink, startOf, timesOf, type BoardContext } from './card.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import type { Lane } from './lanes.ts'
import { packIntervals } from './packing.ts'

/** Maximum visits in a week's table. The pages of its days have all of them. */
const MAX_CARDS = 180

/** Draws a week: each technician's visits by day, capped to the same number per cell if there are too many. */
export function weekHtml(board: BoardContext, lanes: readonly Lane[]): Html {
  const zone = board.context.company.timezone
  const rows = lanes.map((lane) => ({ ...lane, ...barsOf(lane, board.scheduleView.days, zone) }))
  const counts = rows.flatMap(({ single }) =>
    board.scheduleView.days.map((day) => bookingsOn(single, day, zone).length),
  )
  const share = evenShare(counts, MAX_CARDS)
  return html`
<div class="week-room" id="board" tabindex="0" role="group" aria-label="${say`The week by technician`}">
<table class="week">
  <caption class="unseen">${say`Visits by technician and day`}</caption>
  <thead><tr><td></td>${board.scheduleView.days.map(
    (day) => html`
    <th scope="col" class="${dayClasses(board, day)}"${when(
      day.equals(board.scheduleView.today),
      () => html` aria-current="date"`,
    )}><a href="${addressOf(board.context, { day, view: 'day' })}">${weekdayOfYear(day.toString())}</a></th>`,
  )}
  </tr></thead>
  <tbody>${rows.map(
    (lane, row) => html`
    <tr id="lane-${lane.id}">
      <th scope="row"><span class="lane-name">${lane.name}</span></th>${board.scheduleView.days.map((day, column) =>
        cell(board, lane, day, { share, row, column }),
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
  const placements = packIntervals(long)
  return {
    bars: long.map((span, i) => ({ ...span, row: placements[i]?.column ?? 0 })),
    single: spans.flatMap(({ booking, from, to }) => (to - from === 1 ? [booking] : [])),
  }
}

type CellPosition = { share: number; row: number; column: number }

/** Draws a cell: the bars that start in it, space for continuing bars, and its own visits. */
function cell(
  board: BoardContext,
  { id, name, bars, single }: WeekLane,
  day: Temporal.PlainDate,
  { share, row, column }: CellPosition,
): Html {
  const zone = board.context.company.timezone
  const dayBookings = bookingsOn(single, day, zone).sort(
    (a, b) => Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start),
  )
  const dayBars = bars.filter(({ from, to }) => from <= column && column < to)
  const rows = Array.from({ length: Math.max(0, ...dayBars.map((bar) => bar.row + 1)) }, (_, i) =>
    dayBars.find((bar) => bar.row === i && bar.from === column),
  )
  const drawCard = (booking: Booking, span = 1): Html =>
    card(board, {
      job: booking,
      id: `v-${booking.id}-${row}-${column}`,
      timeText: span === 1 ? startOf(booking, zone) : timesOf(booking, zone),
      positionClasses: span === 1 ? '' : `bar d${span}`,
      cell: { lane: id, day },
      hasAddress: false,
      data: dayData(booking, day, zone),
    })
  return html`
      <td class="${cellClasses(board, id, day, dayBookings.length + dayBars.length)}" id="on-${id}-${day.toString()}"
        data-lane="${id}" data-day="${day.toString()}">
        <ol class="stack">${rows.map((bar) =>
          bar === undefined
            ? html`<li class="bar-gap" aria-hidden="true"></li>`
            : drawCard(bar.booking, bar.to - bar.from),
        )}${dayBookings.slice(0, share).map((booking) => drawCard(booking))}</ol>${moreLink(
          board,
          dayBookings.length - share,
          day,
          name,
        )}${when(board.mayBook, () => newCallLink(board, id, name, day, weekdayOfYear(day.toString())))}</td>`
}

const cellClasses = (board: BoardContext, lane: string, day: Temporal.PlainDate, count: number): string =>
  [
    count === 0 ? 'free' : 'busy',
    dayClasses(board, day),
    board.roster.spansOn(lane === NOBODY ? null : lane, day).length === 0 ? 'off' : '',
  ]
    .filter(Boolean)
    .join(' ')

/** Returns the classes of a day: today, weekend. */
const dayClasses = ({ scheduleView }: BoardContext, day: Temporal.PlainDate): string =>
  [day.equals(scheduleView.today) ? 'today' : '', day.dayOfWeek > 5 ? 'weekend' : ''].filter(Boolean).join(' ')
