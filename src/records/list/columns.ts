import { sql, type Db, type WritableDb } from '../../platform/db/tenant.ts'
import type { ListColumn } from '../page/screen.ts'
import type { ListOwner } from './saved_views.ts'

/** Returns the names of the columns that a member chose for a list; empty if they chose none. */
export const findColumns = async (db: Db, { user, list }: ListOwner): Promise<readonly string[]> =>
  (
    await db.maybe<{ columns: string[] }>(sql`select columns from list_columns
    where tenant_id = ${db.tenant} and user_id = ${user} and list = ${list}`)
  )?.columns ?? []

/** Saves the columns that a member chose. An empty choice restores the default. */
export const saveColumns = (db: WritableDb, { user, list }: ListOwner, names: readonly string[]): Promise<unknown> =>
  db.run(
    names.length === 0
      ? sql`delete from list_columns where tenant_id = ${db.tenant} and user_id = ${user} and list = ${list}`
      : sql`insert into list_columns (tenant_id, user_id, list, columns)
        values (${db.tenant}, ${user}, ${list}, ${names}::text[])
        on conflict (tenant_id, user_id, list) do update set columns = excluded.columns`,
  )

/** Returns the visible columns: the first, which names the record, and the chosen ones, or all except extra ones. */
export const visibleColumns = <T>(
  columns: readonly ListColumn<T>[],
  chosen: readonly string[],
): readonly ListColumn<T>[] =>
  columns.filter(({ name, isExtra = false }, i) => i === 0 || (chosen.length === 0 ? !isExtra : chosen.includes(name)))
