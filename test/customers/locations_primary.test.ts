import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
  company = await makeCompany(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

const makeCustomer = async (): Promise<string> =>
  (await company.call('customers_create', { customer_type: 'company', company_name: 'Acme' })).id
const locationsOf = async (customer_id: string): Promise<Result[]> =>
  (await company.call('locations_list', { customer_id, limit: 100 })).rows
/** Returns the type and address of the primary locations. */
const primariesOf = async (customer_id: string): Promise<string[]> =>
  (await locationsOf(customer_id))
    .filter(({ is_primary }) => is_primary)
    .map(({ type, address_line1 }) => `${type} ${address_line1}`)
    .sort()

describe('the primary location of a type', () => {
  it('is the first location of its type, whatever is_primary says, until another is promoted', async () => {
    const customer_id = await makeCustomer()
    const add = (address_line1: string, more: object = {}) =>
      company.call('locations_create', { customer_id, address_line1, ...more })
    assert.equal((await add('A', { is_primary: false })).is_primary, true)
    const b = await add('B')
    assert.equal(b.is_primary, false)
    assert.equal((await add('C', { type: 'billing' })).is_primary, true)
    assert.deepEqual(await primariesOf(customer_id), ['billing C', 'service A'])
    await add('D', { is_primary: true })
    assert.deepEqual(await primariesOf(customer_id), ['billing C', 'service D'])
    await company.call('locations_update', { id: b.id, is_primary: true })
    assert.deepEqual(await primariesOf(customer_id), ['billing C', 'service B'])
    assert.deepEqual(
      (await locationsOf(customer_id)).map(({ address_line1 }) => address_line1),
      ['B', 'C', 'A', 'D'],
    )
  })

  it('is replaced by the oldest remaining location of its type when archived', async () => {
    const customer_id = await makeCustomer()
    const [a, b, c, d] = [
      await company.call('locations_create', { customer_id, address_line1: 'A' }),
      await company.call('locations_create', { customer_id, address_line1: 'B', type: 'billing' }),
      await company.call('locations_create', { customer_id, address_line1: 'C' }),
      await company.call('locations_create', { customer_id, address_line1: 'D' }),
    ]
    const archived = await company.call('locations_archive', { id: a.id })
    assert.deepEqual(Object.keys(archived), ['id', 'archived_at', 'new_primary_id'])
    assert.equal(archived.new_primary_id, c.id)
    assert.deepEqual(await primariesOf(customer_id), ['billing B', 'service C'])
    assert.equal((await company.call('locations_archive', { id: d.id })).new_primary_id, null)
    assert.equal((await company.call('locations_archive', { id: b.id })).new_primary_id, null)
    assert.equal((await company.call('locations_archive', { id: c.id })).new_primary_id, null)
    assert.deepEqual(await locationsOf(customer_id), [])
    for (const tool of ['locations_get', 'locations_archive', 'locations_update'])
      assert.equal(
        await company.refusal(tool, { id: a.id }),
        'not_found: location not found; find its id with locations_list',
      )
  })

  it('is replaced when moved to another type, where it is primary only if it is the first', async () => {
    const customer_id = await makeCustomer()
    const add = async (address_line1: string, type: string): Promise<string> =>
      (await company.call('locations_create', { customer_id, address_line1, type })).id
    const [a, b] = [await add('A', 'service'), await add('B', 'service')]
    assert.equal((await company.call('locations_update', { id: a, type: 'billing' })).is_primary, true)
    assert.deepEqual(await primariesOf(customer_id), ['billing A', 'service B'])
    assert.equal((await company.call('locations_update', { id: b, type: 'billing' })).is_primary, false)
    assert.deepEqual(await primariesOf(customer_id), ['billing A'])
    assert.equal((await company.call('locations_update', { id: b, type: 'service' })).is_primary, true)
    assert.deepEqual(await primariesOf(customer_id), ['billing A', 'service B'])
  })

  it('is exactly one per type after concurrent creates, promotions, moves and archivals', async () => {
    const customer_id = await makeCustomer()
    const made = await Promise.all(
      Array.from({ length: 24 }, (_, i) =>
        company.call('locations_create', {
          customer_id,
          address_line1: `L${i}`,
          type: i % 2 ? 'billing' : 'service',
          is_primary: i % 5 === 2,
        }),
      ),
    )
    assert.equal((await primariesOf(customer_id)).length, 2)
    const done = await Promise.all(
      made.map(({ id }, i) => {
        if (i % 6 === 0) return company.owner.send('locations_archive', { id })
        if (i % 6 === 1) return company.owner.send('locations_update', { id, type: 'service' })
        return company.owner.send('locations_update', { id, is_primary: true })
      }),
    )
    assert.ok(done.every(({ isError }) => !isError))
    assert.equal(
      await witness.value(
        'select count(*)::int from locations where customer_id = $1 and archived_at is null',
        customer_id,
      ),
      20,
    )
    assert.deepEqual(
      (await primariesOf(customer_id)).map((primary) => primary.split(' ')[0]),
      ['billing', 'service'],
    )
  })
})
