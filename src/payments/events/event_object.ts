import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'

/** What a stored event of the payments provider is about, as far as it can be read. */
export type ProviderEvent = { event: JsonFields; type: string; object: JsonFields }

/** Reads the bytes of an event, which were signed and are JSON with an id. */
export function readEvent(raw: Buffer): ProviderEvent {
  const event = toFields(JSON.parse(raw.toString()))
  return { event, type: String(event['type']), object: toFields(toFields(event['data'])['object']) }
}

/** Returns an id or a code of the provider. */
export const parseCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : undefined

/** Returns an id, or the id of an object that was sent instead. */
export const parseId = (value: unknown): string | undefined => parseCode(value) ?? parseCode(toFields(value)['id'])
