import { sql, type Db } from '../../platform/db/tenant.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { readCatalogItems } from './catalog_rows.ts'
import { readCustomers } from './customer_rows.ts'
import { readInvoices } from '../documents/invoices.ts'
import { readJobs } from '../documents/jobs.ts'
import { readQuotes } from '../documents/quotes.ts'
import type { IncomingRecord, MappedRow, ReadingRules } from '../reading/incoming.ts'
import { isDocument, type ImportKind } from './kinds.ts'
import { newPacer } from '../../platform/db/pacer.ts'

const READERS: Readonly<
  Record<ImportKind, (rows: readonly MappedRow[], rules: ReadingRules) => Promise<IncomingRecord[]>>
> = {
  customers: readCustomers,
  catalog_items: readCatalogItems,
  jobs: readJobs,
  quotes: readQuotes,
  invoices: readInvoices,
}

/** Converts the rows of a file to records. */
export const toIncomingRecords = (
  kind: ImportKind,
  rows: readonly MappedRow[],
  rules: ReadingRules,
): Promise<IncomingRecord[]> => READERS[kind](rows, rules)

/** Returns the needed names by folded name, in their first spelling: tags of customers, categories of items. */
export async function collectNeeds(records: readonly IncomingRecord[]): Promise<Map<string, string>> {
  const pace = newPacer()
  const names = new Map<string, string>()
  for (const { needs } of records) {
    for (const name of needs) {
      const key = fold(name)
      if (!names.has(key)) names.set(key, name)
    }
    await pace()
  }
  return names
}

/** Returns the ids of a company's tags or categories by folded name, preferring root categories. */
export async function findExistingNeeds(db: Db, kind: ImportKind): Promise<Map<string, string>> {
  if (isDocument(kind)) return new Map()
  const matches = await db.all<{ id: string; name: string }>(
    kind === 'customers'
      ? sql`select id, name from tags where tenant_id = ${db.tenant}`
      : sql`select id, name from catalog_categories where tenant_id = ${db.tenant}
        order by depth desc, "position" desc`,
  )
  return new Map(matches.map(({ id, name }) => [fold(name), id]))
}

/** Returns the tool that creates the needs of a kind of record. */
export const needTool = (kind: ImportKind): 'tags_create' | 'catalog_categories_create' =>
  kind === 'customers' ? 'tags_create' : 'catalog_categories_create'
