import { ENTERED_TENANT } from '../../../platform/db/tenant.ts'
import { join, sql, type Sql } from '../../../platform/db/database.ts'
import { fold, likeLiteral, spellings } from '../../../platform/validation/text/fold.ts'

/** Searched text. If it is too long for the index, it comes from the row. */
const SEARCHED = sql`coalesce(c.search_key,
  (select f.search_text from customers f where f.tenant_id = ${ENTERED_TENANT} and f.id = c.id))`

const like = (pattern: string): Sql => sql`${SEARCHED} like ${pattern}`

/**
 * Returns the condition: every term is a prefix of a name's word, a tag, a status, or part of an email. Digits alone
 * match part of a phone.
 */
export function queryCondition(query: string): Sql {
  const digits = phoneDigits(query)
  if (digits !== undefined) return like(`%\u001e%${digits}%\u001f%`)
  const terms = termsOf(query).map((term) => sql`(${join(patternsOf(term).map(like), ' or ')})`)
  const nameCondition =
    terms.length < 2 ? (terms[0] ?? sql`true`) : sql`(${like(tagPattern(query))} or (${join(terms, ' and ')}))`
  const plain = plainPart(query)
  return plain === undefined ? nameCondition : sql`strpos(${SEARCHED}, ${plain}) > 0 and ${nameCondition}`
}

/**
 * Returns the longest run of letters and digits that folding doesn't change. Every pattern contains it, and searching
 * for it first is cheapest.
 */
const plainPart = (query: string): string | undefined =>
  query
    .toLowerCase()
    .match(/[a-z0-9]+/g)
    ?.reduce((longest, run) => (run.length > longest.length ? run : longest))

/** Returns the patterns of one term for names, tags, statuses and emails. */
const patternsOf = (term: string): string[] => [
  ...spellings(term).map((words) => `% ${likeLiteral(words)}%\u001e%`),
  tagPattern(term),
  `%\u001f%${likeLiteral(term.toLowerCase())}%`,
]

const tagPattern = (name: string): string => `%|${likeLiteral(tagWord(name))}|%\u001e%`

/** Returns a tag as one word, joined with underscores. */
export const tagWord = (name: string): string => fold(name).replace(/[ |]/g, '_')

/**
 * Returns the digits of a phone without leading zeros, if the query has only phone characters and at least four digits.
 */
export function phoneDigits(query: string): string | undefined {
  if (!/^[\d\s()+./-]+$/.test(query)) return undefined
  const digits = query.replace(/\D/g, '')
  return digits.length >= 4 ? digits.replace(/^0+/, '') || undefined : undefined
}

/** Splits a query at spaces and drops terms that are empty after folding. */
export const termsOf = (query: string): string[] => query.split(/\s+/).filter((term) => fold(term) !== '')
