import pg from 'pg'
import { flawError } from '../migrations/flaw.ts'
import { transactOn } from '../transaction.ts'
import { alignDefaults } from './schema/defaults.ts'
import { adaptFunctions } from './schema/functions.ts'
import { restoreKeys, suspendKeys, withoutKeys } from './keys.ts'
import { isCluster, placements } from './schema/placement.ts'
import { onlyRow } from '../sql.ts'

/** Advisory lock held until the connection ends, because two concurrent distributions would lock the same table. */
const LOCK = 0x0ca117

/** Settings that sessions in a cluster need, besides those of the login role. */
const SETTINGS: Readonly<Record<string, string>> = {
  // Otherwise a trigger on another machine that writes to a reference table would begin its transaction twice.
  'citus.propagate_set_commands': 'none',
  'citus.multi_shard_modify_mode': 'sequential',
  'citus.enable_unsafe_triggers': 'on',
  // Functions read a company's rows on the machine that has all of them.
  'citus.allow_nested_distributed_execution': 'on',
}

/**
 * Distributes the tables and their rows over the machines of a cluster once `distributes` is true, afterwards only new
 * tables. Every step is a separate transaction; the next run continues an interrupted one.
 */
export async function distributeTables(client: pg.Client, distributes: boolean): Promise<void> {
  if (!(await isCluster(client))) return requireCluster(!distributes)
  await client.query('select pg_advisory_lock($1)', [LOCK])
  const tables = await placements(client)
  if (!distributes && !tables.some(({ isPlaced }) => isPlaced)) return
  await setSettings(client)
  const undistributed = tables.filter(({ isPlaced }) => !isPlaced)
  if (undistributed.length > 0) await suspendKeys(client)
  for (const { table, by } of undistributed) await transactOn(client, () => distributeTable(client, table, by))
  await restoreKeys(client)
  await transactOn(client, () => alignDefaults(client))
  await transactOn(client, () => adaptFunctions(client))
}

/** Checks whether tables are distributed over the machines of a cluster. */
export const isDistributed = async (client: pg.Client): Promise<boolean> =>
  (await isCluster(client)) && (await placements(client)).some(({ isPlaced }) => isPlaced)

/** Distributes new tables if the others are distributed already, within the open transaction. */
export async function distributeNewTables(client: pg.Client): Promise<void> {
  const undistributed = (await placements(client)).filter(({ isPlaced }) => !isPlaced)
  if (undistributed.length === 0) return
  await withoutKeys(
    client,
    undistributed.map(({ table }) => table),
    async () => {
      for (const { table, by } of undistributed) await distributeTable(client, table, by)
      await client.query('set local session_replication_role = origin')
    },
  )
}

/** Distributes one table without firing its triggers, because its rows only move. */
async function distributeTable(client: pg.Client, table: string, by: string | null): Promise<void> {
  await client.query('set local session_replication_role = replica')
  await (by === null
    ? client.query('select create_reference_table($1)', [table])
    : client.query('select create_distributed_table($1, $2)', [table, by]))
}

function requireCluster(isAllowed: boolean): void {
  if (isAllowed) return
  throw flawError({
    says: "The database isn't part of a Citus cluster",
    mend: 'run "create extension citus;" on all of its machines, and add them on the first with citus_add_node',
  })
}

/** Session settings of the coordinator alone: `set local` must reach the other machines. */
const COORDINATOR_SETTINGS: typeof SETTINGS = { 'citus.propagate_set_commands': 'local' }

/** Sets the session defaults of the database: those for every machine, then those for this one. */
async function setSettings(client: pg.Client): Promise<void> {
  const { name } = onlyRow(await client.query<{ name: string }>('select current_database() as name'))
  const { others, first } = settingsOf(name)
  await transactOn(client, async () => {
    for (const statement of others) await client.query(statement)
    await client.query('set local citus.enable_ddl_propagation = off')
    for (const statement of first) await client.query(statement)
  })
  for (const [name, value] of Object.entries({ ...SETTINGS, ...COORDINATOR_SETTINGS }))
    await client.query(`set ${name} = '${value}'`)
}

/** Returns the statements that set session defaults: for every machine, and further ones for the coordinator. */
export function settingsOf(database: string): { others: string[]; first: string[] } {
  const set = ([name, value]: [string, string]): string =>
    `alter database ${pg.escapeIdentifier(database)} set ${name} = '${value}'`
  return { others: Object.entries(SETTINGS).map(set), first: Object.entries(COORDINATOR_SETTINGS).map(set) }
}
