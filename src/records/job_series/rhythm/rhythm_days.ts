import { currentLocale } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { DayItem } from '../../../recurrence/parts.ts'
import type { Rule } from '../../../recurrence/rule.ts'

type Day = Temporal.PlainDate

/** Describes the days of a rule: `the first Monday and the third Monday`; empty if it names none. */
export function describeDays(rule: Rule, first: Day | undefined): string {
  return rule.positions.length > 0 ? positionText(rule, first) : dayText(rule, first)
}

/** Checks whether BYSETPOS of a yearly rule applies to all its months together. */
export const isAcrossMonths = ({ freq, positions, months }: Rule): boolean =>
  freq === 'YEARLY' && positions.length > 0 && months.length > 1

/** Describes the condition for a day to count: `day 13 and Friday`. */
export const dayCondition = ({ days, monthDays }: Rule): string =>
  joinList([
    ...(monthDays.length > 0 ? [joinAlternatives(monthDays.map(monthDayOf))] : []),
    ...(days.length > 0 ? [weekdayCondition(days)] : []),
  ])

/** Describes the days that BYSETPOS selects from a period. */
function positionText(rule: Rule, first: Day | undefined): string {
  const { positions, days, monthDays, months, freq } = rule
  const isPlain = monthDays.length === 0 && days.length > 0 && days.every(({ nth }) => nth === null)
  const positionNames = joinList(positions.map((nth) => positionName(nth, isPlain ? nounOf(days) : say`day`)))
  const selection = isPlain ? positionNames : say`${positionNames} among ${dayText(rule, first)}`
  if (isAcrossMonths(rule)) return say`${selection}, counted across ${joinList(months.map(monthName))}`
  return freq === 'YEARLY' && months.length === 0 ? say`${selection} of the year` : selection
}

function dayText(rule: Rule, first: Day | undefined): string {
  const { freq, days, monthDays, months } = rule
  if (days.length + monthDays.length === 0) return first === undefined ? '' : firstVisitDay(rule, first)
  if (monthDays.length === 0) return weekdaysOf(rule)
  const dates = joinList(monthDays.map(monthDayOf))
  const dateText = freq === 'YEARLY' && months.length === 0 ? say`${dates} of every month` : dates
  return days.length === 0 ? dateText : say`${dateText} if it is ${weekdayCondition(days)}`
}

/** Describes the day of the first visit, for a rule that names none. */
function firstVisitDay({ freq, months }: Rule, first: Day): string {
  if (freq === 'DAILY') return ''
  if (freq === 'WEEKLY') return weekdayOf(first.dayOfWeek)
  return freq === 'YEARLY' && months.length === 0
    ? first.toLocaleString(currentLocale(), { month: 'long', day: 'numeric' })
    : monthDayOf(first.day)
}

function weekdaysOf({ freq, days, months }: Rule): string {
  const unnumbered = days.filter(({ nth }) => nth === null)
  const numbered = days.flatMap(({ nth, weekday }) => (nth === null ? [] : [positionName(nth, weekdayOf(weekday))]))
  const phrase = joinList([...weekdayPhrases(unnumbered, freq === 'DAILY' || freq === 'WEEKLY'), ...numbered])
  return numbered.length > 0 && freq === 'YEARLY' && months.length === 0 ? say`${phrase} of the year` : phrase
}

/** Describes each weekday; within a week, by name alone. */
function weekdayPhrases(days: readonly DayItem[], isInWeek: boolean): string[] {
  const weekdays = sortedWeekdays(days)
  if (weekdays.join('') === '1234567') return [say`every day`]
  if (weekdays.join('') === '12345') return [say`every weekday`]
  return weekdays.map((weekday) => (isInWeek ? weekdayOf(weekday) : say`every ${weekdayOf(weekday)}`))
}

/** Returns the noun for the days: `weekday`, or `Monday or Friday`. */
function nounOf(days: readonly DayItem[]): string {
  switch (sortedWeekdays(days).join('')) {
    case '1234567':
      return say`day`
    case '12345':
      return say`weekday`
    case '67':
      return say`weekend day`
    default:
      return joinAlternatives(sortedWeekdays(days).map(weekdayOf))
  }
}

/** Returns the condition for a day: `a weekday`, or `Monday or Friday`. */
const weekdayCondition = (days: readonly DayItem[]): string =>
  sortedWeekdays(days).join('') === '12345' ? say`a weekday` : joinAlternatives(sortedWeekdays(days).map(weekdayOf))

const sortedWeekdays = (days: readonly DayItem[]): number[] =>
  days.map(({ weekday }) => weekday).toSorted((a, b) => a - b)

const positionName = (nth: number, noun: string): string =>
  POSITION_NAMES.get(nth)?.(noun) ?? (nth > 0 ? say`${noun} number ${nth}` : say`${noun} number ${-nth} from the end`)

const POSITION_NAMES: ReadonlyMap<number, (noun: string) => string> = new Map([
  [1, (noun) => say`the first ${noun}`],
  [2, (noun) => say`the second ${noun}`],
  [3, (noun) => say`the third ${noun}`],
  [4, (noun) => say`the fourth ${noun}`],
  [5, (noun) => say`the fifth ${noun}`],
  [-1, (noun) => say`the last ${noun}`],
  [-2, (noun) => say`the second to last ${noun}`],
])

function monthDayOf(day: number): string {
  if (day > 0) return say`day ${day}`
  return day === -1 ? say`the last day` : say`day ${-day} from the end`
}

/** Returns the name of a weekday, 1 (Monday) to 7. */
const weekdayOf = (weekday: number): string =>
  new Temporal.PlainDate(2024, 1, weekday).toLocaleString(currentLocale(), { weekday: 'long' })

export const monthName = (month: number): string =>
  new Temporal.PlainDate(2024, month, 1).toLocaleString(currentLocale(), { month: 'long' })

export const joinList = (items: readonly string[]): string =>
  new Intl.ListFormat(currentLocale(), { type: 'conjunction' }).format(items)

const joinAlternatives = (items: readonly string[]): string =>
  new Intl.ListFormat(currentLocale(), { type: 'disjunction' }).format(items)
