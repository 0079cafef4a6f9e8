import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { invalidField } from '../../errors/refusal.ts'
import { refusals } from '../refusals.ts'

type Phone = { phone: string; extension: string | null }

const MAX_EXTENSION = 10

/**
 * Parses a phone number as people type it, into E.164 and an extension. Accepts possible numbers, not only valid ones:
 * demo numbers (555-01xx) are only possible. A stored number parses to itself. `field` names it in the refusal.
 */
export function readPhone(text: string, country: string, field = 'phone'): Phone {
  const parsed = parse(text, country)
  if (parsed === undefined) {
    throw invalidField(field, refusals.phone({ given: text }))
  }
  if (parsed.extension !== null && parsed.extension.length > MAX_EXTENSION) {
    throw invalidField(field, refusals.extension({ max: MAX_EXTENSION, given: text }))
  }
  return parsed
}

/** Parses like `readPhone`, for a search: returns undefined instead of throwing. */
export const parsePhoneQuery = (text: string, country: string): string | undefined => parse(text, country)?.phone

function parse(text: string, country: string): Phone | undefined {
  const number = parsePhoneNumberFromString(text.replace(/^\s*tel:/i, ''), {
    ...(isSupportedCountry(country) && { defaultCountry: country }),
    extract: false,
  })
  if (
    number === undefined ||
    !number.isPossible() ||
    parsePhoneNumberFromString(number.number)?.number !== number.number
  )
    return undefined
  return { phone: number.number, extension: number.ext ?? null }
}
