/** Parses a day such as `2027-03-01` in the years `from` to `to`; returns undefined for any other text. */
export function parseDay(text: string, from = 2000, to = 2199): Temporal.PlainDate | undefined {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return undefined
  try {
    const day = Temporal.PlainDate.from(text, { overflow: 'reject' })
    return day.year < from || day.year > to ? undefined : day
  } catch {
    return undefined
  }
}
