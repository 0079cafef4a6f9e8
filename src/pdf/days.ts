/** Returns the day of an instant on the clocks of a zone. */
export const dayIn = (instant: string, zone: string): string =>
  Temporal.Instant.from(instant).toZonedDateTimeISO(zone).toPlainDate().toString()
