import pg from 'pg'
import { settingsOf } from '../../../src/platform/db/citus/distribute.ts'
import { migrate, currentSchemaHash } from '../../../src/platform/db/migrations/migrate.ts'

/** URL of a cluster's database. If set, tests use this cluster and its machines instead of their own server. */
export const CLUSTER: string | undefined = process.env['CITUS_URL']

/** View of the database's sessions and their waits. In a cluster it covers all machines. */
export const SESSIONS = CLUSTER === undefined ? 'pg_stat_activity' : 'citus_stat_activity'

type Machine = { host: string; port: number }

/**
 * Makes a database with the current schema on all machines of the cluster. Returns a function that drops it. `parts` is
 * the number of shards per table, by default the cluster's own setting.
 */
export async function makeClusterDatabase(
  address: string,
  name: string,
  { lock, parts }: { lock: number; parts?: number | undefined },
): Promise<{ owner: pg.ClientConfig; drop(role?: string): Promise<void> }> {
  const template = `template_${await currentSchemaHash()}${parts === undefined ? '' : `_${parts}`}`
  const cluster = await clusterAt(address)
  await using(cluster.on(cluster.first, 'postgres'), async (admin) => {
    await admin.query('select pg_advisory_lock($1)', [lock])
    const { rows } = await admin.query('select 1 from pg_database where datname = $1', [template])
    if (rows.length === 0) await makeTemplate(template)
    await cluster.everywhere(async (each) => {
      await each.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${template}'`)
      await each.query(`create database ${name} template ${template} strategy file_copy`)
      for (const setting of settingsOf(name).others) await each.query(setting)
    })
    for (const setting of settingsOf(name).first) await admin.query(setting)
  })

  async function makeTemplate(finished: string): Promise<void> {
    const draft = 'template_unfinished'
    await cluster.makeEmpty(draft)
    const owner = cluster.on(cluster.first, draft)
    await migrate(parts === undefined ? owner : { ...owner, options: `-c citus.shard_count=${parts}` }, {
      distributes: true,
    })
    await cluster.everywhere(async (admin) => {
      await admin.query(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${draft}'`)
      await admin.query(`alter database ${draft} rename to ${finished}`)
    })
  }

  return { owner: cluster.on(cluster.first, name), drop: (role) => cluster.drop(name, role) }
}

/** Makes a database without a schema on all machines of the cluster. */
export async function makeEmptyCluster(
  address: string,
  name: string,
): Promise<{ owner: pg.ClientConfig; drop(role?: string): Promise<void> }> {
  const cluster = await clusterAt(address)
  await cluster.makeEmpty(name)
  return { owner: cluster.on(cluster.first, name), drop: (role) => cluster.drop(name, role) }
}

async function clusterAt(address: string) {
  const machines = await machinesOf(address)
  const first = machines[0]!
  const on = (machine: Machine, database: string): pg.ClientConfig => ({
    ...machine,
    user: URL.parse(address)!.username,
    password: URL.parse(address)!.password,
    database,
  })
  const everywhere = (work: (admin: pg.Client) => Promise<unknown>): Promise<unknown> =>
    Promise.all(machines.map((machine) => using(on(machine, 'postgres'), work)))
  return {
    first,
    on,
    everywhere,
    makeEmpty: async (name: string): Promise<void> => {
      await everywhere(async (admin) => {
        await admin.query(`drop database if exists ${name} with (force)`)
        await admin.query(`create database ${name}`)
      })
      await Promise.all(
        machines.map((machine) => using(on(machine, name), (each) => each.query('create extension citus'))),
      )
      await using(on(first, name), async (client) => {
        await client.query('select citus_set_coordinator_host($1, $2)', [first.host, first.port])
        for (const { host, port } of machines.slice(1))
          await client.query('select citus_add_node($1, $2)', [host, port])
      })
    },
    drop: async (name: string, role?: string): Promise<void> => {
      await everywhere(async (admin) => {
        await admin.query(`drop database ${name} with (force)`)
        if (role !== undefined) await admin.query(`drop role if exists ${role}`)
      })
    },
  }
}

const machinesOf = (address: string): Promise<Machine[]> =>
  using({ connectionString: address }, async (client) => {
    const { rows } = await client.query<Machine>(
      'select nodename as host, nodeport as port from pg_dist_node where isactive order by groupid',
    )
    return rows
  })

async function using<T>(config: pg.ClientConfig, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(config)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
