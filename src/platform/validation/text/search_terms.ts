import { fold } from './fold.ts'

/** Maximum number of characters of a query; more would find nothing more. */
export const MAX_QUERY_CHARS = 200
const MAX_TERMS = 8

/** Parsed search query. */
export type SearchTerms = {
  text: string
  /** Word prefixes, each after a space; an email address is one word. */
  words: readonly string[]
  /** Digits after a space, if the query can only be a phone number or part of one. */
  digits: string | undefined
  /** Number of a job, a quote or an invoice, with the text before it. */
  number: { before: string; value: number } | undefined
}

/** Parses a search query; returns undefined if it has no words. */
export function parseSearch(query: string): SearchTerms | undefined {
  const text = query.slice(0, MAX_QUERY_CHARS).replace(/\s+/g, ' ').trim()
  const words = wordsIn(text)
  return words.length === 0 ? undefined : { text, words, digits: digitsIn(text), number: numberIn(text) }
}

const wordsIn = (text: string): string[] =>
  fold(text)
    .split(' ')
    .flatMap((term) =>
      /[^@]@/.test(term)
        ? [` ${term}`]
        : term
            .split(/[^\p{L}\p{N}]+/u)
            .filter((word) => word !== '')
            .map((word) => ` ${word}`),
    )
    .slice(0, MAX_TERMS)

/** Returns the digits of a phone number without leading zeros; undefined if there are fewer than three. */
function digitsIn(text: string): string | undefined {
  if (!/^\+?[\d\s()./-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < 3 ? undefined : ` ${digits.slice(0, 20)}`
}

/** Parses a document number: `J-1042`, `inv 1042`, `#1042`, `1042`. */
function numberIn(text: string): SearchTerms['number'] {
  const [, before = '', value] = /^(\D{0,20}?)[\s#-]*(\d{1,9})$/.exec(text) ?? []
  return value === undefined ? undefined : { before: bare(before), value: Number(value) }
}

/** Returns the letters and digits of the text before a number, in lower case. */
export const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
