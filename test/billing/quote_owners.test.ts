import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { removeMember } from '../../src/identity/people/people.ts'
import { makeCompany, startTestService, type TestService } from '../harness/harness.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

describe('removing a member', () => {
  it('transfers their quotes to the account owner', async () => {
    const company = await makeCompany(service)
    const office = await company.member('office')
    const customer = await company.call('customers_create', { customer_type: 'individual', first_name: 'Ana' })
    const quote = await office.call('quotes_create', { customer_id: customer.id, title: 'Heater' })
    assert.match(await company.refusal('quotes_update', { id: quote.id, title: 'Mine' }), /^invalid_input: /)
    await removeMember(service.database, { tenant: company.tenant }, office.id)
    const after = await company.call('quotes_get', { id: quote.id })
    assert.equal(after.owner_id, company.owner.id)
    assert.equal((await company.call('quotes_update', { id: quote.id, title: 'Mine' })).title, 'Mine')
  })
})
