import { z } from 'zod'

type Schema = Record<string, unknown>

/**
 * Returns the JSON Schema for clients, in a form that all kinds of clients accept: an object with properties at the
 * root, one type and a description per property, typed items, every object with its properties; no unions, references,
 * patterns or dialect keywords.
 */
export function toClientSchema(input: z.ZodObject): Schema {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as Schema
  return { type: 'object', properties: properties(schema), ...listRequired(schema) }
}

/** Returns the schema without `additionalProperties` beside lists, for clients that refuse it there. */
export function closeSchema(schema: Schema): Schema {
  const { additionalProperties: _, ...rest } = schema
  const { items, properties: fields } = schema as { items?: Schema; properties?: Record<string, Schema> }
  return {
    ...rest,
    ...(items === undefined ? {} : { items: closeSchema(items) }),
    ...(fields === undefined
      ? {}
      : { properties: Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, closeSchema(field)])) }),
  }
}

/**
 * Describes an object with arbitrary keys as a list of names and values, since clients that close every object refuse
 * an open one. The type of the values stands beside it, since the object itself is accepted too.
 */
const listSchema = (values: Schema, description: unknown): Schema => ({
  type: 'array',
  description,
  items: {
    type: 'object',
    properties: { name: { type: 'string', description: 'Name' }, value: { ...values, description: 'Value' } },
    required: ['name', 'value'],
  },
  additionalProperties: values,
})

const properties = (schema: Schema): Schema =>
  Object.fromEntries(
    Object.entries(schema['properties'] as Record<string, Schema>)
      .filter(([, field]) => field['hidden'] !== true)
      .map(([name, field]) => [name, toPlainSchema(field)]),
  )

function listRequired(schema: Schema): Schema {
  const names = (schema['required'] ?? []) as string[]
  return names.length === 0 ? {} : { required: names }
}

const FORMATS: ReadonlySet<unknown> = new Set(['date', 'date-time'])

function toPlainSchema(schema: Schema): Schema {
  const nonNull = withoutNull(schema)
  const { type, description, enum: names, format, items, properties: fields, additionalProperties: values } = nonNull
  if (fields === undefined && typeof values === 'object') return listSchema(values as Schema, description)
  return {
    type,
    ...(description === undefined ? {} : { description }),
    ...(names === undefined ? {} : { enum: names }),
    ...(FORMATS.has(format) ? { format } : {}),
    ...(items === undefined ? {} : { items: toPlainSchema(items as Schema) }),
    ...(fields === undefined ? {} : { properties: properties(nonNull), ...listRequired(nonNull) }),
  }
}

/** Removes null from the type: it clears an optional field, which the tool's description says once. */
function withoutNull(schema: Schema): Schema {
  if (Array.isArray(schema['type'])) return { ...schema, type: schema['type'].find((type) => type !== 'null') }
  const branches = schema['anyOf'] as Schema[] | undefined
  const branch = branches?.find(({ type }) => type !== 'null')
  return branch === undefined
    ? schema
    : { ...withoutNull(branch), description: schema['description'] ?? branch['description'] }
}
