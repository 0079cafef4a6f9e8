/** First year of a workbook's calendar: usually 1900, or 1904 if made by an old Mac. */
export type Epoch = 1900 | 1904

/** Returns the date of a spreadsheet's day number, such as `2026-01-05`. */
function dayFromNumber(days: number, epoch: Epoch): string | undefined {
  if (!Number.isInteger(days) || days < 0 || days > MAX_DAY) return undefined
  if (epoch === 1904) return dayAfter('1904-01-01', days)
  // Spreadsheets count the nonexistent February 29, 1900 as day 60.
  if (days === 60) return undefined
  return dayAfter(days < 60 ? '1899-12-31' : '1899-12-30', days)
}

/** Maximum day number: December 31, 9999. */
const MAX_DAY = 2_958_465

const dayAfter = (first: string, days: number): string => Temporal.PlainDate.from(first).add({ days }).toString()

/** Date and seconds of the day from a fractional day number. */
type NumberedMoment = { day: string | undefined; seconds: number }

/** Returns the date and time of a number such as 46027.5, rounded to the second. */
export function momentFromNumber(value: number, epoch: Epoch): NumberedMoment {
  const all = Math.round(value * 86_400)
  const days = Math.floor(all / 86_400)
  return { day: dayFromNumber(days, epoch), seconds: all - days * 86_400 }
}

/** Formats seconds of the day as `14:05`, or `14:05:30` with seconds. */
export function clockText(seconds: number): string {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60]
  const [hours, minutes, rest] = parts.map((part) => String(part).padStart(2, '0'))
  return rest === '00' ? `${hours}:${minutes}` : `${hours}:${minutes}:${rest}`
}

/** Range of plausible day numbers in a date column: October 1954 to January 2119. */
const [FIRST_NUMBER, LAST_NUMBER] = [20_000, 80_000]

const NUMBER = /^\d{1,15}(?:\.\d{1,15})?$/

/**
 * Checks whether a date column contains a spreadsheet's day numbers: it has at least one number, and all are between
 * 20000 and 80000.
 */
export function hasDayNumbers(texts: Iterable<string>): boolean {
  let has = false
  for (const text of texts) {
    if (!NUMBER.test(text)) continue
    if (Number(text) < FIRST_NUMBER || Number(text) > LAST_NUMBER) return false
    has = true
  }
  return has
}

/** Parses a day number; undefined for any other text. */
export const parseDayNumber = (text: string): number | undefined => (NUMBER.test(text) ? Number(text) : undefined)
