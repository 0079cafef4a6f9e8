import { join, sql, type Sql } from '../../../platform/db/database.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { spellings } from '../../../platform/validation/text/fold.ts'
import { CUSTOMER_STATUSES } from '../fields.ts'
import { phoneDigits, tagWord, termsOf } from './matching.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'

/**
 * Maximum names that begin with the word, because they are next to each other in the index. With more, reading all
 * names is cheaper.
 */
const MAX_FIRST = 500

/** Maximum names to read in order before the index is used. A common term fills a page within them. */
const NEAR = 3000

/** Matches among those from which on more names are searched, and how many names: they fill a page there. */
const [LIKELY, FAR] = [8, 10_000]

/** Maximum matches from an index. With more, reading all names in order is cheaper. */
const MAX_NAMED = 2000

/**
 * Selects live customers by name that fit, after a position. Where few names begin with the word, the next names are
 * looked through; where those don't fill the page, the few and the others that the indexes name. All names are looked
 * through where many begin so, where the indexes name too many, or where none tells.
 */
export function matchesByName(
  db: Db,
  query: string,
  fits: Sql,
  after: { at: string; id: string } | undefined,
  most: number,
): Sql {
  const live = sql`c.tenant_id = ${db.tenant} and c.archived_at is null`
  const beyond = after === undefined ? sql`` : sql`and (c.sort_name, c.id) > (${after.at}, ${after.id}::uuid)`
  const page = (from: Sql, where: Sql): Sql =>
    sql`select 1::int as rank, c.sort_name as at, c.id
      from ${from} c
      where ${where} and ${fits}
      order by c.sort_name, c.id limit ${most}`
  const terms = parseSearch(query)
  if (terms === undefined) return page(sql`customers`, sql`${live} ${beyond}`)
  const columns = sql`c.tenant_id, c.id, c.sort_name, c.search_key, c.status, c.customer_type`
  const next = (where: Sql, part: Sql): Sql =>
    sql`(select ${columns} from customers c where ${live} ${beyond} ${where} order by c.sort_name, c.id ${part})`
  const isTold = sql`(select is_told from told)`
  return sql`with first as materialized ${next(beginning(terms), sql`limit ${MAX_FIRST + 1}`)},
    few as materialized (select count(*) <= ${MAX_FIRST} as is_few from first),
    near as materialized (${page(next(sql``, sql`limit ${NEAR}`), sql`(select is_few from few)`)}),
    likely as materialized (select count(*) >= ${LIKELY} and count(*) < ${most} as is_likely from near),
    far as materialized (${page(
      next(sql``, sql`offset ${NEAR} limit ${FAR - NEAR}`),
      sql`(select is_likely from likely)`,
    )}),
    asked as materialized (select is_few and (select count(*) from near) + (select count(*) from far) < ${most}
      and exists ${next(sql``, sql`offset ${NEAR} limit 1`)} as is_asked from few),
    named as materialized (select * from (${candidateIds(db, terms)}) n (id)
      where (select is_asked from asked) limit ${MAX_NAMED + 1}),
    told as materialized (select is_asked and (select count(*) from named) <= ${MAX_NAMED} as is_told, is_asked
      or not is_few as is_open
      from asked, few),
    others as materialized (select c.* from (select id from named where ${isTold} except select id from first) n
      cross join lateral (select ${columns} from customers c where ${live} ${beyond} and c.id = n.id offset 0) c)
    select * from (select * from near union all select * from far) found where not (select is_open from told)
    union all (${page(sql`(select * from first union all select * from others)`, isTold)})
    union all (${page(sql`customers`, sql`${live} ${beyond} and (select is_open and not is_told from told)`)})`
}

/** Matches the names that begin with the word. A name that another collation leaves out comes from an index. */
const beginning = ({ first }: NameSearch): Sql =>
  first === undefined ? sql`and false` : sql`and c.sort_name >= ${first} and c.sort_name < ${`${first}\u{10ffff}`}`

/**
 * What a match has at least one of: a word with this beginning, a part of an email address or a tag; and how names
 * begin.
 */
type NameSearch = { words: string[][]; kinds: string[]; email?: string; tags: string[]; first?: string }

/**
 * Parses the longest term, or the digits of a phone. The index has no terms of fewer than three characters, and no
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
 * Returns the words of a spelling, without the last if an earlier one has a digit: the earlier one is rare, and the
 * last may be the beginning of many.
 */
function rareWords(spelling: string): string[] {
  const words = spelling.split(' ')
  const whole = words.slice(0, -1)
  return whole.some((word) => /\d/.test(word)) ? whole : words
}

const isStatus = (word: string): boolean => CUSTOMER_STATUSES.some((status) => status === word)

/** Selects all customers that may match, or more than may be named. Entries too long to be whole are named, too. */
function candidateIds(db: Db, { words, kinds, email, tags }: NameSearch): Sql {
  const most = MAX_NAMED + 1
  return join(
    [
      ...words.map((texts) => sql`select customers_having(${kinds}::text[], ${texts}::text[], ${most})`),
      ...(email === undefined ? [] : [sql`select customers_by_email(${email}, ${most})`]),
      sql`select e.customer_id from search_entries e
        where e.tenant_id = ${db.tenant} and e.kind in ('customer', 'contact') and length(e.words) >= 600`,
      sql`select a.customer_id from customer_tags a where a.tenant_id = ${db.tenant} and a.tag_id in (
        select t.id from tags t
        where t.tenant_id = ${db.tenant} and translate(t.name_folded, ' |', '__') = any(${tags}::text[]))`,
    ],
    ' union all ',
  )
}
