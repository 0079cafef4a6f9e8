import { join, sql, type Sql } from '../../../platform/db/database.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { spellings } from '../../../platform/validation/text/fold.ts'
import { CUSTOMER_STATUSES } from '../fields.ts'
import { phoneDigits, tagWord, termsOf } from './matching.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/** Maximum names that begin with the word to read from their index range. Above this, reading all names is cheaper. */
const MAX_PREFIX_MATCHES = 500

/** Maximum names to read in order before using the index. A common term fills a page within them. */
const MAX_NEAR = 3000

/**
 * Minimum matches among the MAX_NEAR names to read up to MAX_FAR names in order, because these probably fill the page.
 */
const [MIN_LIKELY, MAX_FAR] = [8, 10_000]

/** Maximum matches from an index. Above this, reading all names in order is cheaper. */
const MAX_CANDIDATES = 2000

/**
 * Selects live customers that fit, by name, after a position. If few names begin with the word, it reads the next names
 * in order; if these don't fill the page, the few plus the candidates from the indexes. It reads all names if many
 * begin with the word, if there are too many candidates, or if no term is in an index.
 */
export function matchesByName(
  db: Db,
  query: string,
  fits: Sql,
  after: { at: string; id: string } | undefined,
  limit: number,
): Sql {
  const live = sql`c.tenant_id = ${db.tenant} and c.archived_at is null`
  const afterCondition = after === undefined ? sql`` : sql`and (c.sort_name, c.id) > (${after.at}, ${after.id}::uuid)`
  const page = (from: Sql, where: Sql): Sql =>
    sql`select 1::int as rank, c.sort_name as at, c.id
      from ${from} c
      where ${where} and ${fits}
      order by c.sort_name, c.id limit ${limit}`
  const terms = parseSearch(query)
  if (terms === undefined) return page(sql`customers`, sql`${live} ${afterCondition}`)
  const columns = sql`c.tenant_id, c.id, c.sort_name, c.search_key, c.status, c.customer_type`
  const readNext = (where: Sql, part: Sql): Sql =>
    sql`(select ${columns} from customers c where ${live} ${afterCondition} ${where}
      order by c.sort_name, c.id ${part})`
  const usesIndex = sql`(select uses_index from decision)`
  return sql`with first as materialized ${readNext(prefixCondition(terms), sql`limit ${MAX_PREFIX_MATCHES + 1}`)},
    few as materialized (select count(*) <= ${MAX_PREFIX_MATCHES} as is_few from first),
    near as materialized (${page(readNext(sql``, sql`limit ${MAX_NEAR}`), sql`(select is_few from few)`)}),
    likely as materialized (select count(*) >= ${MIN_LIKELY} and count(*) < ${limit} as is_likely from near),
    far as materialized (${page(
      readNext(sql``, sql`offset ${MAX_NEAR} limit ${MAX_FAR - MAX_NEAR}`),
      sql`(select is_likely from likely)`,
    )}),
    needed as materialized (select is_few and (select count(*) from near) + (select count(*) from far) < ${limit}
      and exists ${readNext(sql``, sql`offset ${MAX_NEAR} limit 1`)} as needs_index from few),
    named as materialized (select * from (${candidateIds(db, terms)}) n (id)
      where (select needs_index from needed) limit ${MAX_CANDIDATES + 1}),
    decision as materialized (select
      needs_index and (select count(*) from named) <= ${MAX_CANDIDATES} as uses_index,
      needs_index or not is_few as reads_all
      from needed, few),
    others as materialized (select c.* from (select id from named where ${usesIndex} except select id from first) n
      cross join lateral (select ${columns} from customers c
        where ${live} ${afterCondition} and c.id = n.id offset 0) c)
    select * from (select * from near union all select * from far) found where not (select reads_all from decision)
    union all (${page(sql`(select * from first union all select * from others)`, usesIndex)})
    union all (${page(sql`customers`, sql`${live} ${afterCondition} and (select reads_all and not uses_index from decision)`)})`
}

/** Matches names that begin with the word. Names that sort elsewhere in another collation come from an index. */
const prefixCondition = ({ first }: NameSearch): Sql =>
  first === undefined ? sql`and false` : sql`and c.sort_name >= ${first} and c.sort_name < ${`${first}\u{10ffff}`}`

/**
 * Search terms of which a match has at least one: a word prefix, a part of an email address or a tag; and the prefix of
 * the name.
 */
type NameSearch = { words: string[][]; kinds: string[]; email?: string; tags: string[]; first?: string }

/**
 * Parses the longest term, or the digits of a phone. The index has no terms shorter than three characters, and no
 * status.
 */
function parseSearch(query: string): NameSearch | undefined {
  const digits = phoneDigits(query)
  if (digits !== undefined) return digits.length < 3 ? undefined : { words: [[digits]], kinds: ['contact'], tags: [] }
  const [term] = termsOf(query)
    .filter((one) => Array.from(one).length >= 3 && !one.includes('|') && !isStatus(tagWord(one)))
    .toSorted((a, b) => b.length - a.length)
  if (term === undefined) return undefined
  const words = spellings(term).map(rareWords)
  const tags = [tagWord(term), tagWord(query)]
  return {
    words,
    kinds: ['customer', 'contact'],
    email: term.toLowerCase(),
    tags,
    first: requireValue(spellings(term).at(-1), 'A spelling'),
  }
}

/**
 * Returns the words of a spelling, without the last one if an earlier one has a digit: that one is rare, and the last
 * may be the prefix of many words.
 */
function rareWords(spelling: string): string[] {
  const words = spelling.split(' ')
  const earlierWords = words.slice(0, -1)
  return earlierWords.some((word) => /\d/.test(word)) ? earlierWords : words
}

const isStatus = (word: string): boolean => CUSTOMER_STATUSES.some((status) => status === word)

/** Selects possible matches, or one more than the maximum. Includes entries too long to be indexed whole. */
function candidateIds(db: Db, { words, kinds, email, tags }: NameSearch): Sql {
  const limit = MAX_CANDIDATES + 1
  return join(
    [
      ...words.map((texts) => sql`select customers_having(${kinds}::text[], ${texts}::text[], ${limit})`),
      ...(email === undefined ? [] : [sql`select customers_by_email(${email}, ${limit})`]),
      sql`select e.customer_id from search_entries e
        where e.tenant_id = ${db.tenant} and e.kind in ('customer', 'contact') and length(e.words) >= 600`,
      sql`select a.customer_id from customer_tags a where a.tenant_id = ${db.tenant} and a.tag_id in (
        select t.id from tags t
        where t.tenant_id = ${db.tenant} and translate(t.name_folded, ' |', '__') = any(${tags}::text[]))`,
    ],
    ' union all ',
  )
}
