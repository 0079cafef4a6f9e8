/** Matches the offset from UTC that a text has. */
export const HAS_OFFSET = /([Zz]|[+-]\d{2}:\d{2})$/

/** Reads an instant as callers write it. Without an offset it is wall time in `zone`. */
export const instantIn = (zone: string, text: string): Temporal.Instant =>
  HAS_OFFSET.test(text) ? Temporal.Instant.from(text) : instantAt(Temporal.PlainDateTime.from(text), zone)

/**
 * Returns the instant of a wall time: one that a clock change skips moves forward by the gap, one that it repeats is
 * the first of the two (RFC 5545 3.3.5).
 */
export const instantAt = (wall: Temporal.PlainDateTime, zone: string): Temporal.Instant =>
  wall.toZonedDateTime(zone, { disambiguation: 'compatible' }).toInstant()

export const wallAt = (instant: Temporal.Instant, zone: string): Temporal.PlainDateTime =>
  instant.toZonedDateTimeISO(zone).toPlainDateTime()

/** Returns RFC 3339 in UTC with milliseconds: the form in which every instant is answered. */
export const utc = (instant: Temporal.Instant): string => instant.toString({ smallestUnit: 'millisecond' })

/** Returns the first instant that a lower bound includes: a day from its local midnight, or the instant itself. */
export const lowerBound = (zone: string, text: string): string =>
  utc(isDay(text) ? midnight(zone, text, 0) : instantIn(zone, text))

/** Returns the first instant that an upper bound excludes: a day to its end, an instant to itself, inclusive. */
export const upperBound = (zone: string, text: string): string =>
  utc(isDay(text) ? midnight(zone, text, 1) : instantIn(zone, text).add({ milliseconds: 1 }))

/** Returns the calendar day in a zone. */
export const todayIn = (zone: string): Temporal.PlainDate => Temporal.Now.plainDateISO(zone)

const isDay = (text: string): boolean => text.length === 10

const midnight = (zone: string, day: string, later: number): Temporal.Instant =>
  Temporal.PlainDate.from(day).add({ days: later }).toZonedDateTime(zone).toInstant()
