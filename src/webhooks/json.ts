import { boundedJson } from '../shape/json.ts'

type Fields = Readonly<Record<string, unknown>>

/** Returns a JSON body's value; undefined when it is no JSON, or more of it than anybody sends. */
export function readJson(body: Buffer): unknown {
  const read = boundedJson(body)
  return 'value' in read ? read.value : undefined
}

/** Returns the fields of an object; of anything else, none. */
export const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
