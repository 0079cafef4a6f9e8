import { z } from 'zod'

type Schema = Record<string, unknown>

/**
 * The JSON Schema a client is shown: what clients of all kinds take. An object with properties at the root, one
 * type and a description per property, typed items; no unions, references, patterns or dialect marks. `brief` names
 * objects inside without their fields, for an update whose create shows them; a field that says so itself is brief too.
 */
export function advertised(input: z.ZodObject, { brief = false } = {}): Schema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  return { type: 'object', properties: properties(schema, brief), ...required(schema) }
}

const properties = (schema: Schema, brief: boolean): Schema =>
  Object.fromEntries(Object.entries(schema['properties'] as Record<string, Schema>)
    .filter(([, field]) => field['hidden'] !== true)
    .map(([name, field]) => [name, plain(field, brief)]))

function required(schema: Schema): Schema {
  const names = (schema['required'] ?? []) as string[]
  return names.length === 0 ? {} : { required: names }
}

const FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time'])

function plain(schema: Schema, brief: boolean): Schema {
  const only = withoutNull(schema)
  const { type, description, enum: names, format, items, properties: fields } = only
  const isBrief = brief || schema['brief'] === true
  const holdsObjects = fields !== undefined || (items as Schema | undefined)?.['properties'] !== undefined
  return {
    type,
    ...(description === undefined ? {} : { description: brief && holdsObjects ? `${description as string}, as in create` : description }),
    ...(names === undefined ? {} : { enum: names }),
    ...(FORMATS.has(format) ? { format } : {}),
    ...(items === undefined ? {} : { items: plain(items as Schema, isBrief) }),
    ...(fields === undefined || isBrief ? {} : { properties: properties(only, brief), ...required(only) }),
  }
}

/** `null` clears an optional field; the tool's description says so, once. */
function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema['type'])) return { ...schema, type: schema['type'].find((type) => type !== 'null') }
  const branches = schema['anyOf'] as Schema[] | undefined
  const branch = branches?.find(({ type }) => type !== 'null')
  return branch === undefined ? schema : { ...withoutNull(branch), description: schema['description'] ?? branch['description'] }
}
