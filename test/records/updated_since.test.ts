import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const changedSince = async (since: string): Promise<string[]> =>
  (await company.call('tags_list', { updated_since: since })).rows.map(({ name }: { name: string }) => name)

describe('updated_since', () => {
  it("doesn't miss a change whose transaction commits late", async () => {
    const [slow, quick] = [
      await company.call('tags_create', { name: 'slow' }),
      await company.call('tags_create', { name: 'quick' }),
    ]
    const since = new Date(Math.max(Date.parse(slow.updated_at), Date.parse(quick.updated_at)) + 1).toISOString()
    let letGo = (): void => {}
    const mayEnd = new Promise<void>((resolve) => {
      letGo = resolve
    })
    const changed = Promise.withResolvers<void>()
    const underWay = writeTenant(service.database, { tenant: company.tenant }, async (db) => {
      await db.run(
        sql`update tags set updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${slow.id}`,
      )
      changed.resolve()
      await mayEnd
    })
    await changed.promise
    await company.call('tags_update', { id: quick.id, color: '#112233' })
    assert.deepEqual(await changedSince(since), [])
    letGo()
    await underWay
    assert.deepEqual(await changedSince(since), ['slow', 'quick'])
  })

  it('gives a poller every change of concurrent writers', async () => {
    const tags = await Promise.all(
      Array.from({ length: 12 }, (_, i) => company.call('tags_create', { name: `tag ${i}` })),
    )
    let since = new Date(Math.max(...tags.map(({ updated_at }) => Date.parse(updated_at))) + 1).toISOString()
    const seen = new Set<string>()
    const over = new AbortController()
    const poll = async (): Promise<void> => {
      const { rows } = await company.call('tags_list', { updated_since: since, limit: 100 })
      for (const { id } of rows) seen.add(id)
      const latest = rows.length === 0 ? undefined : (await company.call('tags_get', { id: rows.at(-1).id })).updated_at
      if (latest !== undefined && rows.length > 0) since = latest
    }
    const polling = (async () => {
      while (!over.signal.aborted) await poll()
    })()
    await Promise.all(tags.map(({ id }) => company.call('tags_update', { id, color: '#445566' })))
    over.abort()
    await polling
    await poll()
    assert.deepEqual([...seen].sort(), tags.map(({ id }) => id).sort())
  })
})
