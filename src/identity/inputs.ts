import type { z } from 'zod'
import { invalidField } from '../platform/errors/refusal.ts'
import { country, email } from '../platform/validation/fields.ts'
import { nonEmptyText } from '../platform/validation/text/text.ts'

/** Returns a company's, person's or key's name: one line, 1 to `most` code points. */
export const readName = (text: string, field = 'name', most = 200): string =>
  parseField(nonEmptyText(most), text, field)

/** Returns an e-mail address, in lower case. */
export const readEmail = (text: string, field = 'email'): string => parseField(email(), text, field)

/** Reads an ISO 3166-1 alpha-2 code, in upper case. */
export const readCountry = (text: string, field = 'country'): string => parseField(country(), text, field)

const CURRENCIES: ReadonlySet<string> = new Set(Intl.supportedValuesOf('currency'))

/** Reads an ISO 4217 code, in upper case. */
export function readCurrency(text: string, field = 'currency'): string {
  const code = text.trim().toUpperCase()
  if (!CURRENCIES.has(code))
    throw invalidField(field, `must be a currency code such as USD (ISO 4217) (got '${shorten(text)}')`)
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
  throw invalidField(field, `must be a zone such as America/New_York (tz database) (got '${shorten(text)}')`)
}

/** Returns a value of a type, or `invalid_input` that names the field. */
export function parseField<T>(type: z.ZodType<T>, given: string, field: string): T {
  const read = type.safeParse(given)
  if (!read.success) throw invalidField(field, `${read.error.issues[0]!.message} (got '${shorten(given)}')`)
  return read.data
}

const shorten = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text)
