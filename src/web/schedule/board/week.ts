import { html, when, type Html } from '../../../platform/html/html.ts'
import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { addressOf } from '../schedule_view.ts'
import { evenShare, moreOf } from '../bounded.ts'
import type { Booking } from '../bookings.ts'
import { card, isOn, minutesOf, newHere, startOf, type BoardContext } from './card.ts'
import { wallDay, wallTime } from '../clock.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import type { Lane } from './lanes.ts'

/** Maximum number of visits that the table of a week draws; the pages of its days have all of them. */
const MAX_CARDS = 180

/** Draws a week: the visits of each technician by day, an equal number in each cell where there are too many. */
export function weekHtml(around: BoardContext, lanes: readonly Lane[]): Html {
  const zone = around.context.company.timezone
  const counts = lanes.flatMap(({ bookings }) =>
    around.asked.days.map((day) => bookings.filter((booking) => isOn(booking, day, zone)).length),
  )
  const share = evenShare(counts, MAX_CARDS)
  return html`
<div class="week-room" id="board" tabindex="0" role="group" aria-label="${say`The week by technician`}">
<table class="week">
  <caption class="unseen">${say`Visits by technician and day`}</caption>
  <thead><tr><td></td>${around.asked.days.map(
    (day) => html`
    <th scope="col" class="${kindOf(around, day)}"${when(
      day.equals(around.asked.today),
      () => html` aria-current="date"`,
    )}><a href="${addressOf(around.context, { day, view: 'day' })}">${dayLabel(day)}</a></th>`,
  )}
  </tr></thead>
  <tbody>${lanes.map(
    (lane, row) => html`
    <tr id="lane-${lane.id}">
      <th scope="row"><span class="lane-name">${lane.name}</span></th>${around.asked.days.map((day, column) =>
        cell(around, lane, day, { share, at: `${row}-${column}` }),
      )}
    </tr>`,
  )}
  </tbody>
</table>
</div>`
}

/** Draws a cell; `at` is its row and column, by which the ids of its visits differ from those in other cells. */
function cell(
  around: BoardContext,
  { id, name, bookings }: Lane,
  day: Temporal.PlainDate,
  { share, at }: { share: number; at: string },
): Html {
  const zone = around.context.company.timezone
  const here = bookings
    .filter((booking) => isOn(booking, day, zone))
    .sort((a, b) => Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start))
  return html`
      <td class="${classesOf(around, id, day, here.length)}" id="on-${id}-${day.toString()}"
        data-lane="${id}" data-day="${day.toString()}">
        <ol class="stack">${here
          .slice(0, share)
          .map((booking) =>
            card(around, {
              job: booking,
              id: `v-${booking.id}-${at}`,
              when: startOf(booking, zone),
              on: { lane: id, day },
              hasAddress: false,
              data: {
                long: minutesOf(booking),
                time: booking.all_day ? '' : wallTime(booking.scheduled_start, zone),
                ...lockAttributes(booking, day, zone),
              },
            }),
          )}</ol>${moreOf(around, here.length - share, day, name)}${when(around.mayBook, () =>
          newHere(around, id, name, day, dayLabel(day)),
        )}</td>`
}

const lockAttributes = (
  { status, scheduled_start }: Booking,
  day: Temporal.PlainDate,
  zone: string,
): Record<string, string> =>
  status === 'done' ? { fixed: 'done' } : wallDay(scheduled_start, zone).equals(day) ? {} : { fixed: 'earlier' }

const dayLabel = (day: Temporal.PlainDate): string =>
  day.toLocaleString(currentLocale(), { weekday: 'short', month: 'short', day: 'numeric' })

const classesOf = (around: BoardContext, lane: string, day: Temporal.PlainDate, count: number): string =>
  [
    count === 0 ? 'free' : 'busy',
    kindOf(around, day),
    around.roster.spansOn(lane === NOBODY ? null : lane, day).length === 0 ? 'off' : '',
  ]
    .filter(Boolean)
    .join(' ')

/** Returns the classes of a day: today, weekend. */
const kindOf = ({ asked }: BoardContext, day: Temporal.PlainDate): string =>
  [day.equals(asked.today) ? 'today' : '', day.dayOfWeek > 5 ? 'weekend' : ''].filter(Boolean).join(' ')
