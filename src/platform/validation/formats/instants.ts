/** Matches a UTC offset at the end of a text. */
export const HAS_OFFSET = /([Zz]|[+-]\d{2}:\d{2})$/

/** Parses an instant as callers write it. Without an offset it is local time in `zone`. */
export const instantIn = (zone: string, text: string): Temporal.Instant =>
  HAS_OFFSET.test(text) ? Temporal.Instant.from(text) : instantAt(Temporal.PlainDateTime.from(text), zone)

/**
 * Returns the instant of a local time. One that a clock change skips moves forward by the gap; a repeated one is the
 * first of the two (RFC 5545 3.3.5).
 */
export const instantAt = (wall: Temporal.PlainDateTime, zone: string): Temporal.Instant =>
  wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant()

export const wallAt = (instant: Temporal.Instant, zone: string): Temporal.PlainDateTime =>
  instant.toZonedDateTimeISO(zone).toPlainDateTime()

/** Formats an instant as RFC 3339 in UTC with milliseconds, as in every response. */
export const utc = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'millisecond' })

/** Returns the first instant that a lower bound includes: a day from its local midnight, or the instant itself. */
export const lowerBound = (zone: string, text: string): string =>
  utc(isDay(text) ? midnight(zone, text, 0) : instantIn(zone, text))

/** Returns the first instant that an upper bound excludes: a day to its end, an instant to itself, inclusive. */
export const upperBound = (zone: string, text: string): string =>
  utc(isDay(text) ? midnight(zone, text, 1) : instantIn(zone, text).add({ milliseconds: 1 }))

/** Returns today's date in a zone. */
export const todayIn = (zone: string): Temporal.PlainDate => Temporal.Now.plainDateISO(zone)

const isDay = (text: string): boolean => text.length === 10

const midnight = (zone: string, day: string, later: number): Temporal.Instant =>
  Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(zone).toInstant()
