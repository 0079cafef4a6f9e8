import type { Client } from 'pg'
import { hasSuspendedKeys } from '../../platform/db/citus/keys.ts'
import { isCluster, placements } from '../../platform/db/citus/schema/placement.ts'
import type { TranslatedFinding } from '../../health/finding.ts'

/** Reports the placement of a cluster's tables; empty for a single server. */
export async function clusterFindings(client: Client): Promise<TranslatedFinding[]> {
  if (!(await isCluster(client))) return []
  const check = 'cluster'
  const tables = await placements(client)
  const { rows } = await client.query<{ machines: number; down: string | null }>(`
    select count(*) filter (where shouldhaveshards)::int as machines,
      (select string_agg(nodename || ':' || nodeport, ', ') from pg_dist_node where not isactive) as down from pg_dist_node`)
  const { machines, down } = rows[0]!
  if (down !== null)
    return [
      { check, ok: false, says: `inactive: ${down}`, mend: 'Activate it on the first machine: citus_activate_node' },
    ]
  const tableNames = (isPlaced: boolean, isDistributed: boolean): string[] =>
    tables.filter((one) => one.isPlaced === isPlaced && (one.by !== null) === isDistributed).map(({ table }) => table)
  const unplaced = [...tableNames(false, true), ...tableNames(false, false)]
  if (unplaced.length === tables.length)
    return [{ check, ok: true, says: 'Citus is installed; all tables are on this machine' }]
  if (unplaced.length > 0 || (await hasSuspendedKeys(client)))
    return [
      {
        check,
        ok: false,
        says: `not distributed yet: ${unplaced.join(', ') || 'foreign keys'}`,
        mend: 'Run: callout migrate',
      },
    ]
  const says = `${tableNames(true, true).length} tables distributed by company across ${machines} machines, ${tableNames(true, false).length} copied to each`
  return [{ check, ok: true, says }]
}
