import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sql } from '../../src/db/database.ts'
import { writeTenant } from '../../src/db/tenant.ts'
import { newId } from '../../src/shape/id.ts'
import { CHORES } from '../../src/worker/chores.ts'
import { startWorker } from '../../src/worker/worker.ts'
import { atSix, gate, mark, remembering, startWorkshop } from '../harness/workers.ts'

let shop: Awaited<ReturnType<typeof startWorkshop>>
before(async () => void (shop = await startWorkshop()))
after(() => shop.stop())
beforeEach(() => shop.database.send([sql`delete from work_done`, sql`delete from chore_leases`]))

describe('stopping', () => {
  it('waits for the step under way, begins no other, and gives the chore back at once', async () => {
    const [inside, go] = [gate(), gate()]
    shop.setClock(Temporal.Now.instant().add({ minutes: 1 }).toString())
    await shop.tenant()
    const worker = startWorker(
      shop.database,
      remembering().log,
      [
        atSix(async ({ write }) => {
          await write(async (db) => {
            await mark('1', 'stopped')(db)
            inside.resolve()
            await go.promise
          })
          await write(mark('2', 'stopped'))
        }),
      ],
      { clock: shop.clock, idle: [5, 10] },
    )
    await inside.promise
    let stopped = false
    const stop = worker.stop().then(() => (stopped = true))
    await new Promise((resolve) => setTimeout(resolve, 20))
    assert.equal(stopped, false)
    go.resolve()
    await stop
    assert.deepEqual(
      (await shop.done()).map(({ item }) => item),
      ['1'],
    )
    const other = await shop.process([atSix(({ write }) => write(mark('3')))])
    await other.runDue()
    assert.deepEqual(
      (await shop.done()).map(({ item }) => item),
      ['1', '3'],
    )
  })

  it('is at once while nothing is due', async () => {
    const worker = startWorker(shop.database, remembering().log, [])
    await new Promise((resolve) => setTimeout(resolve, 50))
    await worker.stop()
  })
})

describe('the loop', () => {
  it('goes on after a fault of the database, and wakes when the next chore is ready', async () => {
    let faults = 1
    const { log, lines } = remembering()
    const flaky = {
      ...shop.database,
      send: (statements: Parameters<typeof shop.database.send>[0]) =>
        faults-- > 0 ? Promise.reject(new Error('connection lost')) : shop.database.send(statements),
    }
    const twice = gate()
    const runs: string[] = []
    await shop.tenant()
    const chore = {
      ...atSix(async ({ now, write }) => {
        runs.push(now.toString())
        await write(mark(String(runs.length)))
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

describe('sweeps', () => {
  it('take keys of more than 24 hours and windows that are over', async () => {
    const tenant = await shop.tenant()
    const minute = Math.floor(Date.now() / 60_000)
    const [old, fresh] = [newId(), newId()]
    await writeTenant(shop.database, { tenant }, (db) =>
      db.run(sql`
      insert into idempotency_keys (tenant_id, credential_id, tool, key, fingerprint, created_at) values
        (${tenant}, ${newId()}, 'tags.create', 'old', '', moment() - interval '25 hours'),
        (${tenant}, ${newId()}, 'tags.create', 'fresh', '', moment() - interval '23 hours')`),
    )
    await shop.database.send([
      sql`insert into rate_windows values (${old}, ${minute - 120}, 1, 1), (${fresh}, ${minute}, 1, 1)`,
    ])
    shop.setClock(Temporal.Now.instant().add({ seconds: 2 }).toString())
    await (await shop.process(CHORES)).runDue()
    const keys = await writeTenant(shop.database, { tenant }, (db) =>
      db.all<{ key: string }>(sql`select key from idempotency_keys`),
    )
    const [windows] = await shop.database.send([sql`select subject from rate_windows`])
    assert.deepEqual(keys, [{ key: 'fresh' }])
    assert.deepEqual(windows!.rows, [{ subject: fresh }])
  })
})
