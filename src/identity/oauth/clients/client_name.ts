const MAX_LENGTH = 100

/** Cleans a client's own name for display: one line without control or direction characters. */
export function clientName(input: unknown, fallback: string): string {
  if (typeof input !== 'string') return fallback
  const name = input
    .toWellFormed()
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  return Array.from(name).slice(0, MAX_LENGTH).join('').trim() || fallback
}
