import { html, when, type Html } from '../../../platform/html/html.ts'
import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { day as longDay, time } from '../../../records/format/formats.ts'
import { evenShare, moreOf } from '../bounded.ts'
import type { Booking } from '../bookings.ts'
import { addressOf } from '../schedule_view.ts'
import { crewOf, dataAttributes, dayData, bookingsOn, moveLink, personClass, type BoardContext } from './card.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import type { Lane } from './lanes.ts'

/** Maximum visits that a month draws, and on one day; the pages of its days have all of them. */
const [MAX_VISITS, MAX_OF_DAY] = [150, 3]

/** Draws a month as weeks of days, each with its first visits and how many more it has. */
export function monthHtml(around: BoardContext, lanes: readonly Lane[]): Html {
  const { scheduleView, context } = around
  const zone = context.company.timezone
  const booked = [...new Set(lanes.flatMap(({ bookings }) => bookings))]
  const days = scheduleView.days.map((day) => ({
    day,
    here: bookingsOn(booked, day, zone).sort(
      (a, b) => Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start),
    ),
  }))
  const counts = days.map(({ here }) => here.length)
  const share = Math.min(MAX_OF_DAY, evenShare(counts, MAX_VISITS))
  const weeks = Array.from({ length: days.length / 7 }, (_, week) => days.slice(week * 7, week * 7 + 7))
  return html`
<div class="month" id="board" tabindex="0" role="group" aria-label="${say`The month by day`}">
<table>
  <caption class="unseen">${say`Visits by day`}</caption>
  <thead><tr>${scheduleView.days.slice(0, 7).map((day) => html`<th scope="col">${weekdayOf(day)}</th>`)}</tr></thead>
  <tbody>${weeks.map(
    (week) => html`
    <tr>${week.map(({ day, here }) => dayCell(around, day, here, share))}</tr>`,
  )}
  </tbody>
</table>
</div>`
}

function dayCell(around: BoardContext, day: Temporal.PlainDate, here: readonly Booking[], share: number): Html {
  const { scheduleView, context, roster } = around
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
          here.length > 0,
          () =>
            html`<span class="month-count">${here.length}<span class="unseen"> ${sayCount(
              here.length,
              'visit',
              'visits',
            )}</span></span>`,
        )}</a>
        <ol class="stack">${here.slice(0, share).map((booking) => visitHtml(around, booking, day))}</ol>${moreOf(
          around,
          here.length - Math.min(share, here.length),
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
