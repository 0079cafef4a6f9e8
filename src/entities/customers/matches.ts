import { join, sql, type Sql } from '../../db/database.ts'
import type { Db } from '../../db/tenant.ts'
import { spellings } from '../../shape/fold.ts'
import { CUSTOMER_STATUSES } from './customer.ts'
import { phoneDigits, tagWord, termsOf } from './matching.ts'

/** Limits the names that are looked through in order before an index is asked: what many have fills a page of them. */
const NEAR = 3000

/** Limits what an index may name; with more of it, looking through all names in order is cheaper. */
const MOST_NAMED = 2000

/**
 * Selects live customers by name that fit, after a position. The next names are looked through; where they don't fill the page,
 * the customers that the indexes name; all names where those are too many or no index tells.
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
    sql`select 1::int as rank, c.sort_name as at, c.id from ${from} c where ${where} and ${fits} order by c.sort_name, c.id limit ${most}`
  const sought = soughtIn(query)
  if (sought === undefined) return page(sql`customers`, sql`${live} ${beyond}`)
  const columns = sql`c.tenant_id, c.id, c.sort_name, c.search_key, c.status, c.customer_type`
  return sql`with near as materialized (
      select ${columns} from customers c where ${live} ${beyond} order by c.sort_name, c.id limit ${NEAR}),
    found_near as materialized (${page(sql`near`, sql`true`)}),
    short as materialized (select (select count(*) from found_near) < ${most} and (select count(*) from near) = ${NEAR} as is_short),
    named as materialized (select * from (${namedBy(db, sought)}) n (id) where (select is_short from short) limit ${MOST_NAMED + 1}),
    few as materialized (select c.* from (select distinct id from named where (select count(*) from named) <= ${MOST_NAMED}) n
      cross join lateral (select ${columns} from customers c where ${live} ${beyond} and c.id = n.id offset 0) c)
    select * from found_near where not (select is_short from short)
    union all (${page(sql`few`, sql`true`)})
    union all (${page(sql`customers`, sql`${live} ${beyond} and (select count(*) from named) > ${MOST_NAMED}`)})`
}

/** Is what every match of a query has at least one of: a word that begins so, a part of an e-mail, a tag. */
type Sought = { words: string[][]; kinds: string[]; email: string | undefined; tags: string[] }

/** Reads the longest term, or the digits of a phone; an index knows no fewer than three characters, and no status. */
function soughtIn(query: string): Sought | undefined {
  const digits = phoneDigits(query)
  if (digits !== undefined)
    return digits.length < 3 ? undefined : { words: [[digits]], kinds: ['contact'], email: undefined, tags: [] }
  const [term] = termsOf(query)
    .filter((one) => Array.from(one).length >= 3 && !one.includes('|') && !isStatus(tagWord(one)))
    .toSorted((a, b) => b.length - a.length)
  if (term === undefined) return undefined
  const words = spellings(term).map(rareWords)
  return { words, kinds: ['customer', 'contact'], email: term.toLowerCase(), tags: [tagWord(term), tagWord(query)] }
}

/** Returns the words of a spelling without the last where one before it has a digit: few have that one, and many a beginning. */
function rareWords(spelling: string): string[] {
  const words = spelling.split(' ')
  const whole = words.slice(0, -1)
  return whole.some((word) => /\d/.test(word)) ? whole : words
}

const isStatus = (word: string): boolean => (CUSTOMER_STATUSES as readonly string[]).includes(word)

/** Selects all customers that may match, or more than may be named. Entries too long to be whole are named, too. */
function namedBy(db: Db, { words, kinds, email, tags }: Sought): Sql {
  const most = MOST_NAMED + 1
  return join(
    [
      ...words.map((texts) => sql`select customers_having(${kinds}::text[], ${texts}::text[], ${most})`),
      ...(email === undefined ? [] : [sql`select customers_by_email(${email}, ${most})`]),
      sql`select e.customer_id from search_entries e
        where e.tenant_id = ${db.tenant} and e.kind in ('customer', 'contact') and length(e.words) >= 600`,
      sql`select a.customer_id from customer_tags a where a.tenant_id = ${db.tenant} and a.tag_id in (
        select t.id from tags t where t.tenant_id = ${db.tenant} and translate(t.name_folded, ' |', '__') = any(${tags}::text[]))`,
    ],
    ' union all ',
  )
}
