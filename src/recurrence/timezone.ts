import { invalidAt } from '../platform/errors/refusal.ts'
import { wallAt } from '../platform/validation/formats/instants.ts'
import { refusals } from './refusals.ts'

/** Start of a series: a local time, or a date alone for all-day jobs. */
export type Dtstart = Temporal.PlainDateTime | Temporal.PlainDate

/** Parses an IANA time zone name, in the tz database's case; keeps aliases. Throws for offsets and unknown names. */
export function readTimezone(text: string, field = 'timezone'): string {
  const name = text.trim()
  try {
    if (!/^[+-]/.test(name)) return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    // Not in the tz database; refused below.
  }
  throw invalidAt(field, refusals.timezone({ name: name.slice(0, 40) }))
}

/**
 * Parses a start: `YYYY-MM-DDTHH:MM[:SS]` is local time, a date alone all-day, an instant with an offset is converted
 * to local time in `timezone`.
 */
export function readDtstart(text: string, timezone: string): Dtstart {
  const time = readDate(text) ?? readTime(text)
  if (time instanceof Temporal.PlainDate) return time
  const wall = time instanceof Temporal.Instant ? wallAt(time, timezone) : time
  if (wall === null || !wall.equals(wall.round({ smallestUnit: 'second', roundingMode: 'floor' }))) {
    throw invalidAt('dtstart', refusals.start({ given: text.slice(0, 40) }))
  }
  return wall
}

/** Parses `YYYY-MM-DD`; null if there is no such date. */
export function readDate(text: string): Temporal.PlainDate | null {
  const trimmed = text.trim()
  if (!/^\d{4}-\d\d-\d\d$/.test(trimmed)) return null
  try {
    return Temporal.PlainDate.from(trimmed)
  } catch {
    return null
  }
}

const TIME = /^\d{4}-\d\d-\d\d[Tt]([01]\d|2[0-3]):[0-5]\d(:[0-5]\d(\.\d{1,9})?)?([Zz]|[+-]([01]\d|2[0-3]):?[0-5]\d)?$/

/** Returns an instant if the text has an offset or Z, a local time if it has none, null if it isn't a time. */
export function readTime(text: string): Temporal.Instant | Temporal.PlainDateTime | null {
  const trimmed = text.trim()
  const match = TIME.exec(trimmed)
  if (match === null) return null
  try {
    return match[4] === undefined ? Temporal.PlainDateTime.from(trimmed) : Temporal.Instant.from(trimmed)
  } catch {
    return null
  }
}
