const MAX_LENGTH = 100

/** Returns a name that a client gives itself, fit to be shown: one line without control or direction characters. */
export function clientName(input: unknown, otherwise: string): string {
  if (typeof input !== 'string') return otherwise
  const name = input
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return Array.from(name).slice(0, MAX_LENGTH).join('').trim() || otherwise
}
