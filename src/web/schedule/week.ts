import { html, when, type Html } from '../../html/html.ts'
import { addressOf } from './asked.ts'
import type { Booking } from './bookings.ts'
import { card, isOn, minutesOf, startOf, type Around } from './card.ts'
import { wallDay, wallTime } from './clock.ts'
import type { Lane } from './lanes.ts'

/** Draws a week: the visits of each technician by day. */
export const weekHtml = (around: Around, lanes: readonly Lane[]): Html => html`
<div class="week-room" id="board" tabindex="0" role="group" aria-label="The week by technician">
<table class="week">
  <caption class="unseen">Visits by technician and day</caption>
  <thead><tr><td></td>${around.asked.days.map(
    (day) => html`
    <th scope="col"${when(day.equals(around.asked.today), () => html` class="today" aria-current="date"`)}><a href="${addressOf(around.context, { day, view: 'day' })}">${named(day)}</a></th>`,
  )}
  </tr></thead>
  <tbody>${lanes.map(
    (lane) => html`
    <tr id="lane-${lane.id}">
      <th scope="row"><span class="lane-name">${lane.name}</span></th>${around.asked.days.map((day) => cell(around, lane, day))}
    </tr>`,
  )}
  </tbody>
</table>
</div>`

function cell(around: Around, { id, name, bookings }: Lane, day: Temporal.PlainDate): Html {
  const zone = around.context.company.timezone
  const here = bookings
    .filter((booking) => isOn(booking, day, zone))
    .sort((a, b) => Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start))
  return html`
      <td class="${here.length === 0 ? 'free' : 'busy'}" id="on-${id}-${day.toString()}" data-lane="${id}" data-name="${name}" data-day="${day.toString()}" data-label="${named(day)}"><ol class="stack">${here.map(
        (booking) =>
          card(around, {
            job: booking,
            id: `v-${booking.id}-${id}-${day.toString()}`,
            when: startOf(booking, zone),
            data: {
              long: minutesOf(booking),
              time: booking.all_day ? '' : wallTime(booking.scheduled_start, zone),
              ...fixed(booking, day, zone),
            },
          }),
      )}</ol></td>`
}

const fixed = ({ status, scheduled_start }: Booking, day: Temporal.PlainDate, zone: string): Record<string, string> =>
  status === 'done' ? { fixed: 'done' } : wallDay(scheduled_start, zone).equals(day) ? {} : { fixed: 'earlier' }

const named = (day: Temporal.PlainDate): string => DAY.format(Date.parse(`${day.toString()}T00:00:00Z`))

const DAY = new Intl.DateTimeFormat('en-US', { timeZone: 'UTC', weekday: 'short', month: 'short', day: 'numeric' })
