import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { revokeKey } from '../../../src/identity/credentials/keys.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../../harness/harness.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'

let service: TestService
let company: Company
let customer: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
  customer = (await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' }))['id']
})
after(() => service.stop())

const completing = (ref: object, name: string) => ({ ref, argument: { name, value: '' } })

/** Returns every kind of request besides tool calls, including those that read no record. */
const listRequests = (): [method: string, params: { name?: string; uri?: string }][] => [
  ['tools/list', {}],
  ['tools/list', { cursor: 'x' } as object],
  ['resources/list', {}],
  ['resources/list', { cursor: 'x' } as object],
  ['resources/templates/list', {}],
  ['resources/read', { uri: `svc://customer/${customer}` }],
  ['resources/read', { uri: 'svc://customer/x' }],
  ['resources/read', {}],
  ['prompts/list', {}],
  ['prompts/get', { name: 'plan-my-day' }],
  ['prompts/get', { name: 'draft-invoice' }],
  ['prompts/get', { name: 'weather' }],
  ['completion/complete', completing({ type: 'ref/prompt', name: 'draft-invoice' }, 'customer_id')],
  ['completion/complete', completing({ type: 'ref/prompt', name: 'draft-invoice' }, 'work_summary')],
  ['completion/complete', completing({ type: 'ref/prompt', name: 'plan-my-day' }, 'date')],
  ['completion/complete', completing({ type: 'ref/prompt', name: 'weather' }, 'date')],
  ['completion/complete', completing({ type: 'ref/resource', uri: 'svc://job/{id}' }, 'id')],
  ['completion/complete', {}],
]

describe('an API key', () => {
  it('gets 401 for every request right after it is revoked', async () => {
    for (const [method, params] of listRequests()) {
      for (const era of ['2025-11-25', '2026-07-28'] as const) {
        const member = await company.member('office')
        const ask = newProtocolClient(service.url, member.key).eras[era]
        assert.equal((await ask('prompts/list')).status, 200)
        await revokeKey(service.database, { tenant: company.tenant }, member.credential)
        const { status, error } = await ask(method, params)
        assert.deepEqual([status, error], [401, 'invalid_token'], `${era} ${method} ${JSON.stringify(params)}`)
      }
    }
  })

  it('gets 401 for every request if it is unknown', async () => {
    for (const [method, params] of listRequests())
      assert.equal((await newProtocolClient(service.url, 'svc_uk_unknown').handshake(method, params)).status, 401)
  })
})
