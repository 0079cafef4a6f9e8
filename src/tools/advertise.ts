import { z } from 'zod'

type Schema = Record<string, unknown>

/**
 * The JSON Schema a client is shown: what clients of all kinds take. An object with properties at the root, one
 * type and a description per property, typed items; no unions, references, patterns or dialect marks.
 */
export function advertised(input: z.ZodObject): Schema {
  return plain(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema, true)
}

const SHOWN = ['type', 'description', 'enum', 'format', 'items', 'properties', 'required'] as const
const FORMATS = new Set(['date', 'date-time'])

function plain(schema: Schema, isRoot = false): Schema {
  const only = withoutNull(schema)
  const shown: Schema = {}
  for (const key of SHOWN) {
    const value = only[key] ?? (key === 'description' ? schema[key] : undefined)
    if (value === undefined) continue
    if (key === 'format' && !FORMATS.has(value as string)) continue
    if (key === 'items') shown[key] = plain(value as Schema)
    else if (key === 'properties') shown[key] = Object.fromEntries(Object.entries(value as Record<string, Schema>).filter(([, of]) => !of['hidden']).map(([name, of]) => [name, plain(of)]))
    else if (key === 'required' && (value as string[]).length === 0) continue
    else shown[key] = value
  }
  if (isRoot) shown['properties'] ??= {}
  return shown
}

/** `null` clears an optional field; the schema says so in no place, the tool's description does. */
function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema['type'])) return { ...schema, type: schema['type'].find((type) => type !== 'null') }
  const branches = schema['anyOf'] as Schema[] | undefined
  const branch = branches?.find(({ type }) => type !== 'null')
  return branch === undefined ? schema : { ...withoutNull(branch), description: schema['description'] ?? branch['description'] }
}
