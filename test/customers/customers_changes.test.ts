import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'
import { openWitness, refusedEach, type Witness } from '../harness/clients/witness.ts'

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

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/
const ana = { customer_type: 'individual', first_name: 'Ana', last_name: 'Peña' }
const acme = { customer_type: 'company', company_name: 'Acme Plumbing' }

describe('customers_get', () => {
  it('returns contacts and locations, primary first, tags by name, and the url', async () => {
    const tags = await Promise.all(['b', 'A'].map((name) => company.call('tags_create', { name: `${name} tag` })))
    const made = await company.call('customers_create', {
      ...ana,
      tag_ids: tags.map(({ id }) => id),
      contacts: [{ first_name: 'One' }, { first_name: 'Two', is_primary: true }],
      locations: [{ address_line1: 'A', access_notes: '#12' }],
    })
    const got = await company.call('customers_get', { id: made.id })
    assert.deepEqual(
      got.contacts.map(({ first_name }: Result) => first_name),
      ['Two', 'One'],
    )
    assert.equal(got.locations[0].access_notes, '#12')
    assert.deepEqual(
      got.tags.map(({ name }: Result) => name),
      ['A tag', 'b tag'],
    )
    assert.equal(got.url, made.url)
    await company.call('contacts_archive', { id: got.contacts[0].id })
    assert.deepEqual(
      (await company.call('customers_get', { id: made.id })).contacts.map(({ first_name, is_primary }: Result) => [
        first_name,
        is_primary,
      ]),
      [['One', true]],
    )
  })

  it('returns not_found for an unknown id, and invalid_input for a wrong id field or a malformed id', async () => {
    await refusedEach(witness, company.owner, 'customers_get', [
      [{ id: newId() }, 'not_found: customer not found; find its id with customers_search'],
      [{ customer_id: newId() }, "invalid_input: id is required; unknown field 'customer_id' (did you mean 'id'?)"],
      [{ id: '7' }, 'invalid_input: id must be a UUID (got "7")'],
    ])
  })
})

describe('customers_update', () => {
  it('changes only the given fields and clears null ones', async () => {
    const made = await company.call('customers_create', {
      ...ana,
      lead_source: 'Radio',
      external_id: 'u-1',
      fields: { a: 1, b: 2 },
      payment_terms_days: 30,
    })
    const { url: _, ...record } = made
    const renamed = await company.call('customers_update', {
      id: made.id,
      first_name: 'Anna',
      lead_source: null,
      fields: { c: 3 },
    })
    assert.deepEqual(
      { ...renamed, updated_at: 0 },
      { ...record, first_name: 'Anna', display_name: 'Anna Peña', lead_source: null, fields: { c: 3 }, updated_at: 0 },
    )
    assert.ok(renamed.updated_at > made.updated_at)
    for (const status of ['lead', 'inactive', 'active', 'lead'])
      assert.equal((await company.call('customers_update', { id: made.id, status })).status, status)
    const cleared = await company.call('customers_update', {
      id: made.id,
      first_name: '',
      external_id: ' ',
      payment_terms_days: null,
      preferred_language: '',
    })
    assert.deepEqual([cleared.display_name, cleared.external_id, cleared.payment_terms_days], ['Peña', null, null])
  })

  it('accepts the current customer_type and sets updated_by', async () => {
    const made = await company.call('customers_create', acme)
    const office = await company.member('office')
    const updated = await office.call('customers_update', {
      id: made.id,
      customer_type: 'company',
      company_name: 'Acme & Sons',
    })
    assert.deepEqual(
      [updated.display_name, updated.created_by, updated.updated_by],
      ['Acme & Sons', company.owner.id, office.id],
    )
    assert.equal(
      (await (await company.tenantKey()).call('customers_update', { id: made.id, lead_source: 'Fair' })).updated_by,
      null,
    )
  })

  it('is refused for immutable, invalid and unknown fields, and writes nothing', async () => {
    const { id } = await company.call('customers_create', ana)
    const { id: firm } = await company.call('customers_create', acme)
    await refusedEach(witness, company.owner, 'customers_update', [
      [
        { id, customer_type: 'company' },
        'invalid_input: customer_type cannot be changed (it is individual, got company); leave it out',
      ],
      [
        { id, company_name: 'Acme' },
        'invalid_input: company_name is only for companies; use customer_type company, or leave it out',
      ],
      [
        { id, first_name: null, last_name: null },
        'invalid_input: first_name or last_name is required for an individual',
      ],
      [
        { id: firm, last_name: 'Ruiz' },
        'invalid_input: first_name and last_name belong to a contact of the company; add one in contacts, or with contacts_create',
      ],
      [{ id: firm, company_name: null }, 'invalid_input: company_name is required for a company'],
      [{ id, status: null }, 'invalid_input: status must be one of lead, active, inactive (got null)'],
      [{ id, contacts: [] }, /^invalid_input: unknown field 'contacts'/],
      [
        { id, email: 'a@b.c', phone: '1', tag_ids: [], locations: [] },
        /unknown field 'email'.*unknown field 'phone'.*unknown field 'tag_ids'.*unknown field 'locations'/,
      ],
      [
        { id, idempotency_key: 'x' },
        /^invalid_input: unknown field 'idempotency_key' \(the fields are id, expected_updated_at, first_name, /,
      ],
      [{ id: newId(), first_name: 'x' }, 'not_found: customer not found; find its id with customers_search'],
    ])
  })

  it("is refused with conflict for another customer's external_id, archived and concurrent ones included", async () => {
    const { call, owner } = await makeCompany(service)
    const first = await call('customers_create', { ...ana, external_id: 'x-1' })
    const { id } = await call('customers_create', { ...ana, external_id: 'x-2' })
    const taken = "conflict: external_id is another customer's; find that one with customers_search, or choose another"
    assert.equal(
      await witness.refused(owner, 'customers_create', {
        ...acme,
        external_id: 'x-1',
        contacts: [{ first_name: 'Bo' }],
      }),
      taken,
    )
    assert.equal(await witness.refused(owner, 'customers_update', { id, external_id: 'x-1' }), taken)
    await call('customers_archive', { id: first.id })
    assert.equal(await witness.refused(owner, 'customers_update', { id, external_id: 'x-1' }), taken)
    await (await makeCompany(service)).call('customers_create', { ...ana, external_id: 'x-1' })
    const race = await Promise.all(
      Array.from({ length: 12 }, () => owner.send('customers_create', { ...ana, external_id: 'race' })),
    )
    assert.equal(race.filter(({ isError }) => !isError).length, 1)
  })
})

describe('customers_archive', () => {
  it('hides the customer with its contacts and locations from all their tools', async () => {
    const made = await company.call('customers_create', {
      ...ana,
      last_name: 'Archived',
      contacts: [{ first_name: 'Bo' }],
      locations: [{ address_line1: '1 Main' }],
    })
    const gone = await company.call('customers_archive', { id: made.id })
    assert.deepEqual(Object.keys(gone), ['id', 'archived_at'])
    assert.match(gone.archived_at, INSTANT)
    const [contact, location] = [made.contacts[0].id, made.locations[0].id]
    for (const [tool, given, what] of [
      ['customers_get', { id: made.id }, 'customer'],
      ['customers_update', { id: made.id, status: 'lead' }, 'customer'],
      ['customers_archive', { id: made.id }, 'customer'],
      ['contacts_list', { customer_id: made.id }, 'customer'],
      ['contacts_create', { customer_id: made.id, first_name: 'x' }, 'customer'],
      ['contacts_get', { id: contact }, 'contact'],
      ['contacts_update', { id: contact, first_name: 'x' }, 'contact'],
      ['contacts_archive', { id: contact }, 'contact'],
      ['locations_list', { customer_id: made.id }, 'customer'],
      ['locations_create', { customer_id: made.id, address_line1: 'x' }, 'customer'],
      ['locations_get', { id: location }, 'location'],
      ['locations_update', { id: location, name: 'x' }, 'location'],
      ['locations_archive', { id: location }, 'location'],
    ] as const)
      assert.match(
        await witness.refused(company.owner, tool, given),
        what === 'customer'
          ? /^not_found: customer not found: it is .*, archived on \S+ .*; find another with customers_search$/
          : new RegExp(`^not_found: ${what} not found; find its id with ${what}s_list$`),
      )
    assert.deepEqual((await company.call('customers_search', { query: 'Archived' })).rows, [])
    assert.equal(await witness.value('select archived_at is not null from customers where id = $1', made.id), true)
  })

  it('succeeds once among ten concurrent calls; the others get not_found', async () => {
    const { id } = await company.call('customers_create', ana)
    const all = await Promise.all(Array.from({ length: 10 }, () => company.owner.send('customers_archive', { id })))
    assert.equal(all.filter(({ isError }) => !isError).length, 1)
    assert.ok(
      all
        .filter(({ isError }) => isError)
        .every(({ text }) => text.startsWith('not_found: customer not found: it is ')),
    )
  })
})
