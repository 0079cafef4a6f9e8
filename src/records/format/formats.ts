import { formatters } from '../../platform/i18n/formatters.ts'

/** Returns a currency's number of decimals. */
export function digitsOf(currency: string): number {
  let digits = DIGITS.get(currency)
  if (digits === undefined) {
    digits = formatOf(currency).resolvedOptions().maximumFractionDigits ?? 2
    DIGITS.set(currency, digits)
  }
  return digits
}

const DIGITS = new Map<string, number>()

/** Formats an amount in minor units: `$1,250.00`. */
export const money = (cents: number, currency: string): string =>
  formatOf(currency).format(decimalText(cents, digitsOf(currency)) as Intl.StringNumericLiteral)

/** Formats an amount in minor units for a chart axis: `$1.3K`. */
export const compactMoney = (cents: number, currency: string): string =>
  compactFormatOf(currency).format(cents / 10 ** digitsOf(currency))

/** Formats an amount in minor units for an input: `1250.00`. */
export function decimalText(cents: number, digits: number): string {
  const sign = cents < 0 ? '-' : ''
  const text = String(Math.abs(cents)).padStart(digits + 1, '0')
  return digits === 0 ? sign + text : `${sign}${text.slice(0, -digits)}.${text.slice(-digits)}`
}

/** Formats a calendar day: `Sat, Nov 21, 2026`. */
export const day = (date: string): string => longDays('UTC').format(Date.parse(`${date.slice(0, 10)}T00:00:00Z`))

/** Formats a calendar day for a table: `Nov 21, 2026`. */
export const shortDay = (date: string): string => shortDays('UTC').format(Date.parse(`${date.slice(0, 10)}T00:00:00Z`))

/** Formats a day of this year: `Nov 21`. */
export const dayOfYear = (date: string): string => monthDays('UTC').format(Date.parse(`${date.slice(0, 10)}T00:00:00Z`))

/** Formats a day of this year with its weekday: `Sat, Nov 21`. */
export const weekdayOfYear = (date: string): string => weekDays('UTC').format(Date.parse(`${date}T00:00:00Z`))

/** Formats a month: `2026-11` as `November 2026`. */
export const formatMonth = (month: string): string => months('UTC').format(Date.parse(`${month}-01T00:00:00Z`))

/** Formats a month without its year: `2026-11` as `Nov`. */
export const shortMonth = (month: string): string => shortMonths('UTC').format(Date.parse(`${month}-01T00:00:00Z`))

/** Formats an instant in a time zone: `Sat, Nov 21, 9:30 AM`; with the year if it isn't the current one. */
export const moment = (instant: string, zone: string): string =>
  keepOnLine(momentFormat(instant, zone).format(Date.parse(instant)))

/** Formats an instant in a time zone for a list of news: today's as the time alone, `9:30 AM`. */
export const shortMoment = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().equals(Temporal.Now.plainDateISO(zone))
    ? time(instant, zone)
    : moment(instant, zone)

/** Formats the time of day of an instant in a time zone: `9:30 AM`. */
export const time = (instant: string, zone: string): string => keepOnLine(timeFormat(zone).format(Date.parse(instant)))

/** Formats a range of two times of day: `9:30 – 10:30 AM`. */
export const hours = (from: string, to: string, zone: string): string =>
  keepOnLine(timeFormat(zone).formatRange(Date.parse(from), Date.parse(to)))

/**
 * Formats a range of two instants, with the day once: `Sat, Nov 21, 9:30 – 10:30 AM`; with the year if it isn't the
 * current one.
 */
export const span = (from: string, to: string, zone: string): string =>
  keepOnLine(momentFormat(from, zone).formatRange(Date.parse(from), Date.parse(to)))

/** Formats ranges of minutes since midnight: `8:00 AM – 12:00 PM`. */
export const spansText = (spans: readonly { from: number; to: number }[]): string =>
  spans.map(({ from, to }) => `${timeOfDay(from)} – ${timeOfDay(to)}`).join(', ')

const timeOfDay = (minute: number): string => timeFormat('UTC').format(minute * 60_000)

/** Formats an hour of the day for the reader's locale: `2 PM`, `14`. */
export const hourName = (hour: number): string => hourNames('UTC').format(hour * 3_600_000)

/** Keeps a time of day or a range on one line. A range across noon is long and may break after its dash. */
function keepOnLine(text: string): string {
  const parts = text.replace(/\s(?=[AP]M)/gu, NO_BREAK)
  return /AM.*PM/u.test(parts)
    ? parts.replace(/\s–\s(?=\d)/u, `${NO_BREAK}– `)
    : parts.replace(/\s–\s(?=\d)/u, `${NO_BREAK}–${WORD_JOINER}${NO_BREAK}`)
}

/** Formats `90` minutes as `1 h 30 min`. */
export const duration = (minutes: number): string =>
  [minutes >= 60 ? `${Math.floor(minutes / 60)} h` : '', minutes % 60 > 0 || minutes === 0 ? `${minutes % 60} min` : '']
    .filter(Boolean)
    .join(' ')

/** Formats a word of the wire format for people: `in_progress` as `In progress`. */
export const words = (name: string): string => {
  const text = name.replaceAll('_', ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** Formats an E.164 phone number: North American ones as `(512) 555-0143`, others unchanged. */
export const phone = (number: string): string => number.replace(/^\+1(\d{3})(\d{3})(\d{4})$/, '($1) $2-$3')

const NO_BREAK = '\u00a0'
/** Word joiner: prevents a line break after a dash (UAX 14, LB11). */
const WORD_JOINER = '\u2060'

const LONG_DAY = { weekday: 'short', year: 'numeric', month: 'short', day: 'numeric' } as const
const MOMENT = { month: 'short', day: 'numeric', hour: 'numeric', minute: '2-digit' } as const

const longDays = formatters((locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, ...LONG_DAY }))
const shortDays = formatters((locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, dateStyle: 'medium' }))
const weekDays = formatters(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', month: 'short', day: 'numeric' }),
)
const monthDays = formatters(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, month: 'short', day: 'numeric' }),
)
const months = formatters(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, year: 'numeric', month: 'long' }),
)
const shortMonths = formatters((locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, month: 'short' }))
const formatOf = formatters((locale, currency) => new Intl.NumberFormat(locale, { style: 'currency', currency }))
const compactFormatOf = formatters(
  (locale, currency) =>
    new Intl.NumberFormat(locale, { style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }),
)
const timeFormat = formatters((locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, timeStyle: 'short' }))
const hourNames = formatters((locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, hour: 'numeric' }))
const momentWithoutYear = formatters(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, weekday: 'short', ...MOMENT }),
)
const momentWithYear = formatters(
  (locale, timeZone) => new Intl.DateTimeFormat(locale, { timeZone, year: 'numeric', ...MOMENT }),
)

const momentFormat = (instant: string, zone: string): Intl.DateTimeFormat =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).year === Temporal.Now.zonedDateTimeISO(zone).year
    ? momentWithoutYear(zone)
    : momentWithYear(zone)
