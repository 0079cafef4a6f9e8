import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { findCaller, type Caller } from '../../src/identity/credentials/caller.ts'
import { hashOf } from '../../src/identity/credentials/secret_hash.ts'
import type { Database } from '../../src/platform/db/tenant.ts'
import { entities } from '../../src/records/index.ts'
import { callTool } from '../../src/tools/call/call.ts'
import { toolCatalogOf } from '../../src/tools/declare/catalog.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'

const catalog = toolCatalogOf(entities)
const line_items = [{ name: 'Labor', quantity: '2', unit_price_cents: 9_500 }]
let service: TestService
let company: Company
let caller: Caller
let customer_id: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  caller = (await findCaller(service.database, hashOf(company.owner.key))) as Caller
  customer_id = String((await company.call('customers_create', { customer_type: 'company', company_name: 'Acme' })).id)
})
after(() => service.stop())

/** Calls a tool and returns the number of database round trips of its transaction. */
async function tripsOf(wire: string, given: object): Promise<number> {
  let trips = 0
  const database: Database = {
    ...service.database,
    hold: (use, options) =>
      service.database.hold(
        (send) =>
          use((statements) => {
            trips++
            return send(statements)
          }),
        options,
      ),
  }
  const answer = await callTool(
    { database, baseUrl: '', confirm: async () => {}, report: (_, error) => assert.fail(String(error)) },
    {
      listed: catalog.tools.get(wire)!,
      caller,
      client: null,
      input: given,
      deadline: { by: Infinity, signal: new AbortController().signal },
    },
  )
  assert.ok('result' in answer, JSON.stringify(answer))
  return trips
}

describe('a create with an idempotency key', () => {
  for (const [wire, given] of Object.entries({
    jobs_create: { title: 'Furnace check', line_items },
    quotes_create: { title: 'Furnace', line_items },
    invoices_create: { line_items },
  }))
    it(`takes three round trips, on the first call and on a replay: ${wire}`, async () => {
      assert.equal(await tripsOf(wire, { customer_id, ...given, idempotency_key: wire }), 3)
      assert.equal(await tripsOf(wire, { customer_id, ...given, idempotency_key: wire }), 3)
    })
})
