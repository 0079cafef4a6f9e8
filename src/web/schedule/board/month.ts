import { html, when, type Html } from '../../../platform/html/html.ts'
import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { day as longDay, time } from '../../../records/format/formats.ts'
import { moreLink } from '../overflow.ts'
import type { Booking, Bookings, DayBookings } from '../bookings.ts'
import { addressOf } from '../schedule_view.ts'
import { crewOf, dataAttributes, dayData, moveLink, personClass, type BoardContext } from './card.ts'
import { NOBODY } from '../../../records/jobs/index.ts'

/** Maximum visits that a month draws per day. The pages of its days have all of them. */
export const MAX_PER_DAY = 3

/** Draws a month as weeks of days, each with its first visits and the number of further ones. */
export function monthHtml(board: BoardContext, days: Bookings['days']): Html {
  const { scheduleView } = board
  const weeks = Array.from({ length: scheduleView.days.length / 7 }, (_, week) =>
    scheduleView.days.slice(week * 7, week * 7 + 7),
  )
  return html`
<div class="month" id="board" tabindex="0" role="group" aria-label="${say`The month by day`}">
<table>
  <caption class="unseen">${say`Visits by day`}</caption>
  <thead><tr>${scheduleView.days.slice(0, 7).map((day) => html`<th scope="col">${weekdayOf(day)}</th>`)}</tr></thead>
  <tbody>${weeks.map(
    (week) => html`
    <tr>${week.map((day) => dayCell(board, day, days?.get(day.toString())))}</tr>`,
  )}
  </tbody>
</table>
</div>`
}

function dayCell(
  board: BoardContext,
  day: Temporal.PlainDate,
  { count, first }: DayBookings = { count: 0, first: [] },
): Html {
  const { scheduleView, context, roster } = board
  const classes = [
    day.month === scheduleView.day.month ? '' : 'other',
    day.equals(scheduleView.today) ? 'today' : '',
    roster.spansOn(null, day).length === 0 ? 'off' : '',
  ]
  return html`
      <td class="${classes.filter(Boolean).join(' ')}" id="on-${NOBODY}-${day.toString()}" data-lane="${NOBODY}"
        data-day="${day.toString()}"><a class="month-day"
        href="${addressOf(context, { ...scheduleView, day, view: 'day' })}"${when(
          day.equals(scheduleView.today),
          () => html` aria-current="date"`,
        )}><span aria-hidden="true">${day.day}</span><span class="unseen">${longDay(day.toString())}</span>${when(
          count > 0,
          () =>
            html`<span class="month-count">${count}<span class="unseen"> ${sayCount(
              count,
              'visit',
              'visits',
            )}</span></span>`,
        )}</a>
        <ol class="stack">${first.map((booking) => visitHtml(board, booking, day))}</ol>${moreLink(
          board,
          count - first.length,
          day,
        )}</td>`
}

function visitHtml(
  { context, scheduleView, colors, mayMove }: BoardContext,
  booking: Booking,
  day: Temporal.PlainDate,
): Html {
  const { timezone } = context.company
  return html`
          <li class="visit ${booking.status}${personClass(colors, booking.assignees[0]?.user_id)}"
            id="v-${booking.id}-${day.toString()}" data-job="${booking.id}"${when(mayMove, () =>
              dataAttributes({ at: booking.updated_at, ...dayData(booking, day, timezone) }),
            )}><a href="${context.path('jobs', booking.id)}">${when(
              !booking.all_day,
              () => html`<b>${time(booking.scheduled_start, timezone)}</b> `,
            )}<span class="visit-title">${booking.title}</span><span
              class="unseen">, ${booking.customer_name}, ${crewOf(booking)}</span></a>${when(mayMove, () =>
                moveLink(context, scheduleView, booking),
              )}</li>`
}

const weekdayOf = (day: Temporal.PlainDate): string => day.toLocaleString(currentLocale(), { weekday: 'short' })
