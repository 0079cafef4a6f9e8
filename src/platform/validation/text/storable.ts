/** Returns a text that PostgreSQL can store: without NUL and lone surrogates, truncated; null for other values. */
export function toStorableText(text: string, most: number): string
export function toStorableText(value: unknown, most: number): string | null
export function toStorableText(value: unknown, most: number): string | null {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, most).toWellFormed() : null
}
