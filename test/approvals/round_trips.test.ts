import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { findCaller, type Caller } from '../../src/identity/credentials/caller.ts'
import { hashOf } from '../../src/identity/credentials/secret_hash.ts'
import { observeRoundTrips } from '../../src/platform/db/database.ts'
import { entities } from '../../src/records/index.ts'
import { callTool } from '../../src/tools/call/call.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { makeCompany, startTestService, type TestService } from '../harness/harness.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

it('a tool call makes as many round trips with the burst limit as without it', async () => {
  const trips: number[] = []
  for (const burstLimit of [0, 20]) {
    const { owner, call } = await makeCompany(service, { burstLimit })
    const { id } = await call('tags_create', { name: 'Gone soon' })
    const caller = (await findCaller(service.database, hashOf(owner.key))) as Caller
    let count = 0
    const database = observeRoundTrips(service.database, () => {
      count++
      return () => {}
    })
    const context = { database, baseUrl: '', confirm: async () => {}, report: () => {} }
    const listed = toolCatalogOf(entities).tools.get('tags_delete')!
    assert.ok('result' in (await callTool(context, { listed, caller, client: null, input: { id } })))
    trips.push(count)
  }
  assert.equal(trips[1], trips[0])
})
