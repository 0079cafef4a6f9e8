import { currentLocale } from '../../platform/i18n/reader.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { MemberContext } from '../member_context.ts'

/** Which part of the schedule is shown. */
export type ScheduleView = {
  view: 'day' | 'week'
  day: Temporal.PlainDate
  /** Lists the day, or the seven of its week. */
  days: readonly Temporal.PlainDate[]
  today: Temporal.PlainDate
  /** Requested day that no visit can be on. */
  refused?: string
}

/** Reads which part the address asks for: today when it names no day. */
export function readScheduleView(
  { company: { timezone, country } }: MemberContext,
  query: URLSearchParams,
): ScheduleView {
  const [view, today, text] = [
    query.get('view') === 'week' ? 'week' : 'day',
    todayIn(timezone),
    query.get('day')?.trim() ?? '',
  ] as const
  const day = text === '' ? today : dayIn(text)
  const shown = day ?? today
  return {
    view,
    day: shown,
    days: view === 'day' ? [shown] : weekOf(shown, country),
    today,
    ...(day === undefined ? { refused: text } : {}),
  }
}

/** Returns the address of a day or week. */
export const addressOf = (
  context: Pick<MemberContext, 'path'>,
  { day, view }: Pick<ScheduleView, 'day' | 'view'>,
  ...steps: string[]
): string => `${context.path('schedule', ...steps)}?${queryOf({ day, view })}`

/** Returns the address of the best free times for a job from a day on, without somebody who is off. */
export const fitInPath = (
  context: Pick<MemberContext, 'path'>,
  day: Temporal.PlainDate,
  job: string,
  without?: string,
): string => {
  const path = addressOf(context, { day, view: 'day' }, 'fit', job)
  return without === undefined ? path : `${path}&${new URLSearchParams({ without }).toString()}`
}

export const queryOf = ({ day, view }: Pick<ScheduleView, 'day' | 'view'>): string =>
  `day=${day.toString()}${view === 'week' ? '&view=week' : ''}`

/** Returns `Sat, Nov 21, 2026`, or `Nov 15 – 21, 2026`. */
export const titleOf = ({ view, days }: ScheduleView): string => {
  const [first, last] = [days[0]!, days.at(-1)!].map((day) => Date.parse(`${day.toString()}T00:00:00Z`)) as [
    number,
    number,
  ]
  return view === 'day' ? dayFormat().format(first) : weekFormat().formatRange(first, last)
}

const ON = { timeZone: 'UTC', year: 'numeric', month: 'short', day: 'numeric' } as const
const dayFormat = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(currentLocale(), { ...ON, weekday: 'short' })
const weekFormat = (): Intl.DateTimeFormat => new Intl.DateTimeFormat(currentLocale(), ON)

function dayIn(text: string): Temporal.PlainDate | undefined {
  if (!/^2[01]\d\d-\d\d-\d\d$/.test(text) || text >= '2101') return undefined
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' })
  } catch {
    return undefined
  }
}

/** Returns the week of a day, which begins as the company's country has it. */
export function weekOf(day: Temporal.PlainDate, country: string): Temporal.PlainDate[] {
  const firstDay = firstDayOfWeek(country)
  const first = day.subtract({ days: (day.dayOfWeek - firstDay + 7) % 7 })
  return Array.from({ length: 7 }, (_, days) => first.add({ days }))
}

/** Returns the day on which weeks begin in a country: 1 is Monday, 7 Sunday. */
function firstDayOfWeek(country: string): number {
  let first = FIRST_DAYS.get(country)
  if (first === undefined) FIRST_DAYS.set(country, (first = new Intl.Locale(`und-${country}`).getWeekInfo().firstDay))
  return first
}

const FIRST_DAYS = new Map<string, number>()
