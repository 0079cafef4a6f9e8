import { readTenant, sql, type Database } from '../../src/platform/db/tenant.ts'
import { raw } from '../../src/platform/db/database.ts'

/** Every row that people and tools can see, by table and key, without stamps. */
export type Rows = Map<string, string>

const TABLES: Readonly<Record<string, string>> = {
  customers: 'id',
  contacts: 'id',
  locations: 'id',
  tags: 'id',
  notes: 'id',
  jobs: 'id',
  job_series: 'id',
  invoices: 'id',
  quotes: 'id',
  catalog_items: 'id',
  catalog_categories: 'id',
  plans: 'id',
  tax_rates: 'id',
  customer_tags: "customer_id || ':' || tag_id",
  catalog_components: "bundle_id || ':' || item_id",
  invoice_jobs: "invoice_id || ':' || job_id",
  deposit_deductions: "invoice_id || ':' || deposit_id",
  job_assignees: "job_id || ':' || user_id",
  job_titles: 'job_id',
  search_entries: "kind || ':' || id",
}

/** Columns that differ each time a record is archived, canceled, voided or ended. */
const STAMPS = [
  'updated_at',
  'updated_by',
  'archived_at',
  'cancelled_at',
  'cancel_reason',
  'voided_at',
  'void_reason',
  'ended_at',
  'search_text',
  'search_key',
]

/** Reads all rows of a tenant, with or without stamps. */
export const rowsOf = (database: Database, tenant: string, stamps: 'left out' | 'kept' = 'left out'): Promise<Rows> =>
  readTenant(database, { tenant }, async (db) => {
    const tables = await Promise.all(
      Object.entries(TABLES).map(async ([table, key]) =>
        (
          await db.all<{ key: string; row: string }>(sql`select ${raw(key)} as key,
            (${
              stamps === 'kept'
                ? sql`to_jsonb(t)`
                : sql`to_jsonb(t) - ${STAMPS}::text[]
              || jsonb_build_object('ended', coalesce(to_jsonb(t) ->> 'archived_at', to_jsonb(t) ->> 'voided_at', to_jsonb(t) ->> 'ended_at', to_jsonb(t) ->> 'cancelled_at') is not null)`
            })::text as row
            from ${raw(table)} t where t.tenant_id = ${db.tenant}`)
        ).map(({ key: own, row }) => [`${table} ${own}`, row] as const),
      ),
    )
    return new Map(tables.flat())
  })

/** Lists the differences between two states, by table and key. */
export function differences(before: Rows, after: Rows): string[] {
  return [...new Set([...before.keys(), ...after.keys()])]
    .filter((key) => before.get(key) !== after.get(key))
    .map((key) => `${key}\n  was ${before.get(key)}\n  is  ${after.get(key)}`)
}
