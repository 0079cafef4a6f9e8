type Fields = Readonly<Record<string, unknown>>

/** Holds what a stored event of the payments provider is about, as far as it can be read. */
export type EventRead = { event: Fields; type: string; object: Fields }

/** Reads the bytes of an event, which were signed and are JSON with an id. */
export function readEvent(raw: Buffer): EventRead {
  const event = fields(JSON.parse(raw.toString()))
  return { event, type: String(event['type']), object: fields(fields(event['data'])['object']) }
}

/** Returns the fields of an object; of anything else, none. */
export const fields = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {})

/** Returns an id or a code of the provider. */
export const codeIn = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : undefined

/** Returns an id, or the id of an object that was sent instead. */
export const idIn = (value: unknown): string | undefined => codeIn(value) ?? codeIn(fields(value)['id'])
