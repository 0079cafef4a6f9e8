import { sql, type Db } from '../../../platform/db/tenant.ts'
import { fold } from '../../../platform/validation/text/fold.ts'

/** Locks the catalog for additions by name, so that a form sent twice adds its items once. */
export const lockCatalog = (db: Db): Promise<number> =>
  db.run(sql`select id from tenants where id = ${db.tenant} for no key update`)

/** Returns the names that are already in the catalog, regardless of case and accents. */
export async function listTakenNames(db: Db, names: readonly string[]): Promise<Set<string>> {
  const rows = await db.all<{ name_folded: string }>(sql`select name_folded from catalog_items
    where tenant_id = ${db.tenant} and archived_at is null and name_folded = any(${names.map(fold)}::text[])`)
  const folded = new Set(rows.map(({ name_folded }) => name_folded))
  return new Set(names.filter((name) => folded.has(fold(name))))
}
