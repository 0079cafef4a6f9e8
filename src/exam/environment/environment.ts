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
export type ExamEnvironment = {
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
  initialSnapshot(): Snapshot
  close(): Promise<void>
}

type EnvironmentOptions = {
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
export async function openEnvironment({ server, template, ...options }: EnvironmentOptions): Promise<ExamEnvironment> {
  const clock = new ExamClock()
  const name = `exam_${randomBytes(6).toString('hex')}`
  const owner = { ...server, database: name }
  const cleanUp = (): Promise<void> =>
    withClient(server, async (admin) => {
      await admin.query(`drop database if exists ${name} with (force)`)
    }).finally(() => clock.restore())
  clock.install()
  try {
    await createDatabase(server, name, template)
    const { tenant } = await makeCompany(owner, clock)
    const environment = await serve(owner, { clock, tenant, ...options })
    return { ...environment, close: () => environment.close().finally(cleanUp) }
  } catch (error) {
    await cleanUp()
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

type ServeOptions = Omit<EnvironmentOptions, 'server'> & { clock: ExamClock; tenant: Demo['tenant'] }

async function serve(owner: ClientConfig, options: ServeOptions): Promise<ExamEnvironment> {
  const resources = new AsyncDisposableStack()
  try {
    return { ...(await openService(owner, options, resources)), close: () => resources.disposeAsync() }
  } catch (error) {
    await resources.disposeAsync()
    throw error
  }
}

/** Starts the service. Adds everything that must be closed to `resources`. */
async function openService(
  owner: ClientConfig,
  { clock, tenant: { id: tenant, timezone }, port = 0, ...serviceOptions }: ServeOptions,
  resources: AsyncDisposableStack,
): Promise<Omit<ExamEnvironment, 'close'>> {
  const connect = async (): Promise<Client> => {
    const client = new Client(owner)
    await client.connect()
    resources.defer(() => client.end())
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
  resources.defer(() => database.close())
  const config = readConfig({
    BASE_URL,
    PORT: String(port),
    DATA_KEY: randomBytes(32).toString('base64'),
    RATE_LIMIT_PER_CREDENTIAL: '0',
    RATE_LIMIT_PER_TENANT: '0',
  })
  const service = await startService(config, database, pino({ level: 'silent' }), null, serviceOptions)
  resources.defer(() => service.stop(0))
  let initialSnapshot = await readSnapshot(client, tenant)
  return {
    tenant,
    timezone,
    database,
    owner: client,
    config,
    url: `http://127.0.0.1:${service.port}/api/mcp`,
    reset: async () => {
      initialSnapshot = await restoreSnapshot({ owner: client, writer }, tenant, initialSnapshot)
      await clock.begin(client)
    },
    initialSnapshot: () => initialSnapshot,
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
