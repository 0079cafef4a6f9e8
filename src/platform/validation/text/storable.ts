/** Returns a text that PostgreSQL stores: without NUL and lone surrogates, cut to a length; anything else is null. */
export function toStorableText(text: string, most: number): string
export function toStorableText(value: unknown, most: number): string | null
export function toStorableText(value: unknown, most: number): string | null {
  return typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, most).toWellFormed() : null
}
