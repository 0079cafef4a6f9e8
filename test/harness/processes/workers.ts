import { Writable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { Client, type ClientConfig } from 'pg'
import pino from 'pino'
import { openDatabase, sql } from '../../../src/platform/db/database.ts'
import { writeTenant, type Database } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { PeriodicTask, TenantRun } from '../../../src/worker/periodic_task.ts'
import { daily } from '../../../src/worker/schedule.ts'
import { enrollAll, runDue } from '../../../src/worker/worker.ts'
import { enrollmentTask } from '../../../src/worker/tasks/enrollment.ts'
import { makeDatabase } from '../harness.ts'

/** Log line. */
export type Line = {
  reference: string
  task: string
  tenant: string
  record?: string
  msg: string
  err?: { message: string }
}

export type Process = Awaited<ReturnType<Awaited<ReturnType<typeof startWorkers>>['process']>>

/** Makes a database for any number of workers. Each has its own pool, and all share one clock. */
export async function startWorkers() {
  const { database, owner, login, drop } = await makeDatabase()
  await asOwner(
    owner,
    `create table work_done (tenant_id uuid, item text, by text); grant all on work_done to callout_app`,
  )
  const pools: Database[] = []
  let now = Temporal.Instant.from('2083-03-01T00:00:00Z')
  return {
    database,
    login,
    clock: () => now,
    setClock: (text: string): void => void (now = Temporal.Instant.from(text)),
    pass: (time: Temporal.DurationLike): void => void (now = now.add(time)),
    /** Starts a worker for these tasks. */
    process: async (chores: readonly PeriodicTask[]) => {
      const pool = openDatabase(login, { maxConnections: 3 })
      pools.push(pool)
      const { log, lines } = captureLines()
      const stopping = new AbortController()
      const context = { database: pool, log, clock: () => now, stopping: stopping.signal }
      const all = [...chores, enrollmentTask(chores)]
      await enrollAll(context, all)
      return { shop: context, lines, runDue: () => runDue(context, all), stop: () => stopping.abort() }
    },
    tenant: async (timezone = 'UTC'): Promise<string> => {
      const tenant = newId()
      await writeTenant(database, { tenant }, (db) =>
        db.run(
          sql`insert into tenants (id, name, timezone, currency, country) values (${tenant}, 'Test company', ${timezone}, 'USD', 'US')`,
        ),
      )
      return tenant
    },
    done: async (): Promise<{ tenant_id: string; item: string; by: string }[]> =>
      (await database.send([sql`select * from work_done order by tenant_id, item, by`]))[0]!.rows as never,
    /** Waits until the server has rolled back the work of a killed process and released its row locks. */
    undone: () => waitForOpenTransactions(owner),
    lease: async (tenant: string, chore: string): Promise<Lease> =>
      (await database.send([sql`select * from chore_leases where tenant_id = ${tenant} and chore = ${chore}`]))[0]!
        .rows[0] as Lease,
    stop: async (): Promise<void> => {
      await Promise.all(pools.map((pool) => pool.close()))
      await drop()
    },
  }
}

export type Lease = {
  due_at: string | null
  locked_until: string | null
  ready_at: string | null
  fence: number
  attempts: number
  last_error: string | null
  holder: string | null
}

export function captureLines() {
  const lines: Line[] = []
  const stream = new Writable({
    write: (chunk: Buffer, _, done) => {
      lines.push(JSON.parse(chunk.toString()) as Line)
      done()
    },
  })
  return { log: pino({ level: 'info' }, stream), lines }
}

/** Records that an item was done, without protection against duplicates. */
export const recordDone =
  (item: string, by = '') =>
  (db: Parameters<Parameters<TenantRun['write']>[0]>[0]): Promise<number> =>
    db.run(sql`insert into work_done values (${db.tenant}, ${item}, ${by})`)

/** Returns a task that runs for every tenant at 06:00. */
export const dailyTask = (run: (turn: TenantRun) => Promise<unknown>, name = 'chore'): PeriodicTask => ({
  name,
  of: 'tenant',
  next: daily('06:00'),
  run,
})

/** Returns a promise with its resolvers. */
export const gate = () => Promise.withResolvers<void>()

async function asOwner<Row extends object>(owner: ClientConfig, text: string): Promise<Row[]> {
  const client = new Client(owner)
  await client.connect()
  const { rows } = await client.query<Row>(text)
  await client.end()
  return rows
}

export async function waitForOpenTransactions(owner: ClientConfig): Promise<void> {
  const open = `select pid from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
  while ((await asOwner(owner, open)).length > 0) await sleep(20)
}
