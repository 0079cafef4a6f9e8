import { createHash } from 'node:crypto'

/**
 * Returns the SHA-256 of a document's canonical text: JSON whose members are in the order of their names (RFC 8785).
 */
export const hashOfContent = (content: object): Buffer => createHash('sha256').update(canonicalJson(content)).digest()

/** Writes a value so that the same content is the same text, in whichever order it was stored. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
