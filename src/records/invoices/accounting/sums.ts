import type { Caller } from '../../../identity/credentials/caller.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { MAX_COUNTED } from '../../../tools/call/outcome.ts'
import { hasStatus, listConditions, withSearch, type InvoiceFilters } from '../listing.ts'
import { invoices } from '../tools.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'

type InvoiceSums = { count: number; total_cents: number; balance_due_cents: number }

/** Sums a list over all its pages; undefined if it is empty, too long to count or has several currencies. */
export async function sumInvoices(
  db: Db,
  { tenant }: Caller,
  query: Readonly<Record<string, unknown>>,
): Promise<InvoiceSums | undefined> {
  const parsed = invoices.tools[0].input.safeParse(query)
  if (!parsed.success) return undefined
  const filters = await withSearch(db, parsed.data as InvoiceFilters)
  if (filters.search !== undefined && !('ids' in filters.search)) return undefined
  const today = todayIn(tenant.timezone).toString()
  const { currencies, ...sums } = await db.one<InvoiceSums & { currencies: number }>(sql`
    select count(*) as count, count(distinct f.currency) as currencies,
      coalesce(sum(f.total_cents), 0)::bigint as total_cents,
      coalesce(sum(f.balance_due_cents), 0)::bigint as balance_due_cents
    from (select i.currency, i.total_cents, i.balance_due_cents from invoices i
      where ${listConditions(db, tenant.timezone, today, filters)} ${hasStatus(filters)} limit ${MAX_COUNTED + 1}) f`)
  return sums.count === 0 || sums.count > MAX_COUNTED || currencies > 1 ? undefined : sums
}
