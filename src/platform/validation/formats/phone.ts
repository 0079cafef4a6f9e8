import { isSupportedCountry, parsePhoneNumberFromString } from 'libphonenumber-js/min'
import { invalidField } from '../../errors/refusal.ts'
import { refusals } from '../refusals.ts'

type Phone = { phone: string; extension: string | null }

const MAX_EXTENSION = 10

/**
 * Reads a number as people type it, in E.164 with its extension. Possible numbers are accepted, not only valid ones:
 * the numbers of demonstrations (555-01xx) are possible. What is stored reads as itself. `field` names it in the
 * refusal.
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

/** Reads as `readPhone`, for a search: undefined instead of a refusal. */
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
