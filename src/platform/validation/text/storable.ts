/** Returns a text that PostgreSQL stores: without NUL and lone surrogates, cut to a length; anything else is null. */
export const toStorableText = (value: unknown, most: number): string | null =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed().slice(0, most).toWellFormed() : null
