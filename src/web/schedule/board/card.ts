import { html, when, type Html } from '../../../platform/html/html.ts'
import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { moment, time } from '../../../records/format/formats.ts'
import { wordFor } from '../../../records/page/states.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import type { Roster } from '../../../scheduling/roster.ts'
import type { MemberContext } from '../../member_context.ts'
import { fitInPath, queryOf, type ScheduleView } from '../schedule_view.ts'
import type { Booking, ScheduledJob } from '../bookings.ts'
import { wallDay, wallTime } from '../clock.ts'
import { colorClass } from '../map/map_svg.ts'
import { NOBODY } from '../../../records/jobs/index.ts'
import { lateMark, type LateVisits } from './late.ts'

/** Context for drawing the schedule. */
export type BoardContext = {
  context: MemberContext
  scheduleView: ScheduleView
  mayMove: boolean
  /** True if calls can be booked in empty cells. */
  mayBook: boolean
  roster: Roster
  /** Colors of the technicians, as on the map. */
  people?: ReadonlyMap<string, number>
  /** The same colors, if visits are drawn in them too. */
  colors?: ReadonlyMap<string, number> | undefined
  /** Late visits of the day. */
  late?: LateVisits
  /** Placeholder for the street map; empty if there is no street data. */
  streets?: Html | ''
  /** Visits that a proposal moves, at their old and new positions. */
  marks?: ReadonlyMap<ScheduledJob, BookingMark>
}

export type BookingMark = 'leaving' | 'proposed'

type Card = {
  job: ScheduledJob
  /** Element id: unique on the page, and the same each time the page is drawn. */
  id: string
  /** Formatted time. */
  timeText: Html | string
  /** CSS classes of its position. */
  positionClasses?: string
  /** Lane and day that it is drawn in. */
  cell?: { lane: string; day: Temporal.PlainDate }
  /** False if a card has no space for the address. */
  hasAddress?: boolean
  /** True to link to the best free times for it. */
  hasFitInLink?: boolean
  /** Data attributes for the script. */
  data: Readonly<Record<string, string | number>>
}

/** Draws a visit as one link with time, title, customer, crew and status, next to the link that moves it. */
export const card = (
  { context, scheduleView, mayMove, roster, colors, late }: BoardContext,
  { job, id, timeText: hours, positionClasses = '', cell, hasAddress = true, hasFitInLink = false, data }: Card,
): Html => html`
<li class="visit ${job.status} ${positionClasses}${personClass(colors, cell?.lane)}" id="${id}" data-job="${job.id}"
  data-at="${job.updated_at}"${dataAttributes(data)}>
<a href="${context.path('jobs', job.id)}"><b>${hours}</b> ${urgency(job)}${when(
  cell && dayOffReason(roster, job, cell.lane, cell.day),
  mark,
)}${when(cell && late?.get(cell.lane)?.get(job.id), (visit) =>
  lateMark(visit, context.company.timezone),
)}<span class="visit-title">${job.title}</span><span class="unseen">, </span><span
  class="visit-for">${job.customer_name}</span>${
    job.location_address == null || !hasAddress
      ? ''
      : html`<span class="visit-where">${localAddress(job.location_address, context.company.country)}</span>`
  }<span class="unseen">, ${crewOf(job)}, </span>${state(job)}</a>${when(mayMove, () => moveLink(context, scheduleView, job))}${when(
    mayMove && hasFitInLink,
    () => html`
<a class="visit-fit" href="${fitInPath(context, scheduleView.day, job.id)}">${say`Fit in`}<span
  class="unseen"> ${job.title}</span></a>`,
  )}
</li>`

/** Draws the link to the move form. Scripts send moves to the same URL. */
export const moveLink = (context: MemberContext, scheduleView: ScheduleView, { id, title }: ScheduledJob): Html => html`
<a class="visit-move"
  href="${context.path('schedule', 'move', id)}?${queryOf(scheduleView)}"><span>${say`Move`}<span
    class="unseen"> ${title}</span></span></a>`

export const dataAttributes = (data: Card['data']): Html =>
  html`${Object.entries(data).map(([name, value]) => html` data-${name}="${value}"`)}`

/** Returns the data of a visit that is moved between days. A visit of several days is moved from its first day. */
export const dayData = (booking: Booking, day: Temporal.PlainDate, zone: string): Card['data'] => ({
  long: minutesOf(booking),
  time: booking.all_day ? '' : wallTime(booking.scheduled_start, zone),
  ...(booking.status === 'done'
    ? { fixed: 'done' }
    : wallDay(booking.scheduled_start, zone).equals(day)
      ? {}
      : { fixed: 'earlier' }),
})

/** Returns the class of a technician's color, with a leading space. */
export const personClass = (colors: BoardContext['colors'], lane: string | undefined): string => {
  const color = lane === undefined ? undefined : colors?.get(lane)
  return color === undefined ? '' : ` ${colorClass(color)}`
}

export const crewOf = ({ assignees }: ScheduledJob): string =>
  assignees.length === 0 ? say`Unassigned` : assignees.map(({ name }) => name).join(', ')

/** Shows only unusual statuses. Screen readers get the others too. */
const state = ({ status }: ScheduledJob): Html =>
  html`<span class="${status === 'scheduled' || status === 'unscheduled' ? 'unseen' : 'visit-state'}">${wordFor(
    status,
    'visit',
  )}</span>`

const urgency = ({ priority }: ScheduledJob): Html | '' =>
  when(priority === 'high' || priority === 'urgent', () => mark(wordFor(priority)))

const mark = (text: string): Html => html`<span class="visit-mark"><span>${text}</span></span> `

/** Returns the reason why a visit's technician is off that day; undefined for a done visit. */
export function dayOffReason(
  roster: Roster,
  { status }: ScheduledJob,
  lane: string,
  day: Temporal.PlainDate,
): string | undefined {
  const off = status === 'done' ? undefined : roster.dayOff(lane === NOBODY ? null : lane, day)
  if (off === undefined) return undefined
  return off.reason === 'holiday' ? say`Holiday` : say`Time off`
}

/** Returns `9:00 – 10:30 AM`, with days if it crosses midnight. In a small space only the start is visible. */
export function timesOf(booking: Booking, zone: string): Html | string {
  if (booking.all_day) return say`Any time`
  const timesHtml = timesCache.get(booking) ?? drawTimes(booking, zone)
  timesCache.set(booking, timesHtml)
  return timesHtml
}

/** Formatted times of each visit, which a page draws in several places. */
const timesCache = new WeakMap<Booking, Html>()

function drawTimes({ scheduled_start, scheduled_end }: Booking, zone: string): Html {
  const format = timeFormat(zone, isOneDay(scheduled_start, scheduled_end, zone))
  const parts = format.formatRangeToParts(Date.parse(scheduled_start), Date.parse(scheduled_end))
  const end = parts.findIndex(({ source }) => source !== 'startRange')
  const text = (range: typeof parts): string => range.map(({ value }) => value).join('')
  return html`${text(parts.slice(0, end))}<span class="end">${text(parts.slice(end))}</span>`
}

/** Returns the start time, with the end for screen readers. */
export const startOf = ({ scheduled_start, scheduled_end, all_day }: Booking, zone: string): Html | string =>
  all_day
    ? say`Any time`
    : html`${time(
        scheduled_start,
        zone,
      )}<span class="unseen"> ${say`to ${(isOneDay(scheduled_start, scheduled_end, zone) ? time : moment)(scheduled_end, zone)}`}</span>`

const isOneDay = (start: string, end: string, zone: string): boolean => wallDay(start, zone).equals(wallDay(end, zone))

const timeFormats = new Map<string, Intl.DateTimeFormat>()

function timeFormat(timeZone: string, isOneDay: boolean): Intl.DateTimeFormat {
  const key = `${currentLocale()} ${timeZone} ${isOneDay}`
  const format =
    timeFormats.get(key) ??
    new Intl.DateTimeFormat(currentLocale(), {
      timeZone,
      hour: 'numeric',
      minute: '2-digit',
      ...(isOneDay ? {} : { weekday: 'short' }),
    })
  timeFormats.set(key, format)
  return format
}

const DAY = 24 * 60 * 60_000

/**
 * Returns the visits on a day of the company's calendar. An all-day visit takes whole days, regardless of its hours.
 */
export function bookingsOn(bookings: readonly Booking[], day: Temporal.PlainDate, zone: string): Booking[] {
  const date = day.toString()
  return bookings.filter((booking) => {
    const [first, last] = datesOf(booking, zone)
    return first <= date && date <= last
  })
}

type DateRange = readonly [first: string, last: string]

/** First and last date of each visit, which a page draws in several places. */
const datesCache = new WeakMap<Booking, DateRange>()

export function datesOf(booking: Booking, zone: string): DateRange {
  const computed = datesCache.get(booking) ?? computeDates(booking, zone)
  datesCache.set(booking, computed)
  return computed
}

function computeDates({ scheduled_start, scheduled_end, all_day }: Booking, zone: string): DateRange {
  const first = wallDay(scheduled_start, zone)
  const [start, end] = [Date.parse(scheduled_start), Date.parse(scheduled_end)]
  const last = all_day
    ? first.add({ days: Math.max(1, Math.round((end - start) / DAY)) - 1 })
    : wallDay(new Date(end - 1).toISOString(), zone)
  return [first.toString(), last.toString()]
}

/** Returns the duration in minutes. */
export const minutesOf = ({ scheduled_start, scheduled_end }: Booking): number =>
  Math.round((Date.parse(scheduled_end) - Date.parse(scheduled_start)) / 60_000)

/** Draws a link that books a call for a technician, from a day on. */
export const newCallLink = (
  { context }: BoardContext,
  lane: string,
  name: string,
  day: Temporal.PlainDate,
  label: string,
): Html => {
  const query = new URLSearchParams({ after: day.toString(), ...(lane === NOBODY ? {} : { who: lane }) })
  return html`<a class="new-here"
    href="${context.path('calls', 'new')}?${query.toString()}"><span aria-hidden="true">+</span><span
    class="unseen">${say`New call for ${name}, ${label}`}</span></a>`
}
