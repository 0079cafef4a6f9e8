type Fields = Readonly<Record<string, unknown>>

/** Returns a JSON body's value, however deep: what is signed is kept and looked at by people. Undefined when it is no JSON. */
export function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString())
  } catch {
    return undefined
  }
}

/** Returns the fields of an object; of anything else, none. */
export const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})
