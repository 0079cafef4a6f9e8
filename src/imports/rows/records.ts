import { sql, type Db } from '../../platform/db/tenant.ts'
import { fold } from '../../platform/validation/text/fold.ts'
import { catalogItemsIn } from './catalog_rows.ts'
import { customersIn } from './customer_rows.ts'
import { invoicesIn } from '../documents/invoices.ts'
import { jobsIn } from '../documents/jobs.ts'
import { quotesIn } from '../documents/quotes.ts'
import type { Incoming, MappedRow, ReadingRules } from '../reading/incoming.ts'
import { isDocument, type ImportKind } from './kinds.ts'
import { newPacer } from '../../platform/db/pacer.ts'

const READERS: Readonly<Record<ImportKind, (rows: readonly MappedRow[], rules: ReadingRules) => Promise<Incoming[]>>> =
  { customers: customersIn, catalog_items: catalogItemsIn, jobs: jobsIn, quotes: quotesIn, invoices: invoicesIn }

/** Returns what the rows of a file are about. */
export const incomingOf = (kind: ImportKind, rows: readonly MappedRow[], rules: ReadingRules): Promise<Incoming[]> =>
  READERS[kind](rows, rules)

/** Returns the names that records need and each by its first spelling: tags of customers, categories of items. */
export async function needsOf(records: readonly Incoming[]): Promise<Map<string, string>> {
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

/** Returns the ids of the tags, or of the categories at the root, that a company has, by folded name. */
export async function neededIn(db: Db, kind: ImportKind): Promise<Map<string, string>> {
  if (isDocument(kind)) return new Map()
  const found = await db.all<{ id: string; name: string }>(
    kind === 'customers'
      ? sql`select id, name from tags where tenant_id = ${db.tenant}`
      : sql`select id, name from catalog_categories where tenant_id = ${db.tenant} order by depth desc, "position" desc`,
  )
  return new Map(found.map(({ id, name }) => [fold(name), id]))
}

/** Names the tool that makes what records of a kind need. */
export const needMade = (kind: ImportKind): 'tags_create' | 'catalog_categories_create' =>
  kind === 'customers' ? 'tags_create' : 'catalog_categories_create'
