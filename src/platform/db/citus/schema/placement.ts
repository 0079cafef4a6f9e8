import type { Client } from 'pg'
import { onlyRow } from '../../sql.ts'

/**
 * Placement of a table: distributed by this tenant column, so that a tenant's rows are on one machine, or a reference
 * table (null), copied to every machine.
 */
type TablePlacement = { table: string; by: 'tenant_id' | 'id' | null; isPlaced: boolean }

/** Checks whether the database is part of a cluster: the extension is installed. */
export async function isCluster(client: Client): Promise<boolean> {
  const { there } = onlyRow(
    await client.query<{ there: boolean }>(`select exists (select from pg_extension where extname = 'citus') as there`),
  )
  return there
}

/**
 * Returns the placement of each table, reference tables first. A table is distributed if all of its unique keys include
 * the tenant; the others are read before a tenant is known. The list of migrations stays on the coordinator.
 */
export async function placements(client: Client): Promise<TablePlacement[]> {
  const { rows } = await client.query<TablePlacement>(`
    select relname as table, by, exists (
        select from pg_dist_partition p
        where p.logicalrelid = c.oid and (p.partmethod = 'h' or p.repmodel = 't')) as "isPlaced"
    from pg_class c cross join lateral (select ${columnOf('c')} as by) b
    where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
    order by by is not null, relname`)
  return rows
}

/** Returns SQL for a table's distribution column; null for a reference table. */
export const columnOf = (table: string): string => `(
  select t.attname from pg_attribute t
  where t.attrelid = ${table}.oid and t.attname = case ${table}.relname when 'tenants' then 'id' else 'tenant_id' end
    and not exists (select from pg_index i
      where i.indrelid = ${table}.oid and i.indisunique and not t.attnum = any(i.indkey)))`
