import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeDatabase, type TestDatabase } from '../../../test/harness/harness.ts'
import { newId } from '../validation/id.ts'
import { readTenant, sql, writeTenant } from './tenant.ts'

let opened: TestDatabase
before(async () => {
  opened = await makeDatabase()
})
after(() => opened.drop())

const readSettled = async (tenant: string): Promise<{ settled: number; now: number }> => {
  const { settled, now } = await readTenant(
    opened.database,
    { tenant },
    (db) => db.one<{ settled: string; now: string }>(sql`select settled() as settled, moment() as now`),
    { byChange: true },
  )
  return { settled: Date.parse(settled), now: Date.parse(now) }
}

/** Keeps a write open until it is released. */
async function holdWrite(tenant: string) {
  let letGo = (): void => {}
  let signalStart = (): void => {}
  const isUnderWay = new Promise<void>((resolve) => {
    signalStart = resolve
  })
  const mayEnd = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const ended = writeTenant(opened.database, { tenant }, async (db) => {
    const { at } = await db.one<{ at: string }>(sql`select moment() as at`)
    signalStart()
    await mayEnd
    return Date.parse(at)
  })
  await isUnderWay
  return async (): Promise<number> => {
    letGo()
    return ended
  }
}

describe('settled()', () => {
  it('is the current time without open writes', async () => {
    const { settled, now } = await readSettled(newId())
    assert.ok(settled <= now && now - settled < 5_000, `${settled} ${now}`)
  })

  it('stays before an open write, also while later writes come and go', async () => {
    const tenant = newId()
    const end = await holdWrite(tenant)
    for (let i = 0; i < 5; i++)
      await writeTenant(opened.database, { tenant }, (db) => db.one(sql`select moment() as at`))
    const during = await readSettled(tenant)
    const began = await end()
    assert.ok(during.settled <= began, `${during.settled} ${began}`)
    assert.ok((await readSettled(tenant)).settled > during.settled)
  })

  it('ignores writes of other companies', async () => {
    const end = await holdWrite(newId())
    await new Promise((resolve) => setTimeout(resolve, 20))
    const { settled } = await readSettled(newId())
    assert.ok(settled > (await end()))
  })

  it('is infinity in a read that lists nothing by change', async () => {
    const { settled } = await readTenant(opened.database, { tenant: newId() }, (db) =>
      db.one<{ settled: string }>(sql`select settled()::text as settled`),
    )
    assert.equal(settled, 'infinity')
  })
})
