/** Fields of a JSON object whose values nobody checked yet. */
export type JsonFields = Readonly<Record<string, unknown>>

/**
 * Returns a JSON body's value at any depth, because people can look at whatever was signed. Undefined if the body is
 * not JSON.
 */
export function readJson(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Returns the fields of an object; of anything else, none. */
export const toFields = (value: unknown): JsonFields =>
  typeof value === 'object' && value !== null ? (value as JsonFields) : {}
