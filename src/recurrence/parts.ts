import { invalidAt } from '../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Accepted parts, in the order of a normalized rule. */
const PARTS = [
  'FREQ',
  'INTERVAL',
  'BYMONTH',
  'BYMONTHDAY',
  'BYDAY',
  'BYHOUR',
  'BYMINUTE',
  'BYSECOND',
  'BYSETPOS',
  'COUNT',
  'UNTIL',
  'WKST',
] as const
type PartName = (typeof PARTS)[number]
export type Parts = ReadonlyMap<PartName, string>

export const WEEKDAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const

/** BYDAY item: `weekday` 1 (Monday) to 7, `nth` counted from the start, or from the end if negative. */
export type DayItem = { readonly weekday: number; readonly nth: number | null }

/** UNTIL of a rule: a date includes that local day; an Instant is compared as local time in the series' time zone. */
export type Until = Temporal.PlainDate | Temporal.PlainDateTime | Temporal.Instant

const HINTS: Readonly<Record<string, string>> = {
  BYWEEKNO: 'use BYMONTH with BYDAY',
  BYYEARDAY: 'use BYMONTH with BYMONTHDAY',
  BYEASTER: 'use BYMONTH with BYMONTHDAY',
  RSCALE: 'leave it out, dates are Gregorian',
  SKIP: 'leave it out, BYMONTHDAY=-1 is the last day of a month',
  DTSTART: 'send it as dtstart',
  TZID: 'send it as timezone',
  EXDATE: 'cancel those jobs with jobs_cancel',
  EXRULE: 'cancel those jobs with jobs_cancel',
  RDATE: 'add those jobs with jobs_create',
}

export function splitParts(text: string): Parts {
  const trimmed = text.trim()
  if (trimmed === '') throw invalidAt('rrule', refusals.empty())
  if (trimmed.length > 500) throw invalidAt('rrule', refusals.tooLong())
  if (/[\r\n]/.test(trimmed)) throw invalidAt('rrule', refusals.lineBreaks())
  if (/[^\x21-\x7e]/.test(trimmed)) throw invalidAt('rrule', refusals.characters())
  const parts = new Map<PartName, string>()
  for (const part of trimmed
    .toUpperCase()
    .replace(/^RRULE:/, '')
    .split(';')) {
    const name = partName(part)
    const value = part.slice(name.length + 1)
    if (value === '') throw invalidAt('rrule', refusals.noValue({ name }))
    if (parts.has(name)) throw invalidAt('rrule', refusals.twice({ name }))
    parts.set(name, value)
  }
  return parts
}

function partName(part: string): PartName {
  if (part === '') throw invalidAt('rrule', refusals.emptyPart())
  const name = /^[A-Z]*/.exec(part)?.[0] ?? ''
  const hint = HINTS[name]
  if (hint !== undefined) throw invalidAt('rrule', refusals.unsupportedPart({ name, hint }))
  const supported = PARTS.find((each) => each === name)
  if (supported === undefined)
    throw invalidAt('rrule', refusals.unknownPart({ part: clipValue(part), parts: PARTS.join(', ') }))
  if (part[name.length] !== '=') throw invalidAt('rrule', refusals.malformedPart({ part: clipValue(part), name }))
  return supported
}

/** Returns the canonical spelling of a rule: fixed order, no plus signs, no leading zeros, no duplicates. */
export const formatParts = (parts: Parts): string =>
  PARTS.flatMap((name) => {
    const value = parts.get(name)
    if (value === undefined) return []
    return [`${name}=${name === 'UNTIL' ? value : [...new Set(value.split(',').map(normalizeItem))].join(',')}`]
  }).join(';')

const normalizeItem = (item: string): string => item.replace(/^\+/, '').replace(/^(-?)0+(?=\d)/, '$1')

/** Returns an unsigned number; null if the part is absent. Throws if it is out of range. */
export function readNumber(parts: Parts, name: PartName, min: number, max: number, rangeNote = ''): number | null {
  const value = parts.get(name)
  if (value === undefined) return null
  if (value.includes(',')) {
    throw invalidAt('rrule', name.startsWith('BY') ? refusals.oneTime({ name }) : refusals.oneValue({ name }))
  }
  const number = /^\d{1,4}$/.test(value) ? Number(value) : Number.NaN
  if (number >= min && number <= max) return number
  const range = max > min ? `${min} to ${max}` : `${min}`
  throw invalidAt('rrule', outOfRange(name)({ name, value: clipValue(value), range: `${range}${rangeNote}` }))
}

const outOfRange = (name: PartName) =>
  name === 'INTERVAL' ? refusals.intervalOutOfRange : name === 'COUNT' ? refusals.countOutOfRange : refusals.outOfRange

/** Returns a list of 1..max and, if `fromEnd`, of -1..-max; empty if the part is absent. */
export function readNumbers(parts: Parts, name: PartName, max: number, fromEnd: boolean): readonly number[] {
  const numbers = (parts.get(name)?.split(',') ?? []).map((item) => {
    const number = (fromEnd ? /^[+-]?\d{1,4}$/ : /^\d{1,4}$/).test(item) ? Number(item) : 0
    if (number !== 0 && Math.abs(number) <= max) return number
    const range = fromEnd ? `1 to ${max}, or -1 to -${max} counted from the end` : `1 to ${max}`
    throw invalidAt('rrule', refusals.outOfRange({ name, value: clipValue(item), range }))
  })
  return [...new Set(numbers)]
}

export function readDays(parts: Parts): readonly DayItem[] {
  const items = parts.get('BYDAY')?.split(',') ?? []
  return [...new Set(items.map(normalizeItem))].map((item) => {
    const [, nth = '', name = ''] = /^(-?\d{0,2})([A-Z]{2})$/.exec(item) ?? []
    const weekday = weekdayNumber(name)
    if (weekday === 0 || nth === '-') {
      throw invalidAt('rrule', refusals.noWeekday({ value: clipValue(item), weekdays: WEEKDAYS.join(', ') }))
    }
    if (nth !== '' && Number(nth) === 0) {
      throw invalidAt('rrule', refusals.weekdayZero({ value: item, day: name }))
    }
    return { weekday, nth: nth === '' ? null : Number(nth) }
  })
}

export function readWeekStart(parts: Parts): number {
  const value = parts.get('WKST') ?? 'MO'
  const weekday = weekdayNumber(value)
  if (weekday === 0)
    throw invalidAt('rrule', refusals.weekStart({ value: clipValue(value), weekdays: WEEKDAYS.join(', ') }))
  return weekday
}

const weekdayNumber = (name: string): number => WEEKDAYS.findIndex((each) => each === name) + 1

const UNTIL = /^(\d{4})(\d\d)(\d\d)(T([01]\d|2[0-3])([0-5]\d)([0-5]\d)(Z?))?$/

export function readUntil(parts: Parts): Until | null {
  const value = parts.get('UNTIL')
  if (value === undefined) return null
  const malformed = invalidAt('rrule', refusals.until({ value: clipValue(value) }))
  const [, year, month, day, time, hour, minute, second, utc] = UNTIL.exec(value) ?? []
  if (year === undefined) throw malformed
  let date: Temporal.PlainDate
  try {
    date = Temporal.PlainDate.from(
      { year: Number(year), month: Number(month), day: Number(day) },
      { overflow: 'reject' },
    )
  } catch {
    throw malformed
  }
  if (time === undefined) return date
  const at = date.toPlainDateTime({ hour: Number(hour), minute: Number(minute), second: Number(second) })
  return utc === 'Z' ? at.toZonedDateTime('UTC').toInstant() : at
}

const clipValue = (value: string): string => (value.length > 40 ? `${value.slice(0, 40)}…` : value)
