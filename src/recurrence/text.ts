import { wallAt } from '../platform/validation/formats/instants.ts'
import type { DayItem } from './parts.ts'
import type { Rule } from './rule.ts'
import type { Dtstart } from './timezone.ts'

const WEEKDAY_NAMES = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'] as const
const MONTH_NAMES = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
const ADVERB = { DAILY: 'daily', WEEKLY: 'weekly', MONTHLY: 'monthly', YEARLY: 'yearly' } as const
const UNIT = { DAILY: 'days', WEEKLY: 'weeks', MONTHLY: 'months', YEARLY: 'years' } as const
const ORDINALS = ['', 'first', 'second', 'third', 'fourth', 'fifth'] as const

/**
 * Returns a rule in plain English: `every 2 weeks on Tuesday and Sunday`. UNTIL with Z is shown as its day in
 * `timezone`.
 */
export function ruleText(rule: Rule, dtstart: Dtstart, timezone: string): string {
  const words = [frequencyText(rule), monthsText(rule), daysText(rule, dtstart), timeText(rule, dtstart)]
  return words.filter((each) => each !== '').join(' ') + endText(rule, timezone)
}

const frequencyText = ({ freq, interval }: Rule): string =>
  interval === 1 ? ADVERB[freq] : `every ${interval} ${UNIT[freq]}`

function monthsText(rule: Rule): string {
  if (rule.months.length === 0 || isAcrossMonths(rule)) return ''
  return `in ${joinList(rule.months.map(monthName))}`
}

/** Checks whether BYSETPOS of a yearly rule applies to all its months together. */
const isAcrossMonths = ({ freq, positions, months }: Rule): boolean =>
  freq === 'YEARLY' && positions.length > 0 && months.length > 1

function daysText(rule: Rule, dtstart: Dtstart): string {
  if (rule.positions.length > 0) return `on ${positionWords(rule, dtstart)}`
  if (rule.freq === 'DAILY' && rule.interval > 1) return conditionText(rule)
  const days = dayWords(rule, dtstart)
  return days === '' ? '' : `on ${days}`
}

function conditionText({ days, monthDays }: Rule): string {
  const words = [
    ...(monthDays.length > 0 ? [`the ${joinList(monthDays.map(monthDay), 'or')}`] : []),
    ...(days.length > 0 ? [`a ${weekdayNoun(days)}`] : []),
  ]
  return words.length === 0 ? '' : `if it is ${words.join(' and ')}`
}

function positionWords(rule: Rule, dtstart: Dtstart): string {
  const positions = `the ${joinList(rule.positions.map(ordinal))}`
  const isPlain = rule.monthDays.length === 0 && rule.days.length > 0 && rule.days.every(({ nth }) => nth === null)
  const from = isPlain ? weekdayNoun(rule.days) : `of ${dayWords(rule, dtstart)}`
  if (isAcrossMonths(rule)) return `${positions} ${from} across ${joinList(rule.months.map(monthName))}`
  return rule.freq === 'YEARLY' && rule.months.length === 0
    ? `${positions} ${from} of the year`
    : `${positions} ${from}`
}

function dayWords(rule: Rule, dtstart: Dtstart): string {
  const { freq, days, monthDays, months } = rule
  if (days.length === 0 && monthDays.length === 0) return startWords(rule, dtstart)
  if (monthDays.length === 0) return weekdayWords(rule)
  const ofMonth = freq === 'YEARLY' && months.length === 0 ? ' of every month' : ''
  const onlyOn = days.length > 0 ? ` if it is a ${weekdayNoun(days)}` : ''
  return `the ${joinList(monthDays.map(monthDay))}${ofMonth}${onlyOn}`
}

function startWords({ freq, months }: Rule, dtstart: Dtstart): string {
  if (freq === 'DAILY') return ''
  if (freq === 'WEEKLY') return weekdayName(dtstart.dayOfWeek)
  if (freq === 'YEARLY' && months.length === 0) return `${monthName(dtstart.month)} ${dtstart.day}`
  return `the ${monthDay(dtstart.day)}`
}

function weekdayWords({ freq, days, months }: Rule): string {
  const inWeek = freq === 'DAILY' || freq === 'WEEKLY'
  const plain = days.filter(({ nth }) => nth === null)
  const set = setName(plain)
  const names = plain.map(({ weekday }) => weekdayName(weekday))
  const each = set === null ? names.map((name) => (inWeek ? name : `every ${name}`)) : [`every ${set}`]
  const numbered = days.flatMap(({ nth, weekday }) =>
    nth === null ? [] : [`the ${ordinal(nth)} ${weekdayName(weekday)}`],
  )
  const ofYear = numbered.length > 0 && freq === 'YEARLY' && months.length === 0 ? ' of the year' : ''
  return joinList([...each, ...numbered]) + ofYear
}

const weekdayNoun = (days: readonly DayItem[]): string =>
  setName(days) ??
  joinList(
    days.map(({ weekday }) => weekdayName(weekday)),
    'or',
  )

function setName(days: readonly DayItem[]): string | null {
  const members = days
    .map(({ weekday }) => weekday)
    .sort((a, b) => a - b)
    .join('')
  return { 1234567: 'day', 12345: 'weekday', 67: 'weekend day' }[members] ?? null
}

function timeText({ hour, minute }: Rule, dtstart: Dtstart): string {
  if (hour === null && minute === null) return ''
  const start = dtstart instanceof Temporal.PlainDate ? dtstart.toPlainDateTime() : dtstart
  return `at ${twoDigits(hour ?? start.hour)}:${twoDigits(minute ?? start.minute)}`
}

function endText({ count, until }: Rule, timezone: string): string {
  if (count !== null) return count === 1 ? ', once' : `, ${count} times`
  if (until === null) return ''
  const { day, month, year } = until instanceof Temporal.Instant ? wallAt(until, timezone) : until
  return `, until ${monthName(month)} ${day}, ${year}`
}

function ordinal(nth: number): string {
  if (nth > 0) return ORDINALS[nth] ?? numeral(nth)
  return nth === -1 ? 'last' : `${ordinal(-nth)} to last`
}

const monthDay = (day: number): string => (day > 0 ? numeral(day) : `${ordinal(day)} day`)

function numeral(number: number): string {
  const teen = number % 100 > 10 && number % 100 < 14
  return `${number}${teen ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th')}`
}

function joinList(items: readonly string[], word = 'and'): string {
  const [last = '', ...before] = [...items].toReversed()
  return before.length === 0 ? last : `${before.toReversed().join(', ')} ${word} ${last}`
}

const weekdayName = (weekday: number): string => WEEKDAY_NAMES[weekday - 1] ?? ''
const monthName = (month: number): string => MONTH_NAMES[month - 1] ?? ''
const twoDigits = (number: number): string => String(number).padStart(2, '0')
