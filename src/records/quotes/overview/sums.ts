import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { MAX_COUNTED } from '../../../tools/call/outcome.ts'
import { hasStatus, listConditions, withSearch, type QuoteFilters } from '../listing.ts'
import { quotes } from '../tools.ts'

type QuoteSums = { count: number; total_cents: number }

/** Sums a list over all its pages; undefined if it is empty, too long to count or has several currencies. */
export async function sumQuotes(
  db: Db,
  { tenant }: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<QuoteSums | undefined> {
  const parsed = quotes.tools[0].input.safeParse(query)
  if (!parsed.success) return undefined
  const filters = await withSearch(db, parsed.data as QuoteFilters)
  if (filters.search !== undefined && !('ids' in filters.search)) return undefined
  const { currencies, ...sums } = await db.one<QuoteSums & { currencies: number }>(sql`
    select count(*) as count, count(distinct f.currency) as currencies,
      coalesce(sum(f.total_cents), 0)::bigint as total_cents
    from (select q.currency, q.total_cents from quotes q
      where ${listConditions(db, tenant.timezone, filters)} ${hasStatus(filters)} limit ${MAX_COUNTED + 1}) f`)
  return sums.count === 0 || sums.count > MAX_COUNTED || currencies > 1 ? undefined : sums
}
