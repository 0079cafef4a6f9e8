import { currentLocale } from '../../platform/i18n/reader.ts'
import { formatMonth } from '../../records/format/formats.ts'
import { parseDay } from '../../platform/validation/formats/days.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'

export const VIEWS = ['day', 'week', 'month', 'map'] as const
export type View = (typeof VIEWS)[number]

/** Visible part of the schedule. */
export type ScheduleView = {
  view: View
  /** True to color visits by technician, false by status. */
  isByPerson: boolean
  day: Temporal.PlainDate
  /** The day, the seven days of its week, or the weeks of its month. */
  days: readonly Temporal.PlainDate[]
  today: Temporal.PlainDate
  /** Requested day that is invalid for a visit. */
  invalidDay?: string
}

/** Parses the view from the URL. The default day is today. */
export function readScheduleView(
  { company: { timezone, country } }: MemberContext,
  query: URLSearchParams,
): ScheduleView {
  const view = VIEWS.find((one) => one === query.get('view')) ?? 'day'
  const [today, text] = [todayIn(timezone), query.get('day')?.trim() ?? '']
  const day = text === '' ? today : parseDay(text, 2000, 2100)
  const current = day ?? today
  return {
    view,
    isByPerson: query.get('colors') === 'person',
    day: current,
    days: view === 'week' ? weekOf(current, country) : view === 'month' ? weeksOfMonth(current, country) : [current],
    today,
    ...(day === undefined ? { invalidDay: text } : {}),
  }
}

type ViewQuery = Pick<ScheduleView, 'day' | 'view'> & Partial<Pick<ScheduleView, 'isByPerson'>>

/** Returns the URL of a day, week or month. */
export const addressOf = (context: Pick<MemberContext, 'path'>, part: ViewQuery, ...steps: string[]): string =>
  `${context.path('schedule', ...steps)}?${queryOf(part)}`

/** Returns the URL of the best free times for a job, from a day on, without a person who is off. */
export const fitInPath = (
  context: Pick<MemberContext, 'path'>,
  day: Temporal.PlainDate,
  job: string,
  without?: string,
): string => {
  const path = addressOf(context, { day, view: 'day' }, 'fit', job)
  return without === undefined ? path : `${path}&${new URLSearchParams({ without }).toString()}`
}

export const queryOf = ({ day, view, isByPerson = false }: ViewQuery): string =>
  `day=${day.toString()}${view === 'day' ? '' : `&view=${view}`}${isByPerson ? '&colors=person' : ''}`

/** Formats the title: `Sat, Nov 21, 2026`, `Nov 15 – 21, 2026` or `November 2026`. */
export const titleOf = ({ view, day, days }: Pick<ScheduleView, 'view' | 'day' | 'days'>): string => {
  if (view === 'month') return formatMonth(day.toString().slice(0, 7))
  const [first, last] = [days[0]!, days.at(-1)!].map((day) => Date.parse(`${day.toString()}T00:00:00Z`)) as [
    number,
    number,
  ]
  return view === 'week' ? weekFormat().formatRange(first, last) : dayFormat().format(first)
}

const DATE_FORMAT = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const
const dayFormat = (): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat(currentLocale(), { ...DATE_FORMAT, weekday: 'short' })
const weekFormat = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(currentLocale(), DATE_FORMAT)

/** Returns the week of a day. Its first day depends on the company's country. */
function weekOf(day: Temporal.PlainDate, country: string): Temporal.PlainDate[] {
  const firstDay = firstDayOfWeek(country)
  const first = day.subtract({ days: (day.dayOfWeek - firstDay + 7) % 7 })
  return Array.from({ length: 7 }, (_, days) => first.add({ days }))
}

/** Returns all days of the weeks that overlap a month. */
function weeksOfMonth(day: Temporal.PlainDate, country: string): Temporal.PlainDate[] {
  const [first] = weekOf(day.with({ day: 1 }), country)
  const last = weekOf(day.with({ day: day.daysInMonth }), country).at(-1)
  const count = first === undefined || last === undefined ? 0 : first.until(last).days + 1
  return Array.from({ length: count }, (_, days) => (first ?? day).add({ days }))
}

/** Returns the first day of the week in a country: 1 is Monday, 7 Sunday. */
function firstDayOfWeek(country: string): number {
  let first = FIRST_DAYS.get(country)
  if (first === undefined) FIRST_DAYS.set(country, (first = new Intl.Locale(`und-${country}`).getWeekInfo().firstDay))
  return first
}

const FIRST_DAYS = new Map<string, number>()
