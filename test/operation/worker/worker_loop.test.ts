import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql, type Database } from '../../../src/platform/db/database.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { PERIODIC_TASKS } from '../../../src/worker/periodic_tasks.ts'
import { startWorker } from '../../../src/worker/worker.ts'
import { dailyTask, gate, recordDone, captureLines, startWorkers } from '../../harness/processes/workers.ts'

let workers: Awaited<ReturnType<typeof startWorkers>>
before(async () => void (workers = await startWorkers()))
after(() => workers.stop())
beforeEach(() =>
  workers.database.send([sql`delete from work_done`, sql`delete from chore_leases`, sql`delete from worker_processes`]),
)

/** Returns the ids of the registered processes. */
const processes = async (): Promise<unknown[]> =>
  (await workers.database.send([sql`select id from worker_processes`]))[0]!.rows.map((row) => row['id'])

const until = async (holds: () => Promise<boolean>): Promise<void> => {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** Waits long enough for the worker's next turn: its maximum number of round trips. */
async function roundTrips(): Promise<void> {
  for (let i = 0; i < 20; i++) await workers.database.send([sql`select 1`])
}

describe('stopping the worker', () => {
  it('finishes the current write, starts no other and releases the task at once', async () => {
    const [inside, go] = [gate(), gate()]
    workers.setClock(Temporal.Now.instant().add({ minutes: 1 }).toString())
    await workers.tenant()
    const worker = startWorker(
      workers.database,
      captureLines().log,
      [
        dailyTask(async ({ write }) => {
          await write(async (db) => {
            await recordDone('1', 'stopped')(db)
            inside.resolve()
            await go.promise
          })
          await write(recordDone('2', 'stopped'))
        }),
      ],
      { clock: workers.clock, idle: [5, 10] },
    )
    await inside.promise
    let stopped = false
    const stop = worker.stop().then(() => (stopped = true))
    await roundTrips()
    assert.equal(stopped, false)
    go.resolve()
    await stop
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ['1'],
    )
    const other = await workers.process([dailyTask(({ write }) => write(recordDone('3')))])
    await other.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ['1', '3'],
    )
  })

  it('is immediate while nothing is due', async () => {
    const worker = startWorker(workers.database, captureLines().log, [])
    await until(async () => (await processes()).length === 1)
    await worker.stop()
    assert.deepEqual(await processes(), [])
  })
})

describe('a worker process', () => {
  const six = (by: string, done: () => void = () => {}) =>
    dailyTask(async ({ write }) => {
      await write(recordDone('1', by))
      done()
    })

  it('that stays silent loses its tasks to another one', async () => {
    workers.setClock('2083-03-02T07:00:00Z')
    const tenant = await workers.tenant()
    const gone = newId()
    await workers.database.send([
      sql`insert into chore_leases (tenant_id, chore, due_at, locked_until, holder)
        values (${tenant}, 'chore', null, ${'2083-03-02T07:02:00Z'}, ${gone})`,
      sql`insert into worker_processes (id, seen_at) values (${gone}, moment() - interval '16 seconds')`,
    ])
    const done = gate()
    const worker = startWorker(workers.database, captureLines().log, [six('survivor', done.resolve)], {
      clock: workers.clock,
      idle: [5, 10],
    })
    await done.promise
    await worker.stop()
    assert.deepEqual(
      (await workers.done()).map(({ by }) => by),
      ['survivor'],
    )
    assert.deepEqual(await processes(), [])
    assert.equal((await workers.lease(tenant, 'chore')).holder, null)
  })

  it('that is still alive keeps its tasks, and retry delays stay', async () => {
    workers.setClock('2083-03-03T07:00:00Z')
    const [busy, failed, quiet, gone] = [await workers.tenant(), await workers.tenant(), newId(), newId()]
    await workers.database.send([
      sql`insert into chore_leases (tenant_id, chore, due_at, locked_until, holder) values
        (${busy}, 'chore', null, ${'2083-03-03T07:02:00Z'}, ${quiet}),
        (${failed}, 'chore', ${'2083-03-03T07:00:00Z'}, ${'2083-03-03T07:05:00Z'}, null)`,
      sql`insert into worker_processes (id, seen_at) values (${quiet}, moment() - interval '10 seconds'),
        (${gone}, moment() - interval '1 hour')`,
    ])
    const worker = startWorker(workers.database, captureLines().log, [six('other')], {
      clock: workers.clock,
      idle: [5, 10],
    })
    // The worker looks for leases to free when it removes the process that was silent for an hour.
    await until(async () => !(await processes()).includes(gone))
    await roundTrips()
    await worker.stop()
    assert.deepEqual(await workers.done(), [])
    assert.equal((await workers.lease(busy, 'chore')).holder, quiet)
    assert.equal((await workers.lease(failed, 'chore')).locked_until, '2083-03-03T07:05:00.000Z')
  })

  it('is registered while it works', async () => {
    workers.setClock('2083-03-04T07:00:00Z')
    const [inside, go] = [gate(), gate()]
    const tenant = await workers.tenant()
    const worker = startWorker(
      workers.database,
      captureLines().log,
      [
        dailyTask(async ({ write }) => {
          inside.resolve()
          await go.promise
          await write(recordDone('1'))
        }),
      ],
      { clock: workers.clock, idle: [5, 10] },
    )
    await inside.promise
    const [processes] = await workers.database.send([sql`select id from worker_processes`])
    assert.deepEqual(processes!.rows, [{ id: (await workers.lease(tenant, 'chore')).holder }])
    go.resolve()
    await worker.stop()
    assert.equal((await workers.lease(tenant, 'chore')).holder, null)
  })
})

describe('the worker loop', () => {
  it('continues after a database error and wakes for the next task', async () => {
    let faults = 1
    const { log, lines } = captureLines()
    const flaky: Database = {
      ...workers.database,
      send: (statements) =>
        faults-- > 0 ? Promise.reject(new Error('connection lost')) : workers.database.send(statements),
    }
    const twice = gate()
    const runs: string[] = []
    await workers.tenant()
    const chore = {
      ...dailyTask(async ({ now, write }) => {
        runs.push(now.toString())
        await write(recordDone(String(runs.length)))
        if (runs.length === 2) twice.resolve()
      }),
      next: (after: Temporal.Instant) => after.add({ milliseconds: 40 }),
    }
    const worker = startWorker(flaky, log, [chore], {
      clock: () => Temporal.Now.instant().add({ seconds: 5 }),
      idle: [20, 60],
    })
    await twice.promise
    await worker.stop()
    assert.deepEqual(
      lines.map(({ msg }) => msg),
      ['worker fault'],
    )
  })
})

describe('the sweeps', () => {
  it('delete idempotency keys older than 24 hours and expired rate windows', async () => {
    const tenant = await workers.tenant()
    const minute = Math.floor(Date.now() / 60_000)
    const [old, fresh] = [newId(), newId()]
    await writeTenant(workers.database, { tenant }, (db) =>
      db.run(sql`
      insert into idempotency_keys (tenant_id, credential_id, tool, key, fingerprint, created_at) values
        (${tenant}, ${newId()}, 'tags.create', 'old', '', moment() - interval '25 hours'),
        (${tenant}, ${newId()}, 'tags.create', 'fresh', '', moment() - interval '23 hours')`),
    )
    await workers.database.send([
      sql`insert into rate_windows values (${old}, ${minute - 120}, 1, 1), (${fresh}, ${minute}, 1, 1)`,
    ])
    workers.setClock(Temporal.Now.instant().add({ seconds: 2 }).toString())
    await (await workers.process(PERIODIC_TASKS)).runDue()
    const keys = await writeTenant(workers.database, { tenant }, (db) =>
      db.all<{ key: string }>(sql`select key from idempotency_keys`),
    )
    const [windows] = await workers.database.send([sql`select subject from rate_windows`])
    assert.deepEqual(keys, [{ key: 'fresh' }])
    assert.deepEqual(windows!.rows, [{ subject: fresh }])
  })
})
