import type { z } from 'zod'
import { invalidField } from '../platform/errors/refusal.ts'
import type { RefusalDetail } from '../platform/errors/refusal_text.ts'
import { country, email } from '../platform/validation/fields.ts'
import { nonEmptyText } from '../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

/** Returns a company's, person's or key's name: one line, 1 to `most` code points. */
export const readName = (text: string, field = 'name', most = 200): string =>
  parseField(nonEmptyText(most), text, field)

/** Returns an e-mail address, in lower case. */
export const readEmail = (text: string, field = 'email'): string => parseField(email(), text, field, refusals.email)

/** Reads an ISO 3166-1 alpha-2 code, in upper case. */
export const readCountry = (text: string): string => parseField(country(), text, 'country', refusals.country)

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Reads an ISO 4217 code, in upper case. */
export function readCurrency(text: string): string {
  const code = text.trim().toUpperCase()
  if (!CURRENCIES.has(code)) throw invalidField('currency', refusals.currency({ given: shorten(text) }))
  return code
}

/**
 * Returns a zone of the tz database in its own spelling, aliases as given; offsets are refused, since they know no
 * daylight saving.
 */
export function readTimezone(text: string, field = 'timezone'): string {
  const name = text.trim()
  try {
    if (!/^[+-]/.test(name)) return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    // It is not in the tz database and is refused below.
  }
  throw invalidField(field, refusals.timezone({ given: shorten(text) }))
}

/** What is wrong with a text: its field, the rule of its type, and the start of the text. */
type TextProblem = { field: string; problem: string; given: string }

/** Returns a value of a type, or throws the refusal that `refuse` makes, `invalid_input`. */
export function parseField<T>(
  type: z.ZodType<T>,
  value: string,
  field: string,
  refuse: (problem: TextProblem) => RefusalDetail = refuseText,
): T {
  const read = type.safeParse(value)
  if (read.success) return read.data
  throw invalidField(field, refuse({ field, problem: problemIn(read.error), given: shorten(value) }))
}

/** Returns the rule that an input breaks first. */
export const problemIn = ({ issues: [first] }: z.ZodError): string => first?.message ?? ''

/** Chooses the refusal of a plain text. Its limit is only in the message of its type. */
function refuseText(values: TextProblem): RefusalDetail {
  const { problem } = values
  if (problem === 'must not be empty') return refusals.missing(values)
  const max = /^must be at most (\d+) characters$/.exec(problem)?.[1]
  return max === undefined ? refusals.invalid(values) : refusals.tooLong({ ...values, max: Number(max) })
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
