import { withoutMarks } from './text.ts'

/** Maps letters that carry no combining mark to the plain ones they stand for in search. */
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

/** Maximum characters that are compared; no field is longer. */
const MAX_COMPARED = 20_000

/** Returns a text as search compares it: lower case, without accents, one space between words. */
export const fold = (text: string): string =>
  withoutMarks(text.slice(0, MAX_COMPARED))
    .toLowerCase()
    .replace(/[ßæœøđðþłıς]/g, (letter) => PLAIN[letter] ?? letter)
    .replace(/\s+/g, ' ')
    .trim()

/** Returns a text as a literal inside a LIKE pattern. */
export const likeLiteral = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/**
 * Returns the words of names, folded, for a search by word prefix: as written, and without the punctuation inside them.
 */
export const searchWords = (...names: (string | null)[]): string =>
  spellings(names.filter((name) => name !== null).join(' ')).join(' ')

/**
 * Returns a text as a search reads it: folded, and, where there is punctuation in it, once more without. `|` separates
 * what is searched.
 */
export function spellings(text: string): string[] {
  const written = fold(text.replaceAll('|', ' '))
  const bare = written.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
  return [...new Set([written, bare])].filter((spelling) => spelling !== '')
}
