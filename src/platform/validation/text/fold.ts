import { withoutMarks } from './text.ts'

/** Plain forms, for search, of letters that have no combining mark. */
const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  þ: 'th',
  ł: 'l',
  ı: 'i',
  ς: 'σ',
}

/** Maximum number of characters to compare; no field is longer. */
const MAX_FOLDED_CHARS = 20_000

/** Normalizes a text for search: lower case, without accents, one space between words. */
export const fold = (text: string): string =>
  withoutMarks(text.slice(0, MAX_FOLDED_CHARS))
    .toLowerCase()
    .replace(/[ßæœøđðþłıς]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()

/** Escapes a text for use in a LIKE pattern. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Returns the words of names, folded, for a search by word prefix: as written, and without the punctuation inside them.
 */
export const searchWords = (...names: (string | null)[]): string =>
  spellings(names.filter((name) => name !== null).join(' ')).join(' ')

/**
 * Returns a text as search sees it: folded, and, if it has punctuation, also without it. `|` becomes a space, because
 * it separates the searched texts.
 */
export function spellings(text: string): string[] {
  const folded = fold(text.replaceAll('|', ' '))
  const bare = folded.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return [...new Set([folded, bare])].filter((spelling) => spelling !== '')
}
