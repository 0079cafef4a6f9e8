import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/database.ts'
import { writeTenant } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { onDemand } from '../../../src/worker/schedule.ts'
import { dailyTask, gate, recordDone, startWorkers } from '../../harness/processes/workers.ts'

let workers: Awaited<ReturnType<typeof startWorkers>>
before(async () => void (workers = await startWorkers()))
after(() => workers.stop())
beforeEach(() => workers.database.send([sql`delete from work_done`, sql`delete from chore_leases`]))

const day = (turn: { now: Temporal.Instant }): string => turn.now.toString().slice(0, 10)
const daily = (by: string) => dailyTask((turn) => turn.write(recordDone(day(turn), by)))

describe('a task lease', () => {
  it("runs each tenant's task once a day across two processes", async () => {
    workers.setClock('2083-03-01T05:00:00Z')
    const [a, b] = [await workers.process([daily('a')]), await workers.process([daily('b')])]
    const tenants = await Promise.all(Array.from({ length: 12 }, () => workers.tenant()))
    await Promise.all([a.runDue(), b.runDue()])
    for (let days = 0; days < 3; days++) {
      workers.pass({ hours: 24 })
      await Promise.all([a.runDue(), b.runDue(), a.runDue(), b.runDue()])
    }
    const done = await workers.done()
    const expected = tenants
      .sort()
      .flatMap((tenant) => ['2083-03-01', '2083-03-02', '2083-03-03', '2083-03-04'].map((item) => `${tenant} ${item}`))
    assert.deepEqual(
      done.map(({ tenant_id, item }) => `${tenant_id} ${item}`),
      expected,
    )
    assert.deepEqual(new Set(done.map(({ by }) => by)), new Set(['a', 'b']))
  })

  it("isn't taken over during a transaction, even after it expires", async () => {
    const [inside, go] = [gate(), gate()]
    const slow = dailyTask(({ write }) =>
      write(async (db) => {
        await recordDone('slow', 'a')(db)
        inside.resolve()
        await go.promise
      }),
    )
    const [a, b] = [
      await workers.process([slow]),
      await workers.process([dailyTask(({ write }) => write(recordDone('slow', 'b')))]),
    ]
    await workers.tenant()
    const running = a.runDue()
    await inside.promise
    workers.pass({ hours: 1 })
    await b.runDue()
    go.resolve()
    await running
    assert.deepEqual(
      (await workers.done()).map(({ by }) => by),
      ['a'],
    )
  })

  it('rejects writes of a process whose task was taken over', async () => {
    const [inside, go] = [gate(), gate()]
    const slow = dailyTask(async ({ write }) => {
      await write(recordDone('1', 'a'))
      inside.resolve()
      await go.promise
      await write(recordDone('2', 'a'))
    })
    const both = dailyTask(async ({ write }) => {
      await write(recordDone('1', 'b'))
      await write(recordDone('2', 'b'))
    })
    const [a, b] = [await workers.process([slow]), await workers.process([both])]
    const tenant = await workers.tenant()
    const running = a.runDue()
    await inside.promise
    await b.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ by }) => by),
      ['a'],
    )
    workers.pass({ minutes: 3 })
    await b.runDue()
    go.resolve()
    await running
    assert.deepEqual(
      (await workers.done()).map(({ item, by }) => item + by),
      ['1a', '1b', '2b'],
    )
    assert.deepEqual(
      a.lines.map(({ msg }) => msg),
      ['task taken over'],
    )
    assert.equal((await workers.lease(tenant, 'chore')).attempts, 0)
  })

  it('is extended while its process works longer than the lease', async (t) => {
    let late = 0
    const real = performance.now.bind(performance)
    t.mock.method(performance, 'now', () => real() + late)
    const overtaken = gate()
    const [a, b] = [
      await workers.process([
        dailyTask(async ({ write }) => {
          for (const item of ['1', '2', '3', '4']) {
            await write(recordDone(item, 'a'))
            workers.pass({ seconds: 60 })
            late += 60_000
            await b.runDue()
          }
          overtaken.resolve()
        }),
      ]),
      await workers.process([dailyTask(({ write }) => write(recordDone('5', 'b')))]),
    ]
    await workers.tenant()
    await a.runDue()
    await overtaken.promise
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ['1', '2', '3', '4'],
    )
  })

  it('runs the task once more if it is requested during a run', async () => {
    let tenant = ''
    let runs = 0
    const chore = {
      ...dailyTask(async ({ write }) => {
        if (++runs === 1) await workers.database.send([sql`select ask_chore(${tenant}, 'chore')`])
        await write(recordDone(String(runs)))
      }),
      next: onDemand,
    }
    const process = await workers.process([chore])
    tenant = await workers.tenant()
    workers.setClock(Temporal.Now.instant().add({ seconds: 1 }).toString())
    await process.runDue()
    await process.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ['1', '2'],
    )
    assert.deepEqual(await workers.lease(tenant, 'chore').then(({ due_at, ready_at }) => [due_at, ready_at]), [
      null,
      null,
    ])
  })
})

describe('after a crash', () => {
  it('another process takes over when the lease expires and finds the committed work', async () => {
    const tenant = await workers.tenant()
    const survivor = await workers.process([
      dailyTask(async ({ write }) => {
        const [first] = await workers.done()
        if (first === undefined) await write(recordDone('first', 'survivor'))
        await write(recordDone('second', 'survivor'))
      }),
    ])
    workers.setClock('2083-03-10T07:00:00Z')
    const killed = spawn(
      process.execPath,
      [
        'test/harness/processes/worker.process.ts',
        JSON.stringify({ login: workers.login, now: workers.clock().toString() }),
      ],
      { cwd: new URL('../../..', import.meta.url), stdio: ['ignore', 'pipe', 'inherit'] },
    )
    await once(killed.stdout, 'data')
    killed.kill('SIGKILL')
    await once(killed, 'exit')
    await workers.undone()
    await survivor.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item, by }) => `${item} ${by}`),
      ['first killed'],
    )
    workers.pass({ minutes: 2 })
    await survivor.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item, by }) => `${item} ${by}`),
      ['first killed', 'second survivor'],
    )
    assert.equal((await workers.lease(tenant, 'chore')).due_at, '2083-03-11T06:00:00.000Z')
  })
})

describe('after downtime', () => {
  it('a task runs once at once and is due at the next regular time', async () => {
    workers.setClock('2083-03-01T05:00:00Z')
    const process = await workers.process([daily('a')])
    const tenant = await workers.tenant('America/New_York')
    await process.runDue()
    workers.setClock('2083-03-09T15:00:00Z')
    await process.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ['2083-03-01', '2083-03-09'],
    )
    assert.equal((await workers.lease(tenant, 'chore')).due_at, '2083-03-10T11:00:00.000Z')
  })

  it("a task is rescheduled when its tenant's time zone changes", async () => {
    workers.setClock(Temporal.Now.instant().add({ minutes: 1 }).toString())
    const process = await workers.process([daily('a')])
    const tenant = await workers.tenant('America/New_York')
    await process.runDue()
    await writeTenant(workers.database, { tenant }, (db) =>
      db.run(sql`update tenants set timezone = 'Asia/Kolkata' where id = ${tenant}`),
    )
    await process.runDue()
    const { due_at } = await workers.lease(tenant, 'chore')
    assert.match(due_at!, /T00:30:00.000Z$/)
  })
})

describe('a new version of the service', () => {
  it('adds its new tasks for existing tenants and leaves unknown tasks alone', async () => {
    workers.setClock('2083-03-01T12:00:00Z')
    const [tenant, older] = [await workers.tenant(), await workers.process([daily('a')])]
    await older.runDue()
    workers.setClock('2083-03-02T12:00:00Z')
    const newer = await workers.process([dailyTask(({ write }) => write(recordDone('new')), 'another')])
    await newer.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ['2083-03-01', 'new'],
    )
    assert.equal((await workers.lease(tenant, 'chore')).due_at, '2083-03-02T06:00:00.000Z')
  })
})

describe('a failure', () => {
  it('of one tenant is logged and retried with growing delays, and the others run', async () => {
    workers.setClock('2083-03-01T12:00:00Z')
    let failing = ''
    const process = await workers.process([
      dailyTask(async ({ tenant, write }) => {
        await write(recordDone('begun'))
        if (tenant.id === failing) throw new Error('no paper')
      }),
    ])
    const tenants = await Promise.all([1, 2, 3].map(() => workers.tenant()))
    failing = tenants[1]!
    await process.runDue()
    assert.equal((await workers.done()).length, 3)
    const waits: number[] = []
    for (let tries = 1; tries <= 9; tries++) {
      const { locked_until, last_error, attempts } = await workers.lease(failing, 'chore')
      assert.equal(attempts, tries)
      assert.equal(last_error, process.lines.at(-1)!.reference)
      waits.push(Temporal.Instant.from(locked_until!).since(workers.clock()).total('seconds'))
      workers.pass({ seconds: waits.at(-1)! - 1 })
      await process.runDue()
      assert.equal(process.lines.length, tries)
      workers.pass({ seconds: 1 })
      await process.runDue()
    }
    assert.deepEqual(waits, [30, 60, 120, 240, 480, 960, 1920, 3600, 3600])
    assert.deepEqual(
      new Set(process.lines.map(({ task, tenant, msg, err }) => `${task} ${tenant} ${msg} ${err?.message}`)),
      new Set([`chore ${failing} task failed no paper`]),
    )

    workers.setClock('2083-03-02T05:59:00Z')
    await process.runDue()
    assert.equal((await workers.lease(failing, 'chore')).locked_until, '2083-03-02T06:00:00.000Z')
    failing = ''
    workers.setClock('2083-03-02T06:00:00Z')
    await process.runDue()
    assert.deepEqual(
      await workers
        .lease(tenants[1]!, 'chore')
        .then(({ due_at, attempts, last_error, locked_until }) => [due_at, attempts, last_error, locked_until]),
      ['2083-03-03T06:00:00.000Z', 0, null, null],
    )
  })

  it('of one record leaves the others done and is retried', async () => {
    workers.setClock('2083-03-01T12:00:00Z')
    const ids = Array.from({ length: 5 }, newId).sort()
    let broken = ids[2]
    const left = new Set(ids)
    const process = await workers.process([
      dailyTask(({ each }) =>
        each(
          async (_, after) =>
            [...left]
              .filter((id) => id > after)
              .slice(0, 2)
              .map((id) => ({ id })),
          async (db, { id }) => {
            await recordDone(id)(db)
            if (id === broken) throw new Error('torn')
            left.delete(id)
          },
        ),
      ),
    ])
    const tenant = await workers.tenant()
    await process.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ids.filter((id) => id !== broken),
    )
    assert.deepEqual(
      process.lines.map(({ record }) => record),
      [broken, undefined],
    )
    broken = undefined
    workers.pass({ seconds: 30 })
    await process.runDue()
    assert.deepEqual(
      (await workers.done()).map(({ item }) => item),
      ids,
    )
    assert.equal((await workers.lease(tenant, 'chore')).attempts, 0)
  })
})
