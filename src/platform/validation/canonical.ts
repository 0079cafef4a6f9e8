import { createHash } from 'node:crypto'

/** Returns the SHA-256 of a document's canonical JSON, whose members are sorted by name (RFC 8785). */
export const hashOfContent = (content: object): Buffer => createHash('sha256').update(canonicalJson(content)).digest()

/** Serializes a value so that equal content gives equal text, in any stored order. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonicalJson(member)}`).join(',')}}`
}
