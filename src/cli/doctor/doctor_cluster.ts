import type { Client } from 'pg'
import { hasSuspendedKeys } from '../../platform/db/citus/keys.ts'
import { isCluster, placements } from '../../platform/db/citus/schema/placement.ts'
import type { SpokenFinding } from '../../health/finding.ts'

/** Reports the placement of a cluster's tables; empty for a single server. */
export async function clusterFindings(client: Client): Promise<SpokenFinding[]> {
  if (!(await isCluster(client))) return []
  const check = 'cluster'
  const tables = await placements(client)
  const { rows } = await client.query<{ machines: number; down: string | null }>(`
    select count(*) filter (where shouldhaveshards)::int as machines,
      (select string_agg(nodename || ':' || nodeport, ', ') from pg_dist_node where not isactive) as down from pg_dist_node`)
  const { machines, down } = rows[0]!
  if (down !== null)
    return [
      { check, ok: false, says: `not in use: ${down}`, mend: 'Activate it on the first machine: citus_activate_node' },
    ]
  const lie = (isPlaced: boolean, ofTenants: boolean): string[] =>
    tables.filter((one) => one.isPlaced === isPlaced && (one.by !== null) === ofTenants).map(({ table }) => table)
  const waiting = [...lie(false, true), ...lie(false, false)]
  if (waiting.length === tables.length)
    return [{ check, ok: true, says: 'Citus is there, and all tables lie on this machine' }]
  if (waiting.length > 0 || (await hasSuspendedKeys(client)))
    return [
      {
        check,
        ok: false,
        says: `not spread yet: ${waiting.join(', ') || 'foreign keys'}`,
        mend: 'Run: callout migrate',
      },
    ]
  const says = `${lie(true, true).length} tables by company over ${machines} machines, ${lie(true, false).length} copied to each`
  return [{ check, ok: true, says }]
}
