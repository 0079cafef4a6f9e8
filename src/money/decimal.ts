import { invalidFields } from '../platform/errors/refusal.ts'
import type { RefusalDetail } from '../platform/errors/refusal_text.ts'
import { ruleText } from '../platform/errors/rule_text.ts'
import { refusals } from './refusals.ts'

/** A JSON number, read by its shortest decimal text, or that text itself. */
export type Decimal = number | string

/** Range that a field accepts, in units of its last decimal: at scale 3 the quantity 2.5 is 2500n. */
export type Bounds = { scale: number; min: bigint; max: bigint; below: string | RefusalDetail }

/**
 * Returns the exact value in units of the last decimal. Throws `invalid_input` with the field, the rule and the input.
 */
export function parseDecimal(decimal: Decimal, bounds: Bounds, field: string): bigint {
  const units = toUnits(decimal, bounds)
  if (typeof units !== 'bigint')
    throw invalidFields([{ path: field, rule: units, note: ` (got ${quoteValue(decimal)})` }])
  return units
}

/** Returns the broken rule, worded to follow the field's name in a sentence; null for a valid value. */
export function brokenRule(decimal: Decimal, bounds: Bounds): string | null {
  const units = toUnits(decimal, bounds)
  if (typeof units === 'bigint') return null
  return typeof units === 'string' ? units : ruleText(units)
}

/** Returns the shortest decimal text of a count of units: 2500n at scale 3 is "2.5". */
export function decimalText(units: bigint, scale: number): string {
  const sign = units < 0n ? '-' : ''
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0')
  const point = digits.length - scale
  const decimals = digits.slice(point).replace(/0+$/, '')
  return sign + digits.slice(0, point) + (decimals && `.${decimals}`)
}

/** Returns the JSON number that prints as the same decimal. Exact up to 15 digits, which no field here exceeds. */
export const decimalNumber = (units: bigint, scale: number): number => Number(decimalText(units, scale))

const grammar = /^(-?)(?=\.?\d)(\d{0,30})(?:\.(\d{1,30}))?(?:e([+-]?\d{1,3}))?$/i

function toUnits(decimal: Decimal, bounds: Bounds): bigint | string | RefusalDetail {
  const match = grammar.exec(String(decimal).trim())
  if (!match) return refusals.decimal()
  const [, sign, whole = '', decimals = '', exponent = '0'] = match
  const units = shift(whole + decimals, bounds.scale - decimals.length + Number(exponent))
  if (units === null) return bounds.scale ? refusals.decimals({ scale: String(bounds.scale) }) : refusals.whole()
  const signed = sign === '-' ? -units : units
  if (signed < bounds.min) return bounds.below
  if (signed > bounds.max) return tooLarge(decimalText(bounds.max, bounds.scale))
  return signed
}

/** Returns the refusal of a large value. People see the limit only for percentages: they don't type cents. */
const tooLarge = (max: string): RefusalDetail =>
  max.length <= 3 ? refusals.percentTooLarge({ max }) : refusals.tooLarge({ max })

/** Moves the decimal point right by `places`. Returns null if a move left would drop a nonzero digit. */
function shift(digits: string, places: number): bigint | null {
  if (places >= 0) return BigInt(digits + '0'.repeat(places))
  const dropped = digits.slice(places)
  return /^0*$/.test(dropped) ? BigInt(digits.slice(0, places)) : null
}

const quoteValue = (decimal: Decimal): string =>
  typeof decimal === 'string' ? JSON.stringify(decimal.slice(0, 40)) : String(decimal)
