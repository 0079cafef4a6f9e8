import type { z } from 'zod'
import { invalidField } from '../platform/errors/refusal.ts'
import type { RefusalDetail } from '../platform/errors/refusal_text.ts'
import { country, email } from '../platform/validation/fields.ts'
import { nonEmptyText } from '../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

/** Parses the name of a company, person or key: one line, 1 to `max` code points. */
export const readName = (text: string, field = 'name', max = 200): string => parseField(nonEmptyText(max), text, field)

/** Parses an email address, in lower case. */
export const readEmail = (text: string, field = 'email'): string => parseField(email(), text, field, refusals.email)

/** Parses an ISO 3166-1 alpha-2 code, in upper case. */
export const readCountry = (text: string): string => parseField(country(), text, 'country', refusals.country)

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Parses an ISO 4217 code, in upper case. */
export function readCurrency(text: string): string {
  const code = text.trim().toUpperCase()
  if (!CURRENCIES.has(code)) throw invalidField('currency', refusals.currency({ given: shorten(text) }))
  return code
}

/**
 * Parses a time zone of the tz database into its canonical spelling; aliases stay as given. Offsets are refused, since
 * they have no daylight saving time.
 */
export function readTimezone(text: string, field = 'timezone'): string {
  const name = text.trim()
  try {
    if (!/^[+-]/.test(name)) return new Temporal.ZonedDateTime(0n, name).timeZoneId
  } catch {
    // Not in the tz database; refused below.
  }
  throw invalidField(field, refusals.timezone({ given: shorten(text) }))
}

/** Problem with a text: its field, the rule of its type, and the start of the text. */
type TextProblem = { field: string; problem: string; given: string }

/** Parses a value of a type, or throws `invalid_input` with the refusal from `refuse`. */
export function parseField<T>(
  type: z.ZodType<T>,
  value: string,
  field: string,
  refuse: (problem: TextProblem) => RefusalDetail = refuseText,
): T {
  const parsed = type.safeParse(value)
  if (parsed.success) return parsed.data
  throw invalidField(field, refuse({ field, problem: problemIn(parsed.error), given: shorten(value) }))
}

/** Returns the first rule that an input breaks. */
export const problemIn = ({ issues: [first] }: z.ZodError): string => first?.message ?? ''

/** Returns the refusal of a plain text. Its limit appears only in the message of its type. */
function refuseText(values: TextProblem): RefusalDetail {
  const { problem } = values
  if (problem === 'must not be empty') return refusals.missing(values)
  const max = /^must be at most (\d+) characters$/.exec(problem)?.[1]
  return max === undefined ? refusals.invalid(values) : refusals.tooLong({ ...values, max: Number(max) })
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
