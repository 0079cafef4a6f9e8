import { sql, type Db } from '../../../platform/db/tenant.ts'
import { fold } from '../../../platform/validation/text/fold.ts'

/** Lets one at a time add items by name, so that the same form sent twice adds them once. */
export const lockCatalog = (db: Db): Promise<number> =>
  db.run(sql`select id from tenants where id = ${db.tenant} for no key update`)

/** Returns those of some names that the catalog has already, whatever their case and accents. */
export async function listTakenNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.all<{ name_folded: string }>(sql`select name_folded from catalog_items
    where tenant_id = ${db.tenant} and archived_at is null and name_folded = any(${names.map(fold)}::text[])`)
  const folded = new Set(rows.map(({ name_folded }) => name_folded))
  return new Set(names.filter((name) => folded.has(fold(name))))
}
