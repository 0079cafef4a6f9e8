import type pg from 'pg'
import pino from 'pino'
import { sql, type Database } from '../../src/platform/db/tenant.ts'
import type { PeriodicTask } from '../../src/worker/periodic_task.ts'
import { SERVICE, claimLease, type Lease } from '../../src/platform/leases/lease.ts'
import { runTask } from '../../src/worker/run.ts'

/**
 * Milliseconds: the median of a claim among ready tasks and of each task of the service, and the mean of each task of a
 * company.
 */
export type TaskTimes = { claim: number; ofTenant: Record<string, number>; ofService: Record<string, number> }

/** Number of claims for each task of a company. */
const ROUNDS = 30

export const median = (times: readonly number[]): number =>
  times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN

const mean = (times: readonly number[]): number => times.reduce((sum, ms) => sum + ms, 0) / times.length

export async function timeWork<T>(work: () => Promise<T>): Promise<[ms: number, result: T]> {
  const begun = performance.now()
  const result = await work()
  return [performance.now() - begun, result]
}

/** Times the worker's own claims and runs, when every task of every company is due at once. */
export async function timeTasks(
  admin: pg.Client,
  database: Database,
  tasks: readonly PeriodicTask[],
): Promise<TaskTimes> {
  const context = {
    database,
    log: pino({ level: 'silent' }),
    clock: () => Temporal.Now.instant(),
    stopping: new AbortController().signal,
  }
  const daily = tasks.filter(({ of }) => of === 'tenant')
  const names = daily.map(({ name }) => name)
  await admin.query(
    `insert into chore_leases (tenant_id, chore, due_at)
      select t.id, c.name, now() - interval '1 hour' * random() from tenants t cross join unnest($1::text[]) c (name)
      on conflict (tenant_id, chore) do update set due_at = excluded.due_at, locked_until = null`,
    [names],
  )
  await admin.query('delete from chore_leases where tenant_id = $1', [SERVICE])
  const claims: number[] = []
  const runs = new Map<string, number[]>(names.map((name) => [name, []]))
  while (claims.length < ROUNDS * names.length) {
    const [ms, { lease }] = await timeWork(() => claimLease(database, names, context.clock()))
    if (lease === undefined) break
    claims.push(ms)
    const task = daily.find(({ name }) => name === lease.chore)!
    runs.get(lease.chore)!.push((await timeWork(() => runTask(context, task, lease)))[0])
  }
  const ofService: Record<string, number> = {}
  for (const task of tasks.filter(({ of }) => of === 'service')) {
    const times: number[] = []
    for (let i = 0; i < 3; i++) {
      const lease: Lease = { tenant_id: SERVICE, chore: task.name, fence: i + 1, attempts: 1 }
      await database.send([
        sql`insert into chore_leases (tenant_id, chore, fence) values (${SERVICE}, ${task.name}, ${lease.fence})
          on conflict (tenant_id, chore) do update set fence = excluded.fence`,
      ])
      times.push((await timeWork(() => runTask(context, task, lease)))[0])
    }
    ofService[task.name] = median(times)
  }
  return {
    claim: median(claims),
    ofTenant: Object.fromEntries([...runs].map(([name, times]) => [name, mean(times)])),
    ofService,
  }
}
