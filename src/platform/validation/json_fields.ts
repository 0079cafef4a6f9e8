/** Fields of a JSON object with unchecked values. */
export type JsonFields = Readonly<Record<string, unknown>>

/**
 * Parses a JSON body of any depth, because people can view everything that was signed. Returns undefined if the body is
 * not JSON.
 */
export function readJson(body: Buffer | string): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Returns the fields of an object; none for any other value. */
export const toFields = (value: unknown): JsonFields =>
  typeof value === 'object' && value !== null ? (value as JsonFields) : {}
