import { raw, sql, type Sql } from '../../platform/db/database.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { invalidField } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/**
 * Inputs of a list of changes: records changed since a time and, with `include_removed`, also those that left the list
 * since (docs/spec/interface.md#removed-records).
 */
export type ChangeFilter = { updated_since?: string | undefined; include_removed?: boolean | undefined }

/** Requires `updated_since` if `include_removed` is set. Every list calls it. */
export function requireSince({ updated_since, include_removed }: ChangeFilter): void {
  if (include_removed === true && updated_since === undefined)
    throw invalidField('include_removed', refusals.sinceMissing())
}

/** Returns the columns of a list with removed rows: the time of the change or removal, and whether it was removed. */
export const changeColumns = ({ include_removed }: ChangeFilter, at: Sql, removed: Sql): Sql =>
  include_removed === true ? sql`, ${at} as updated_at, ${removed} as removed` : sql``

/** Returns the condition for rows in the list. It is empty if removed rows are included. */
export const whereListed = ({ include_removed }: ChangeFilter, live: Sql): Sql =>
  include_removed === true ? sql`` : sql`and ${live}`

/**
 * Selects the rows deleted since from a table named in code, with the data kept of them. `updated_at` is the time of
 * deletion.
 */
export const selectDeleted = (db: Db, table: string, { updated_since }: ChangeFilter): Sql => sql`(
  select gone.* from removals r cross join lateral jsonb_populate_record(null::${raw(table)},
    r.record || jsonb_build_object('tenant_id', r.tenant_id, 'id', r.id, 'updated_at', r.at)) gone
  where r.tenant_id = ${db.tenant} and r.kind = ${table} and r.at >= ${updated_since})`

/** Selects a small table for a list. Adds its deleted rows, and `is_deleted`, if the list includes them. */
export const selectWithDeleted = (db: Db, table: string, filter: ChangeFilter): Sql =>
  filter.include_removed !== true
    ? raw(table)
    : sql`(
  select live.*, false as is_deleted from ${raw(table)} live where live.tenant_id = ${db.tenant}
  union all select gone.*, true as is_deleted from ${selectDeleted(db, table, filter)} gone)`

/** Deletes up to `limit` notes of records deleted before a time (docs/spec/interface.md#removed-records). */
export const sweepRemovalNotes = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from removals
    where tenant_id = ${db.tenant}
      and (kind, id) in (select kind, id from removals
        where tenant_id = ${db.tenant} and at < ${before} limit ${limit})`)
