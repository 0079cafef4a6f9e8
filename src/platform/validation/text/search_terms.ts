import { fold } from './fold.ts'

/** Limits what is searched for: more of it finds nothing more. */
export const MAX_SEARCHED = 200
const MAX_TERMS = 8

/** Holds what somebody looks for, as the search reads it. */
export type SearchTerms = {
  text: string
  /** Beginnings of words, each behind a space; an e-mail address is one word. */
  words: readonly string[]
  /** Digits behind a space, if only a phone number or a part of one can be meant. */
  digits: string | undefined
  /** Number of a job, a quote or an invoice, with the text before it. */
  number: { before: string; value: number } | undefined
}

/** Reads what was typed; undefined where there is nothing to look for. */
export function parseSearch(query: string): SearchTerms | undefined {
  const text = query.slice(0, MAX_SEARCHED).replace(/\s+/g, ' ').trim()
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

/** Returns the digits of a number without a zero that is dialed before it, from three on. */
function digitsIn(text: string): string | undefined {
  if (!/^\+?[\d\s()./-]+$/.test(text)) return undefined
  const digits = text.replace(/\D/g, '').replace(/^0+/, '')
  return digits.length < 3 ? undefined : ` ${digits.slice(0, 20)}`
}

/** Returns a number as documents have it: `J-1042`, `inv 1042`, `#1042`, `1042`. */
function numberIn(text: string): SearchTerms['number'] {
  const [, before = '', value] = /^(\D{0,20}?)[\s#-]*(\d{1,9})$/.exec(text) ?? []
  return value === undefined ? undefined : { before: bare(before), value: Number(value) }
}

/** Returns the letters and digits of what stands before a number. */
export const bare = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
