import { toFields, type JsonFields } from '../../platform/validation/json_fields.ts'

/** The readable fields of a stored event of the payments provider. */
export type ProviderEvent = { event: JsonFields; type: string; object: JsonFields }

/** Parses the bytes of an event: their signature was verified, and they are JSON with an id. */
export function readEvent(raw: Buffer): ProviderEvent {
  const event = toFields(JSON.parse(raw.toString()))
  return { event, type: String(event['type']), object: toFields(toFields(event['data'])['object']) }
}

/** Returns an id or a code of the provider; undefined for any other value. */
export const parseCode = (value: unknown): string | undefined =>
  typeof value === 'string' && /^[\x21-\x7e]{1,255}$/.test(value) ? value : undefined

/** Returns an id, or the id of an expanded object. */
export const parseId = (value: unknown): string | undefined => parseCode(value) ?? parseCode(toFields(value)['id'])
