import { randomBytes } from 'node:crypto'
import { Client, type ClientConfig } from 'pg'
import pino from 'pino'
import { makeDemo, type Demo } from '../../cli/installation/demo_company.ts'
import type { Caller } from '../../identity/credentials/caller.ts'
import type { ToolServer } from '../../mcp/protocol/types.ts'
import { readConfig, type Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/tenant.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import { openServiceDatabase } from '../../platform/db/open.ts'
import { startService } from '../../start/service.ts'
import { ExamClock } from './clock.ts'
import { readSnapshot, restoreSnapshot, type Snapshot } from './snapshot.ts'

/** Demo company behind a running service, in the state in which every task starts. */
export type World = {
  tenant: string
  timezone: string
  database: Database
  owner: Client
  config: Config
  /** Address of the tool endpoint. */
  url: string
  /** Restores every row as it was created, and the clock to its start. */
  reset(): Promise<void>
  /** Rows of the company as created. */
  untouched(): Snapshot
  close(): Promise<void>
}

type WorldOptions = {
  /** Superuser's connection to a server on which the exam may create a database. */
  server: ClientConfig
  /** Database of that server with the current schema, to copy. */
  template?: string
  /** Port of the service; 0 picks a free one. */
  port?: number
  /** Wraps the tools to watch the calls of an external client. */
  aroundTools?: (tools: ToolServer<Caller>) => ToolServer<Caller>
}

/** Creates a demo company in a database of its own, with a clock that starts at the same time in every exam. */
export async function openWorld({ server, template, ...options }: WorldOptions): Promise<World> {
  const clock = new ExamClock()
  const name = `exam_${randomBytes(6).toString('hex')}`
  const owner = { ...server, database: name }
  const leave = (): Promise<void> =>
    withClient(server, async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`)
    }).finally(() => clock.restore())
  clock.install()
  try {
    await createDatabase(server, name, template)
    const { tenant } = await makeCompany(owner, clock)
    const world = await serve(owner, { clock, tenant, ...options })
    return { ...world, close: () => world.close().finally(leave) }
  } catch (error) {
    await leave()
    throw error
  }
}

const createDatabase = (server: ClientConfig, name: string, template = 'template1'): Promise<void> =>
  withClient(server, async (admin) => {
    await admin.query(`create database ${name} template ${template}`)
  })

async function makeCompany(owner: ClientConfig, clock: ExamClock): Promise<Demo> {
  await migrate(owner)
  await withClient(owner, (client) => clock.prepare(client))
  const database = await openServiceDatabase(owner, null)
  try {
    return await makeDemo(database, { baseUrl: BASE_URL })
  } finally {
    await database.close()
  }
}

const BASE_URL = 'http://callout.exam'

type ServeOptions = Omit<WorldOptions, 'server'> & { clock: ExamClock; tenant: Demo['tenant'] }

async function serve(owner: ClientConfig, options: ServeOptions): Promise<World> {
  const opened = new AsyncDisposableStack()
  try {
    return { ...(await openService(owner, options, opened)), close: () => opened.disposeAsync() }
  } catch (error) {
    await opened.disposeAsync()
    throw error
  }
}

/** Starts the service. Adds everything that must be closed to `opened`. */
async function openService(
  owner: ClientConfig,
  { clock, tenant: { id: tenant, timezone }, port = 0, ...outside }: ServeOptions,
  opened: AsyncDisposableStack,
): Promise<Omit<World, 'close'>> {
  const connect = async (): Promise<Client> => {
    const client = new Client(owner)
    await client.connect()
    opened.defer(() => client.end())
    // Its prepared statements are planned once, for any values.
    await client.query('set plan_cache_mode = force_generic_plan')
    return client
  }
  const client = await connect()
  // A session of its own, because a session that switches triggers off and on loses its plans.
  const writer = await connect()
  await writer.query('set session_replication_role = replica')
  await clock.begin(client)
  const database = await openServiceDatabase(owner, null)
  opened.defer(() => database.close())
  const config = readConfig({
    BASE_URL,
    PORT: String(port),
    DATA_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_CREDENTIAL: '0',
    RATE_LIMIT_PER_TENANT: '0',
  })
  const service = await startService(config, database, pino({ level: 'silent' }), null, outside)
  opened.defer(() => service.stop(0))
  let untouched = await readSnapshot(client, tenant)
  return {
    tenant,
    timezone,
    database,
    owner: client,
    config,
    url: `http://127.0.0.1:${service.port}/api/mcp`,
    reset: async () => {
      untouched = await restoreSnapshot({ owner: client, writer }, tenant, untouched)
      await clock.begin(client)
    },
    untouched: () => untouched,
  }
}

async function withClient<T>(connection: ClientConfig, use: (client: Client) => Promise<T>): Promise<T> {
  const client = new Client(connection)
  await client.connect()
  try {
    return await use(client)
  } finally {
    await client.end()
  }
}
