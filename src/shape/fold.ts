/** Letters that carry no combining mark but stand for a plain one in search. */
const PLAIN: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ı: 'i' }

/** A text as search compares it: lower case, without accents, one space between words. */
export const fold = (text: string): string =>
  text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase().replace(/[ßæœøđðþłı]/g, (letter) => PLAIN[letter]!).replace(/\s+/g, ' ').trim()

/** A text as a literal inside a LIKE pattern. */
export const literal = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** The words of names, folded, for a search by word prefix: as written, and without the punctuation inside them. */
export function searchWords(...names: (string | null)[]): string {
  const written = fold(names.filter((name) => name !== null).join(' ')).replaceAll('|', ' ')
  const bare = written.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return bare === written ? written : `${written} ${bare}`
}
