import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
  company = await makeCompany(service)
})
after(() => service.stop())

const makeCustomer = async (): Promise<string> =>
  (await company.call('customers_create', { customer_type: 'company', company_name: 'Acme' })).id
const contactsOf = async (customer_id: string): Promise<Result[]> =>
  (await company.call('contacts_list', { customer_id, limit: 100 })).rows
const primariesOf = async (customer_id: string): Promise<string[]> =>
  (await contactsOf(customer_id)).filter(({ is_primary }) => is_primary).map(({ id }) => id)

describe('the primary contact', () => {
  it('is the first contact, whatever is_primary says, until another is promoted', async () => {
    const customer_id = await makeCustomer()
    const first = await company.call('contacts_create', { customer_id, first_name: 'One', is_primary: false })
    assert.equal(first.is_primary, true)
    const second = await company.call('contacts_create', { customer_id, first_name: 'Two' })
    assert.equal(second.is_primary, false)
    const third = await company.call('contacts_create', { customer_id, first_name: 'Three', is_primary: true })
    assert.deepEqual(await primariesOf(customer_id), [third.id])
    const demoted = await company.call('contacts_get', { id: first.id })
    assert.equal(demoted.is_primary, false)
    assert.ok(demoted.updated_at > first.updated_at)
    await company.call('contacts_update', { id: second.id, is_primary: true })
    assert.deepEqual(await primariesOf(customer_id), [second.id])
    assert.equal(
      (await company.call('contacts_update', { id: second.id, is_primary: true, notes: 'x' })).is_primary,
      true,
    )
    assert.deepEqual(
      (await contactsOf(customer_id)).map(({ first_name }) => first_name),
      ['Two', 'One', 'Three'],
    )
  })

  it('is replaced by the oldest remaining contact when archived', async () => {
    const customer_id = await makeCustomer()
    const made: Result[] = []
    for (const first_name of ['One', 'Two', 'Three'])
      made.push(await company.call('contacts_create', { customer_id, first_name }))
    const [one, two, three] = made.map(({ id }) => id)
    await company.call('contacts_update', { id: three, is_primary: true })
    const archived = await company.call('contacts_archive', { id: three })
    assert.deepEqual(Object.keys(archived), ['id', 'archived_at', 'new_primary_id'])
    assert.equal(archived.new_primary_id, one)
    assert.deepEqual(await primariesOf(customer_id), [one])
    assert.equal((await company.call('contacts_archive', { id: two })).new_primary_id, null)
    assert.deepEqual(await primariesOf(customer_id), [one])
    assert.equal((await company.call('contacts_archive', { id: one })).new_primary_id, null)
    assert.deepEqual(await contactsOf(customer_id), [])
    for (const tool of ['contacts_get', 'contacts_archive', 'contacts_update'])
      assert.equal(
        await company.refusal(tool, { id: one }),
        'not_found: contact not found; find its id with contacts_list',
      )
    assert.equal((await company.call('contacts_create', { customer_id, first_name: 'Next' })).is_primary, true)
  })

  it('is exactly one of fifty contacts created concurrently', async () => {
    const customer_id = await makeCustomer()
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        company.call('contacts_create', { customer_id, first_name: `Number ${i}`, is_primary: i % 7 === 3 }),
      ),
    )
    assert.equal(made.length, 50)
    assert.equal((await primariesOf(customer_id)).length, 1)
  })

  it('is exactly one after concurrent promotions, archivals and creates', async () => {
    const customer_id = await makeCustomer()
    const made = await Promise.all(
      Array.from({ length: 16 }, (_, i) => company.call('contacts_create', { customer_id, first_name: `Number ${i}` })),
    )
    const done = await Promise.all(
      made.flatMap(({ id }, i) => [
        company.owner.send('contacts_update', { id, is_primary: true }),
        ...(i % 4 === 0
          ? [
              company.owner.send('contacts_archive', { id }),
              company.owner.send('contacts_create', { customer_id, first_name: 'New', is_primary: true }),
            ]
          : []),
      ]),
    )
    assert.deepEqual(
      [...new Set(done.filter(({ isError }) => isError).map(({ text }) => text))].filter(
        (text) => text !== 'not_found: contact not found; find its id with contacts_list',
      ),
      [],
    )
    assert.equal((await contactsOf(customer_id)).length, 16)
    assert.equal((await primariesOf(customer_id)).length, 1)
  })
})
