/** Returns the calendar day of an instant in a time zone. */
export const dayIn = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
