import { decimalText, digitsOf } from '../records/format/formats.ts'
import { toFields, type JsonFields } from '../platform/validation/json_fields.ts'

/** Returns the objects of a list in a response; empty if it isn't a list. */
export const listOf = (value: unknown): JsonFields[] => (Array.isArray(value) ? value.map(toFields) : [])

/** Reads an amount of a response, in cents. */
export function centsOf(answer: JsonFields | undefined, field: string, currency: string): number {
  const digits = digitsOf(currency)
  return Math.round(Number(`${Number(answer?.[field] ?? 0).toFixed(digits + 2)}e${digits}`))
}

/** Converts cents to a JSON number in the currency's main unit. */
export const amountOf = (cents: number, currency: string): number => Number(decimalText(cents, digitsOf(currency)))

/** Returns a text or number of a response as text, and `fallback` for any other value. */
export const textOf = (value: unknown, fallback = ''): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : fallback
