import { clockText, parseDayNumber, momentFromNumber, type Epoch } from './day_numbers.ts'

/** Calendar day, with time of day and UTC offset if the file has them. */
export type Moment = { day: string; time?: string; offset?: string }

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MAX_LENGTH = 60

/**
 * Parses a date as tables write it: `2026-03-31`, `3/31/2026`, `31.3.2026`, `Mar 31, 2026`, `31 March 2026`, with or
 * without a time; also a spreadsheet's day number if `numbersFrom` is set. Undefined for any other text.
 */
export function parseMoment(text: string, isDayFirst: boolean, numbersFrom?: Epoch): Moment | undefined {
  if (text.length > MAX_LENGTH) return undefined
  if (numbersFrom !== undefined) {
    const number = parseDayNumber(text)
    if (number !== undefined) return momentOfNumber(number, numbersFrom)
  }
  const cell = text.trim().replace(/^[A-Za-z]{3,9}\.?,\s+/, '')
  const [year, month, one, rest = ''] =
    parseIsoDay(cell) ?? parseNumericDay(cell, isDayFirst) ?? parseMonthFirst(cell) ?? parseMonthSecond(cell) ?? []
  if (year === undefined) return undefined
  const day = dayOf(Number(year), Number(month), Number(one))
  if (day === undefined) return undefined
  if (rest.trim() === '') return { day }
  const clock = parseClock(rest)
  return clock === undefined ? undefined : { day, ...clock }
}

function momentOfNumber(number: number, epoch: Epoch): Moment | undefined {
  const { day, seconds } = momentFromNumber(number, epoch)
  if (day === undefined) return undefined
  return seconds === 0 ? { day } : { day, time: clockText(seconds).slice(0, 5) }
}

/** Parses a time of day: `14:05`, `2:05 PM`, `9am`. Undefined for any other text. */
export const parseTime = (text: string): string | undefined =>
  text.length > MAX_LENGTH ? undefined : parseClock(text)?.time

/** Start and end time of a day, if the file has them. */
export type Times = { from?: string; until?: string }

/** Parses `9:00 AM - 11:00 AM`, a single time, or `Anytime` (no times). Undefined for any other text. */
export function parseTimes(text: string): Times | undefined {
  if (text.length > MAX_LENGTH) return undefined
  if (/^(?:any ?time|all day)$/i.test(text.trim())) return {}
  const [from, until, ...more] = text.split(/\s*[-–—]\s*|\s+to\s+/).map((one) => parseClock(one)?.time)
  if (from === undefined || more.length > 0) return undefined
  if (until !== undefined) return { from, until }
  return parseTime(text) === undefined ? undefined : { from }
}

/** Detects whether the dates of a file begin with the day; undefined if none shows it. */
export function detectDayFirst(texts: Iterable<string>): boolean | undefined {
  let [first, second] = [false, false]
  for (const text of texts) {
    const [, one, two] = /^\s*(\d{1,2})[/-](\d{1,2})[/-]\d{2,4}(?!\d)/.exec(text.slice(0, MAX_LENGTH)) ?? []
    if (one === undefined) continue
    if (Number(one) > 12) first = true
    if (Number(two) > 12) second = true
  }
  return first === second ? undefined : first
}

type Parts = (string | undefined)[] | undefined

const parseIsoDay = (text: string): Parts => /^(\d{4})[-/](\d{1,2})[-/](\d{1,2})(?:[T ](.*))?$/.exec(text)?.slice(1)

function parseNumericDay(text: string, isDayFirst: boolean): Parts {
  const [, one, separator, two, year = '', rest] =
    /^(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?:,?\s+(.*))?$/.exec(text) ?? []
  if (one === undefined) return undefined
  const [month, day] = isDayFirst || separator === '.' ? [two, one] : [one, two]
  return [whole(year), month, day, rest]
}

function parseMonthFirst(text: string): Parts {
  const [, name, day, year, rest] =
    /^([A-Za-z]{3,9})\.?\s+(\d{1,2})(?:st|nd|rd|th)?,?\s+(\d{4})(?:,?\s+(.*))?$/.exec(text) ?? []
  return name === undefined ? undefined : [year, monthNumber(name), day, rest]
}

function parseMonthSecond(text: string): Parts {
  const [, day, name, year = '', rest] =
    /^(\d{1,2})[\s-]([A-Za-z]{3,9})\.?[\s,-]+(\d{4}|\d{2})(?:,?\s+(.*))?$/.exec(text) ?? []
  return name === undefined ? undefined : [whole(year), monthNumber(name), day, rest]
}

const whole = (year: string): string => (year.length === 2 ? `20${year}` : year)
const monthNumber = (name: string): string => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

function dayOf(year: number, month: number, day: number): string | undefined {
  const date = Temporal.PlainDate.from({ year, month: Math.max(1, month), day: Math.max(1, day) })
  return month >= 1 && date.month === month && date.day === day ? date.toString() : undefined
}

function parseClock(text: string): (Pick<Moment, 'time' | 'offset'> & { time: string }) | undefined {
  const [, hour, minute = '00', meridiem, offset] =
    /^\s*(\d{1,2})(?::(\d{2})(?::\d{2}(?:\.\d{1,9})?)?)?\s*([ap])?\.?(?:m\.?)?\s*(Z|[+-]\d{2}:?\d{2})?(?:\s*[A-Z]{2,4})?$/i.exec(
      text,
    ) ?? []
  if (hour === undefined || (meridiem === undefined && !text.includes(':'))) return undefined
  const twelve = Number(hour) % 12
  const hours = meridiem === undefined ? Number(hour) : meridiem.toLowerCase() === 'p' ? twelve + 12 : twelve
  if (hours > 23 || Number(minute) > 59 || (meridiem !== undefined && (hour === '0' || Number(hour) > 12)))
    return undefined
  const time = `${String(hours).padStart(2, '0')}:${minute}`
  return offset === undefined ? { time } : { time, offset: offset.replace(/^([+-]\d{2})(\d{2})$/, '$1:$2') }
}
