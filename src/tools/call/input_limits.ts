import { isRecord } from '../../platform/validation/is_record.ts'
import { z } from 'zod'
import type { FieldProblem } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Limits of a tool's arguments, derived from its schema. */
export type InputLimits = {
  /** Maximum bytes of a call, with every field full. */
  bytes: number
  /** Maximum bytes of an HTML form with the same content. */
  formBytes: number
  /** Lists the values with more entries than their field allows, without looking inside them. */
  findExcess(input: unknown): FieldProblem[]
}

type Schema = {
  type?: string
  enum?: string[]
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  maxLength?: number
  maxItems?: number
  maxProperties?: number
}

const DEFAULT_BYTES = 256 * 1024
const MAX_BYTES = 4 * 1024 * 1024
const DEFAULT_FORM_BYTES = 512 * 1024
const MAX_FORM_BYTES = 8 * 1024 * 1024

/** Length of a text without a maximum, such as an id, a date or an email address. */
const DEFAULT_CHARACTERS = 254
const WORD_CHARACTERS = 32
const DEFAULT_ITEMS = 100
/** Length of a custom field: its name, its text, and the punctuation around them. */
const CUSTOM_CHARACTERS = 600
/** Maximum bytes of a character in UTF-8. */
const BYTES_A_CHARACTER = 4
/** Maximum bytes of a character in a form, which writes each byte as `%F0`. */
const FORM_BYTES_A_CHARACTER = 3 * BYTES_A_CHARACTER

export function inputLimitsOf(input: z.ZodObject): InputLimits {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  const characters = charactersOf(schema)
  return {
    bytes: Math.min(Math.max(BYTES_A_CHARACTER * characters, DEFAULT_BYTES), MAX_BYTES),
    formBytes: Math.min(Math.max(FORM_BYTES_A_CHARACTER * characters, DEFAULT_FORM_BYTES), MAX_FORM_BYTES),
    findExcess: (input) => excessIn(input, schema, ''),
  }
}

function charactersOf({
  type,
  enum: words,
  anyOf,
  items,
  properties,
  maxLength,
  maxItems = DEFAULT_ITEMS,
  maxProperties,
}: Schema): number {
  if (anyOf !== undefined) return Math.max(...anyOf.map(charactersOf))
  if (items !== undefined) return maxItems * (1 + charactersOf(items))
  if (properties !== undefined)
    return Object.entries(properties).reduce((sum, [name, field]) => sum + name.length + 4 + charactersOf(field), 2)
  if (maxProperties !== undefined) return maxProperties * CUSTOM_CHARACTERS
  return words !== undefined || type !== 'string' ? WORD_CHARACTERS : (maxLength ?? DEFAULT_CHARACTERS)
}

function excessIn(
  input: unknown,
  { anyOf, items, properties, maxItems = DEFAULT_ITEMS, maxProperties }: Schema,
  path: string,
): FieldProblem[] {
  if (typeof input !== 'object' || input === null) return []
  if (anyOf !== undefined) return anyOf.flatMap((branch) => excessIn(input, branch, path)).slice(0, 1)
  if (Array.isArray(input)) {
    if (input.length > Math.max(maxItems, DEFAULT_ITEMS))
      return [{ path, rule: refusals.tooMany({ max: String(maxItems) }), note: ` (got ${input.length} items)` }]
    return items === undefined ? [] : input.flatMap((item, i) => excessIn(item, items, `${path}[${i}]`))
  }
  if (!isRecord(input)) return []
  const count = maxProperties === undefined ? 0 : Object.keys(input).length
  if (maxProperties !== undefined && count > maxProperties)
    return [{ path, rule: refusals.tooManyKeys({ max: String(maxProperties) }), note: ` (got ${count})` }]
  return Object.entries(properties ?? {}).flatMap(([name, field]) =>
    Object.hasOwn(input, name) ? excessIn(input[name], field, path === '' ? name : `${path}.${name}`) : [],
  )
}
