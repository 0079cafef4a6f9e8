import { decimalText, digitsOf } from '../records/format/formats.ts'
import { toFields, type JsonFields } from '../platform/validation/json_fields.ts'

/** Returns the objects of a list of an answer. */
export const listOf = (value: unknown): JsonFields[] => (Array.isArray(value) ? value.map(toFields) : [])

/** Reads an amount of an answer in cents. */
export function centsOf(answer: JsonFields | undefined, field: string, currency: string): number {
  const digits = digitsOf(currency)
  return Math.round(Number(`${Number(answer?.[field] ?? 0).toFixed(digits + 2)}e${digits}`))
}

/** Returns cents as a JSON number of the currency. */
export const amountOf = (cents: number, currency: string): number => Number(decimalText(cents, digitsOf(currency)))

/** Returns an answer's text, or a number as text; of anything else, what stands in for it. */
export const textOf = (value: unknown, otherwise = ''): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : otherwise
