/** Part of a tool's input schema that a client reads. */
export type Schema = {
  type: string
  enum?: readonly unknown[]
  items?: Schema
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
}

/** Lists the differences between arguments and the schema in tools/list. */
export function faults(schema: Schema | undefined, given: unknown, path = 'arguments'): string[] {
  if (schema === undefined) return [`${path} is not in the schema`]
  if (given === null) return []
  if (!isOf(schema.type, given)) return [`${path} is not of type ${schema.type}`]
  if (schema.enum !== undefined && !schema.enum.includes(given)) return [`${path} is none of ${schema.enum.join(', ')}`]
  if (Array.isArray(given)) return given.flatMap((item, i) => faults(schema.items, item, `${path}[${i}]`))
  return schema.properties === undefined ? [] : inside(schema, schema.properties, given as object, path)
}

function inside(
  { required = [] }: Schema,
  properties: NonNullable<Schema['properties']>,
  given: object,
  path: string,
): string[] {
  const missing = required.filter((name) => !Object.hasOwn(given, name)).map((name) => `${path}.${name} is missing`)
  return [
    ...missing,
    ...Object.entries(given).flatMap(([name, value]) => faults(properties[name], value, `${path}.${name}`)),
  ]
}

function isOf(type: string, given: unknown): boolean {
  if (type === 'array') return Array.isArray(given)
  if (type === 'object') return typeof given === 'object' && !Array.isArray(given)
  return type === 'integer' ? Number.isInteger(given) : typeof given === type
}
