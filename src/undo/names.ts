import { join, sql, type Sql } from '../platform/db/database.ts'
import type { Db } from '../platform/db/tenant.ts'

/** Returns the names of records by id, without those that are gone. */
export async function findNames(
  db: Db,
  records: readonly { record_type: string; record_id: string }[],
): Promise<Map<string, string>> {
  const byType = Map.groupBy(records, ({ record_type }) => record_type)
  const queries = [...byType].flatMap(([type, recordsOfType]) => {
    const name = NAMES[type]
    return name === undefined
      ? []
      : [
          sql`select id, ${name}
            where tenant_id = ${db.tenant}
              and id = any(${[...new Set(recordsOfType.map(({ record_id }) => record_id))]}::uuid[])`,
        ]
  })
  if (queries.length === 0) return new Map()
  const rows = await db.all<{ id: string; name: string }>(join(queries, ' union all '))
  return new Map(rows.map(({ id, name }) => [id, name]))
}

/** SQL of a record's name, with its table, by the singular of its kind. */
const NAMES: Readonly<Record<string, Sql>> = {
  customer: sql`display_name as name from customers`,
  contact: sql`coalesce(nullif(concat_ws(' ', first_name, last_name), ''), email, phone) as name from contacts`,
  location: sql`coalesce(name, address_line1) as name from locations`,
  tag: sql`name from tags`,
  note: sql`left(regexp_replace(body, '\\s+', ' ', 'g'), 60) as name from notes`,
  job: sql`display_number || ' ' || title as name from jobs`,
  job_series: sql`title as name from job_series`,
  invoice: sql`display_number as name from invoices`,
  quote: sql`display_number || ' ' || title as name from quotes`,
  catalog_item: sql`name from catalog_items`,
  catalog_category: sql`name from catalog_categories`,
  plan: sql`name from plans`,
  tax_rate: sql`name from tax_rates`,
}
