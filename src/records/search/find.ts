import { join, sql, type Sql } from '../../platform/db/database.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { bare, type SearchTerms } from '../../platform/validation/text/search_terms.ts'

export type CustomerHit = {
  id: string
  display_name: string
  phone: string | null
  email: string | null
  address: string | null
}

export type JobHit = Document & { status: string; scheduled_start: string | null }
export type QuoteHit = Document & { status: string; total_cents: number; currency: string }
export type InvoiceHit = Document & { status: string; balance_due_cents: number; total_cents: number; currency: string }

type Document = { id: string; display_number: string; title: string | null; customer_name: string }

type Kind = 'customer' | 'contact' | 'location' | 'job' | 'quote' | 'invoice'

/** Newest records to read before the index. A common word is found among them at once. */
const NEWEST_COUNT = 400

/** Maximum records of each kind to rank. */
const MAX_RANKED = 60

/** Maximum newest records with a number for it to be rare: few of the older ones have it, too. */
const MAX_RARE = 8

/**
 * Selects the entries that have every text: from the newest records if enough of them match, else also from the index.
 */
const entriesOf = (db: Db, kind: Kind, texts: readonly string[], limit: number): Sql => sql`(
  with recent as (
    select id, customer_id, words, at
    from search_entries
    where tenant_id = ${db.tenant} and kind = ${kind}
    order by at desc, id desc limit ${NEWEST_COUNT}),
  newest as materialized (select e.* from recent e where ${hasTexts(texts)} limit ${limit}),
  older as materialized (
    select * from search_matching(${kind}, ${searchTexts(texts)}, ${[...texts]}::text[], ${MAX_RANKED})
    where (select count(*) from newest) < ${limit} and ${texts.some(({ length }) => length > 2)})
  select distinct on (id) id, customer_id, words, at from (select * from newest union all select * from older) found)`

/** Returns the texts to look up in the index: only rare numbers if there are any, else all. */
function searchTexts(texts: readonly string[]): Sql {
  const numbers = texts.filter((text) => /\d/.test(text) && text.length > 3)
  return numbers.length === 0 || texts.length === 1
    ? sql`${[...texts]}::text[]`
    : sql`(select coalesce(array_agg(number), ${[...texts]}::text[]) from unnest(${numbers}::text[]) number
      where (select count(*) from recent e where strpos(e.words, number) > 0) <= ${MAX_RARE})`
}

/** Returns the condition that an entry has every text. */
const hasTexts = (texts: readonly string[]): Sql =>
  join(
    texts.map((text) => sql`strpos(e.words, ${text}) > 0`),
    ' and ',
  )

/** Returns customers by name, by contact, phone or email, then by address; prefix matches first, then newest. */
export function findCustomers(db: Db, { words, digits }: SearchTerms, limit: number): Promise<CustomerHit[]> {
  const matchesBy = (kind: Kind, rank: number, texts: readonly string[]): Sql => sql`
    select customer_id as id, ${rank}::int - (strpos(words, ${texts[0]!}) = 1)::int as rank, at
    from ${entriesOf(db, kind, texts, limit)} e`
  return db.all<CustomerHit>(sql`
    with found as materialized (
      ${matchesBy('customer', 2, words)}
      union all ${matchesBy('contact', 4, digits === undefined ? words : [digits])}
      union all ${matchesBy('location', 6, words)}),
    page as (select id, min(rank) as rank, max(at) as at from found group by id order by 2, 3 desc, 1 limit ${limit})
    select c.id, c.display_name, k.phone, k.email, customer_address(c.tenant_id, c.id) as address
    from page p join customers c on c.tenant_id = ${db.tenant} and c.id = p.id and c.archived_at is null
      left join contacts k on k.tenant_id = ${db.tenant} and k.customer_id = c.id and k.is_primary
        and k.archived_at is null
    order by p.rank, p.at desc, p.id`)
}

/** Returns jobs by number, else by title and customer. */
export const findJobs = (db: Db, terms: SearchTerms, limit: number): Promise<JobHit[]> =>
  db.all<JobHit>(sql`${pageOf(db, 'job', sql`jobs`, terms, limit)}
    select d.id, d.display_number, d.title, c.display_name as customer_name, d.status, d.scheduled_start
    from page p
      join jobs d on d.tenant_id = ${db.tenant}
        and d.id = p.id ${withCustomer(db)} ${filterByNumber(terms, sql`true`)} ${ORDER_BY_RANK}`)

/** Returns quotes by number, else by title and customer; never archived ones. */
export const findQuotes = (db: Db, terms: SearchTerms, limit: number): Promise<QuoteHit[]> =>
  db.all<QuoteHit>(sql`${pageOf(db, 'quote', sql`quotes`, terms, limit)}
    select d.id, d.display_number, d.title, c.display_name as customer_name, d.status, d.total_cents, d.currency
    from page p
      join quotes d on d.tenant_id = ${db.tenant}
        and d.id = p.id ${withCustomer(db)} ${filterByNumber(terms, sql`d.status <> 'archived'`)} ${ORDER_BY_RANK}`)

/** Returns invoices by number, else by subject and customer. */
export const findInvoices = (db: Db, terms: SearchTerms, limit: number): Promise<InvoiceHit[]> =>
  db.all<InvoiceHit>(sql`${pageOf(db, 'invoice', sql`invoices`, terms, limit)}
    select d.id, d.display_number, d.subject as title, c.display_name as customer_name, d.status, d.balance_due_cents,
      d.total_cents, d.currency
    from page p
      join invoices d on d.tenant_id = ${db.tenant}
        and d.id = p.id ${withCustomer(db)} ${filterByNumber(terms, sql`true`)} ${ORDER_BY_RANK}`)

const withCustomer = (db: Db): Sql => sql`join customers c on c.tenant_id = ${db.tenant} and c.id = d.customer_id`

const ORDER_BY_RANK = sql`order by p.rank, p.at desc, p.id`

const pageOf = (db: Db, kind: Kind, table: Sql, { words, number }: SearchTerms, limit: number): Sql => sql`
  with page as (
    select id, min(rank) as rank, max(at) as at from (
      select id, 1 as rank, at from ${entriesOf(db, kind, words, limit)} e
      ${
        number === undefined
          ? sql``
          : sql`union all
            select id, 0, created_at from ${table} where tenant_id = ${db.tenant} and number = ${number.value}`
      }
    ) found group by id order by 2, 3 desc, 1 limit ${limit})`

/** Excludes a document whose number has another prefix than the entered one. */
const filterByNumber = ({ number }: SearchTerms, condition: Sql): Sql =>
  number === undefined || number.before === ''
    ? sql`where ${condition}`
    : sql`where ${condition}
      and (p.rank > 0
        or regexp_replace(lower(d.display_number), '[^[:alnum:]]', '',
          'g') = ${`${bare(number.before)}${number.value}`})`
