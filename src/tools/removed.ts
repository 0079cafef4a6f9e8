import { raw, sql } from '../db/database.ts'
import type { Sql } from '../db/database.ts'
import type { Db } from '../db/tenant.ts'
import { invalid } from '../refusal.ts'

/** What a list by change is asked for: what changed since, and with `include_removed` also what left the list since (records 2.1). */
export type ByChange = { updated_since?: string | undefined; include_removed?: boolean | undefined }

/** The guard of every list. */
export function requireSince({ updated_since, include_removed }: ByChange): void {
  if (include_removed === true && updated_since === undefined) throw invalid('include_removed goes with updated_since; send both, or leave it out')
}

/** What a row is told by in a list of what left it too: when it changed or left, and whether it left. */
export const told = ({ include_removed }: ByChange, at: Sql, left: Sql): Sql =>
  (include_removed === true ? sql`, ${at} as updated_at, ${left} as removed` : sql``)

/** The condition of a row that the list shows, which one that left it doesn't meet. */
export const unlessLeft = ({ include_removed }: ByChange, shown: Sql): Sql => (include_removed === true ? sql`` : sql`and ${shown}`)

/** A table whose rows are deleted, to list: each row with `is_deleted`; those that are gone have what was kept of them. */
export function withDeleted(db: Db, table: 'tags' | 'catalog_categories' | 'jobs', { updated_since, include_removed }: ByChange): Sql {
  const name = raw(table)
  if (include_removed !== true) return name
  return sql`(
    select live.*, false as is_deleted from ${name} live where live.tenant_id = ${db.tenant} and live.updated_at >= ${updated_since}
    union all
    select gone.*, true as is_deleted from removals r cross join lateral jsonb_populate_record(null::${name},
      r.record || jsonb_build_object('tenant_id', r.tenant_id, 'id', r.id, 'updated_at', r.at)) gone
    where r.tenant_id = ${db.tenant} and r.kind = ${table} and r.at >= ${updated_since})`
}
