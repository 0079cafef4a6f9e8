import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { day as longDay } from '../../../records/format/formats.ts'
import type { Roster } from '../../../scheduling/roster.ts'
import { wordFor } from '../../../records/page/states.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import { queryOf } from '../schedule_view.ts'
import { evenShare, moreLink } from '../overflow.ts'
import type { Booking } from '../bookings.ts'
import { lateMark } from './late.ts'
import { crewOf, dayOffReason, bookingsOn, personClass, timesOf, type BoardContext } from './card.ts'
import { laneIdsOf } from './lanes.ts'

/** Maximum visits that a week lists on a phone. The pages of its days have all of them. */
const MAX_STOPS = 70

/** Draws the same visits for a phone: one list per day, by time, each with its technicians. */
export function agendaHtml(board: BoardContext, booked: readonly Booking[]): Html {
  const { scheduleView, context } = board
  const byDay = scheduleView.days.map((day) => ({
    day,
    dayBookings: bookingsOn(booked, day, context.company.timezone).sort(
      (a, b) => Number(b.all_day) - Number(a.all_day) || a.scheduled_start.localeCompare(b.scheduled_start),
    ),
  }))
  const share =
    scheduleView.view === 'day'
      ? Infinity
      : evenShare(
          byDay.map(({ dayBookings }) => dayBookings.length),
          MAX_STOPS,
        )
  return html`
<div class="agenda-days" id="agenda">${byDay.map(
    ({ day, dayBookings }) => html`
  <section id="agenda-${day.toString()}"${when(day.equals(scheduleView.today), () => html` class="today"`)}${when(
    scheduleView.view === 'day',
    () => html` aria-label="${longDay(day.toString())}"`,
  )}>${when(
    scheduleView.view === 'week',
    () => html`
    <h2>${longDay(day.toString())}</h2>`,
  )}${
    dayBookings.length === 0
      ? html`
    <p class="help">${say`No visits`}</p>`
      : html`
    <ol>${dayBookings.slice(0, share).map((booking) => stopHtml(board, booking, day))}</ol>${moreLink(
      board,
      dayBookings.length - share,
      day,
    )}`
  }
  </section>`,
  )}
</div>`
}

const stopHtml = (
  { context, scheduleView, mayMove, roster, colors, late }: BoardContext,
  booking: Booking,
  day: Temporal.PlainDate,
): Html => html`
<li class="stop ${booking.status}${personClass(colors, booking.assignees[0]?.user_id)}"
  id="a-${booking.id}-${day.toString()}"><a
  href="${context.path('jobs', booking.id)}"><b>${timesOf(booking, context.company.timezone)}</b> ${laneIdsOf(booking)
    .flatMap((lane) => late?.get(lane)?.get(booking.id) ?? [])
    .slice(0, 1)
    .map((visit) => lateMark(visit, context.company.timezone))}<span class="stop-title">${booking.title}</span>
<span>${booking.customer_name}${when(
  booking.location_address,
  (address) => html` · ${localAddress(address, context.company.country)}`,
)}</span>
<span class="stop-who">${crewOf(booking)} · ${[wordFor(booking.status, 'visit'), ...daysOff(roster, booking, day)].join(
  ' · ',
)}</span></a>${when(
  mayMove,
  () =>
    html`<a class="button quiet"
      href="${context.path('schedule', 'move', booking.id)}?${queryOf({ ...scheduleView, day })}">${say`Move`}<span
        class="unseen"> ${booking.title}</span></a>`,
)}
      </li>`

const daysOff = (roster: Roster, booking: Booking, day: Temporal.PlainDate): Set<string> =>
  new Set(laneIdsOf(booking).flatMap((lane) => dayOffReason(roster, booking, lane, day) ?? []))
