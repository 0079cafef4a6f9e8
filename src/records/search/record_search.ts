import { sql, type Sql } from '../../platform/db/database.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { parseSearch } from '../../platform/validation/text/search_terms.ts'

/** Kinds of records that a list finds by their own words and their customer's name, with their tables. */
const TABLES = { job: sql`jobs`, quote: sql`quotes`, invoice: sql`invoices` } as const

/**
 * Result of a list's text search: the ids of the records if there are few; otherwise a condition on a row `r`, with
 * which reading the newest finds a page sooner.
 */
export type RecordSearch = { ids: readonly string[] } | { condition: (r: Sql) => Sql }

/** Maximum records to find by id. */
const MAX_IDS = 300

/**
 * Finds the records of a kind by their words, customer or number, and jobs also by title or address. Undefined without
 * a text. A text without a letter or digit finds nothing.
 */
export async function searchRecords(
  db: Db,
  kind: keyof typeof TABLES,
  query: string | null | undefined,
): Promise<RecordSearch | undefined> {
  if (query == null) return undefined
  const terms = parseSearch(query)
  if (terms === undefined) return { ids: [] }
  const words = [...terms.words]
  const number = terms.number?.value ?? null
  const matchingIds = (of: Sql): Sql =>
    sql`select id from search_matching(${of}, ${words}::text[], ${words}::text[], ${MAX_IDS + 1})`
  const title = fold(query.trim())
  const titleMatches = Array.from(title).length < 3 ? sql`` : sql`union (select jobs_titled(${title}, ${MAX_IDS + 1}))`
  const jobMatches =
    kind === 'job'
      ? sql`${titleMatches}
        union (select j.id from jobs j
          where j.tenant_id = ${db.tenant} and j.location_id in (${matchingIds(sql`'location'`)}) limit ${MAX_IDS + 1})`
      : sql``
  const { ids } = await db.one<{ ids: string[] }>(sql`select array(
    (${matchingIds(sql`${kind}`)}) ${jobMatches}
    union (select id from ${TABLES[kind]} where tenant_id = ${db.tenant} and number = ${number}::int)) as ids`)
  if (ids.length <= MAX_IDS) return { ids }
  const entryMatches = (of: Sql, id: Sql): Sql => sql`exists (select 1 from search_entries e
    where e.tenant_id = ${db.tenant} and e.kind = ${of} and e.id = ${id}
      and (select bool_and(strpos(e.words, one) > 0) from unnest(${words}::text[]) one))`
  return {
    condition: (r) => sql`(${entryMatches(sql`${kind}`, sql`${r}.id`)} or ${r}.number = ${number}::int
      ${
        kind === 'job'
          ? sql`or ${entryMatches(sql`'location'`, sql`${r}.location_id`)} or strpos(${r}.title_folded, ${title}) > 0`
          : sql``
      })`,
  }
}

/** Returns the condition that a search found a row `r`; true without a search. */
export const isFound = (search: RecordSearch | undefined, r: Sql): Sql =>
  search === undefined
    ? sql`true`
    : 'ids' in search
      ? sql`${r}.id = any(${[...search.ids]}::uuid[])`
      : search.condition(r)
