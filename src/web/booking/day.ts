/** Returns the day that a text begins with; undefined for a text that is none. */
export function readDay(text: string | undefined): Temporal.PlainDate | undefined {
  const day = /^2[01]\d\d-\d\d-\d\d/.exec(text ?? '')?.[0]
  if (day === undefined) return undefined
  try {
    return Temporal.PlainDate.from(day, { overflow: 'reject' })
  } catch {
    return undefined
  }
}
