/** Returns a text that PostgreSQL can store: without NUL and lone surrogates, truncated; null for other values. */
export function toStorableText(text: string, max: number): string
export function toStorableText(value: unknown, max: number): string | null
export function toStorableText(value: unknown, max: number): string | null {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, max).toWellFormed() : null
}
