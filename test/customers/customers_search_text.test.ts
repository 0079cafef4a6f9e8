import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { makeCompany, startTestService, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'
import { companyWith, firm, person, searchNames } from './search_scene.ts'

let service: TestService
let witness: Witness
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

describe('tags in a customer search query', () => {
  it('match by their exact full name, without wildcards', async () => {
    const company = await makeCompany(service)
    const names = ['Gate Code', '50% off', 'a_b', 'o\'x "y"', 'this|that', 'Été']
    for (const name of names) {
      const tag = await company.call('tags_create', { name })
      await company.call(
        'customers_create',
        person('Customer', { last_name: `of ${names.indexOf(name)}`, tag_ids: [tag.id] }),
      )
    }
    for (const [query, position] of [
      ['gate code', 0],
      ['GATE  CODE', 0],
      ['50% off', 1],
      ['a_b', 2],
      ['o\'x "y"', 3],
      ['this|that', 4],
      ['ete', 5],
    ] as const) {
      assert.deepEqual(await searchNames(company, { query }), [`Customer of ${position}`], query)
    }
    for (const query of ['gate', 'code', '50%', 'axb', 'a%', 'this', 'gate_', 'gat code'])
      assert.deepEqual(await searchNames(company, { query }), [], query)
    assert.deepEqual(await searchNames(company, { query: 'customer a_b' }), ['Customer of 2'])
  })

  it('match by their new name after a rename, and not after a delete', async () => {
    const company = await makeCompany(service)
    const { id } = await company.call('tags_create', { name: 'before' })
    for (const name of ['Ann', 'Bob']) await company.call('customers_create', person(name, { tag_ids: [id] }))
    await company.call('tags_update', { id, name: 'After All' })
    assert.deepEqual(await searchNames(company, { query: 'before' }), [])
    assert.deepEqual(await searchNames(company, { query: 'after all' }), ['Ann', 'Bob'])
    await company.call('tags_delete', { id })
    assert.deepEqual(await searchNames(company, { query: 'after all' }), [])
    assert.deepEqual((await company.call('customers_search', { query: 'ann' })).rows[0].tags, [])
  })
})

describe('searchable customer text', () => {
  it('follows every change of the customer and its contacts', async () => {
    const company = await companyWith(service, person('Ann Old', { phone: '512-555-0100' }))
    const { id } = (await company.call('customers_search', {})).rows[0]
    const contact = (await company.call('customers_get', { id })).contacts[0].id
    const finds = async (query: string) => (await searchNames(company, { query })).length === 1
    await company.call('customers_update', { id, last_name: 'New', status: 'inactive' })
    assert.deepEqual(
      [await finds('old'), await finds('new'), await finds('active'), await finds('inactive')],
      [true, true, false, true],
    )
    await company.call('contacts_update', { id: contact, last_name: 'Newer', phone: '512-555-0101', email: 'n@x.test' })
    assert.deepEqual(
      [await finds('old'), await finds('newer'), await finds('5550100'), await finds('5550101'), await finds('n@x')],
      [false, true, false, true, true],
    )
    await company.call('contacts_archive', { id: contact })
    assert.deepEqual(
      [await finds('newer'), await finds('5550101'), await finds('n@x'), await finds('new')],
      [false, false, false, true],
    )
  })

  it('can exceed the size of an index entry', async () => {
    const company = await makeCompany(service)
    const contacts = Array.from({ length: 20 }, (_, i) => ({
      first_name: 'Ä'.repeat(99),
      last_name: `Contact${i}`,
      email: `${'e'.repeat(80)}${i}@example.com`,
      phone: `512-555-01${10 + i}`,
    }))
    const { id } = await company.call('customers_create', firm('Crowd', { contacts }))
    await company.call('customers_create', firm('Small', { contacts: [{ last_name: 'Contact19' }] }))
    assert.equal(await witness.value('select search_key from customers where id = $1', id), null)
    assert.deepEqual(await searchNames(company, { query: 'contact19' }), ['Crowd', 'Small'])
    for (const query of ['crowd', 'contact7', 'eee7@example', '5550129', '512 555 0110', 'crowd active'])
      assert.deepEqual(await searchNames(company, { query }), ['Crowd'], query)
    assert.deepEqual(await searchNames(company, { query: 'contact20' }), [])
    const others = (await company.call('customers_get', { id })).contacts.filter(
      ({ last_name }: Result) => last_name !== 'Contact19',
    )
    for (const contact of others) await company.call('contacts_archive', { id: contact.id })
    assert.notEqual(await witness.value('select search_key from customers where id = $1', id), null)
    assert.deepEqual(await searchNames(company, { query: 'contact19' }), ['Crowd', 'Small'])
  })
})
