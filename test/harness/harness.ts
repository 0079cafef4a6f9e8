import { randomBytes } from 'node:crypto'
import { scheduler } from 'node:timers/promises'
import pg from 'pg'
import pino from 'pino'
import { DEFAULT_CEILINGS, type Ceiling, type Role } from '../../src/identity/permissions/areas.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { lowerPasswordCost, restorePasswordCost } from '../../src/identity/sign_in/passwords/passwords.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { readConfig, type Config } from '../../src/platform/config/config.ts'
import { openDatabase, sql, type Database } from '../../src/platform/db/database.ts'
import { loginOf } from '../../src/platform/db/connections/login.ts'
import { migrate, currentSchemaHash } from '../../src/platform/db/migrations/migrate.ts'
import { readRefusals } from '../../src/platform/db/refusals.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { startService, type TestOverrides } from '../../src/start/service.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { CLUSTER, makeClusterDatabase } from './database/cluster.ts'
import { startTestServer } from './server.ts'
import { isInWorker, whenWorkerEnds } from './worker_life.ts'

const LOCK = 0x7e57

/** Milliseconds until closed sessions end. A drop before that waits 100 ms for them. */
const ENDING_MS = 15

/** `login` is the service's login. The owner bypasses every policy. */
export type TestDatabase = { database: Database; owner: pg.ClientConfig; login: pg.ClientConfig; drop(): Promise<void> }

/** Changes a database before the service connects to it. */
type Prepare = (owner: pg.ClientConfig) => Promise<void>

/**
 * Makes a separate database with the current schema, in the cluster of CITUS_URL if set, else in the tests' own server.
 * `parts` is the number of shards per cluster table. Passwords are hashed at a low cost until the database is dropped.
 */
export async function makeDatabase({
  maxConnections = 10,
  parts,
  prepare,
}: { maxConnections?: number; parts?: number | undefined; prepare?: Prepare | undefined } = {}): Promise<TestDatabase> {
  const name = `test_${randomBytes(6).toString('hex')}`
  lowerPasswordCost()
  const made =
    CLUSTER === undefined
      ? await makeOwnDatabase(name)
      : await makeClusterDatabase(CLUSTER, name, { lock: LOCK, parts })
  await prepare?.(made.owner)
  const login = await loginOf(made.owner)
  const database = openDatabase(login, { maxConnections })
  await readRefusals(database)
  const drop = async (): Promise<void> => {
    try {
      await database.close()
    } finally {
      restorePasswordCost()
      await made.drop(login.user!)
    }
  }
  return { database, owner: made.owner, login, drop }
}

async function makeOwnDatabase(name: string): Promise<{ owner: pg.ClientConfig; drop(role: string): Promise<void> }> {
  const server = await startTestServer()
  const from = await templateOf(server.connection)
  await asAdmin(server.connection, (admin) =>
    admin.query(`create database ${name} template ${from} strategy file_copy`),
  )
  const drop = async (role: string): Promise<void> => {
    try {
      await scheduler.wait(ENDING_MS)
      await asAdmin(server.connection, async (admin) => {
        await admin.query(`drop database ${name} with (force)`)
        // After a failed test the role may still own objects. They go with the server; the test's error is reported.
        await admin.query(`drop role ${role}`).catch(() => {})
      })
    } finally {
      await server.stop()
    }
  }
  return { owner: { ...server.connection, database: name }, drop }
}

/** Template database, looked up once per process. */
let template: Promise<string> | undefined

/** Returns a template database with the current schema on the server. */
export const templateOf = (connection: pg.ClientConfig): Promise<string> =>
  (template ??= asAdmin(connection, (admin) => findTemplate(admin, connection)))

async function findTemplate(admin: pg.Client, connection: pg.ClientConfig): Promise<string> {
  const name = `template_${await currentSchemaHash()}`
  await admin.query('select pg_advisory_lock($1)', [LOCK])
  try {
    const { rows } = await admin.query('select 1 from pg_database where datname = $1', [name])
    if (rows.length === 0) await makeTemplate(admin, connection, name)
  } finally {
    await admin.query('select pg_advisory_unlock($1)', [LOCK])
  }
  return name
}

/** Migrates under another name first, so that an existing template is always complete. */
async function makeTemplate(admin: pg.Client, connection: pg.ClientConfig, template: string): Promise<void> {
  await admin.query('drop database if exists template_unfinished')
  await admin.query('create database template_unfinished')
  await migrate({ ...connection, database: 'template_unfinished' })
  await admin.query(`alter database template_unfinished rename to ${template}`)
}

/** Superuser session that a worker keeps, and the last work on it. */
let ofWorker: Promise<pg.Client> | undefined
let last: Promise<unknown> = Promise.resolve()

/** Runs work as the server's superuser. A worker runs one piece of work at a time. */
async function asAdmin<T>(connection: pg.ClientConfig, use: (admin: pg.Client) => Promise<T>): Promise<T> {
  if (isInWorker()) {
    const work = last.then(async () => use(await (ofWorker ??= keepSession(connection))))
    last = work.catch(() => {})
    return work
  }
  const admin = new pg.Client(connection)
  await admin.connect()
  try {
    return await use(admin)
  } finally {
    await admin.end()
  }
}

async function keepSession(connection: pg.ClientConfig): Promise<pg.Client> {
  const admin = new pg.Client(connection)
  admin.on('error', () => (ofWorker = undefined))
  await admin.connect()
  whenWorkerEnds(() => admin.end())
  return admin
}

/** Prevents tests from creating a key file in the default data directory. */
export const TEST_DATA_KEY = randomBytes(32).toString('base64')

export type TestService = Awaited<ReturnType<typeof startTestService>>

/**
 * Test overrides for a service: `log` (none by default), `through` to wrap its database, `prepare` to change the
 * database first, and `parts` for the number of shards in a cluster.
 */
export type Around = TestOverrides & {
  log?: pino.Logger
  through?: (database: Database) => Database
  prepare?: Prepare
  parts?: number | undefined
}

/** Starts the service with its own database on a free loopback port, without periodic tasks. */
export async function startTestService(
  env: Record<string, string> = {},
  { log, through, prepare, parts, ...outside }: Around = {},
) {
  const { database, owner, login, drop } = await makeDatabase({ parts, prepare })
  const config: Config = readConfig({
    RATE_LIMIT_PER_CREDENTIAL: '0',
    RATE_LIMIT_PER_TENANT: '0',
    BASE_URL: 'http://callout.test',
    PORT: '0',
    DATA_KEY: TEST_DATA_KEY,
    ...env,
  })
  const asked = through?.(database) ?? database
  const service = await startService(config, asked, log ?? pino({ level: 'silent' }), null, outside)
  return {
    database,
    owner,
    login,
    config,
    url: `http://127.0.0.1:${service.port}/api/mcp`,
    origin: `http://127.0.0.1:${service.port}`,
    stop: async (): Promise<void> => {
      await service.stop(0)
      await drop()
    },
  }
}

export type Company = Awaited<ReturnType<typeof makeCompany>>

/** Makes a tenant with an owner who holds a key for everything. */
export async function makeCompany(
  { database, url }: Pick<TestService, 'database' | 'url'>,
  { timezone = 'America/New_York', country = 'US', currency = 'USD', burstLimit = 0 } = {},
) {
  const tenant = newId()
  await writeTenant(database, { tenant }, (db) =>
    db.run(
      sql`insert into tenants (id, name, timezone, currency, country, burst_limit, burst_limits_keys) values (${tenant}, 'Test company', ${timezone}, ${currency}, ${country}, ${burstLimit}, true)`,
    ),
  )

  async function member(
    role: Role,
    {
      scopes = SCOPES as readonly string[],
      proposes = [] as readonly string[],
      ceiling = DEFAULT_CEILINGS[role] as Ceiling,
    } = {},
  ) {
    const id = newId()
    await writeTenant(database, { tenant }, async (db) => {
      await db.run(sql`insert into users (id, email, name) values (${id}, ${`${id}@example.com`}, ${`Test ${role}`})`)
      await db.run(
        sql`insert into members (tenant_id, user_id, role, ceiling) values (${tenant}, ${id}, ${role}, ${ceiling})`,
      )
    })
    const key = await createKey(database, { tenant }, { user: id, name: role, scopes, proposes, expires_at: null })
    return { id, email: `${id}@example.com`, key: key.key, credential: key.id, ...callerOf(url, key.key) }
  }
  const tenantKey = async (scopes: readonly string[] = SCOPES) => {
    const key = await createKey(database, { tenant }, { user: null, name: 'integration', scopes, expires_at: null })
    return { key: key.key, credential: key.id, ...callerOf(url, key.key) }
  }
  const owner = await member('owner')
  return { tenant, owner, member, tenantKey, call: owner.call, refusal: owner.refusal }
}

/** Result of a tool. */
// oxlint-disable-next-line typescript/no-explicit-any
export type Result = Record<string, any>

/** Tool answer as the client gets it. `marks` is the second block. It names the fields with customers' text. */
export type Answered = { text: string; isError: boolean; marks?: string; meta?: Record<string, unknown> }

const MAX_TRIES = 20

/** Calls tools as a client of 2025-11-25 would, over HTTP. Retries when an answer asks for it. */
export function callerOf(url: string, key: string) {
  const send = async (name: string, given: object, tries = 1): Promise<Answered> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: given } }),
    })
    if (response.status === 503 && tries < MAX_TRIES) {
      await response.text()
      await new Promise((resolve) => setTimeout(resolve, 1000 * Number(response.headers.get('retry-after'))))
      return send(name, given, tries + 1)
    }
    const body = (await response.json()) as {
      result?: { content: { text: string }[]; isError: boolean; _meta?: Record<string, unknown> }
      error?: { code: number; message: string }
    }
    if (body.result === undefined) throw new Error(`${name}: HTTP ${response.status} ${JSON.stringify(body)}`)
    const { content, isError, _meta: meta } = body.result
    const marks = content[1]?.text
    return { text: content[0]!.text, isError, ...(marks && { marks }), ...(meta && { meta }) }
  }
  return {
    /** Returns the result. Throws on a refusal. */
    call: async (name: string, given: object = {}): Promise<Result> => {
      const { text, isError } = await send(name, given)
      if (isError) throw new Error(`${name}: ${text}`)
      return JSON.parse(text) as Result
    },
    /** Returns the text of the refusal. Throws on success. */
    refusal: async (name: string, given: object = {}): Promise<string> => {
      const { text, isError } = await send(name, given)
      if (!isError) throw new Error(`${name} succeeded: ${text}`)
      return text
    },
    /** Returns the result or refusal as the client gets it. */
    send: (name: string, given: object) => send(name, given),
  }
}
