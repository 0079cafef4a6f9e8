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

const makeCustomer = async (): Promise<string> =>
  (await company.call('customers_create', { customer_type: 'company', company_name: 'Acme' })).id

describe('locations_create', () => {
  it('returns the full record with access notes and a formatted address', async () => {
    const customer_id = await makeCustomer()
    const rate = await company.call('tax_rates_create', { name: 'Austin', rate_percentage: 8.25 })
    const given = {
      customer_id,
      type: 'billing',
      name: 'Lake house',
      address_line1: ' 1 Main St ',
      address_line2: 'Unit 4',
      city: 'Austin',
      region: 'TX',
      postal_code: '78701',
      country: 'us',
      latitude: 30.267153,
      longitude: -97.743057,
      access_notes: 'Gate 1234#\nDog',
      tax_rate_id: rate.id,
    }
    const { id, created_at, updated_at, ...rest } = await company.call('locations_create', given)
    assert.deepEqual(rest, {
      ...given,
      address_line1: '1 Main St',
      country: 'US',
      formatted_address: '1 Main St, Unit 4, Austin, TX 78701, US',
      is_primary: true,
      created_by: company.owner.id,
      updated_by: company.owner.id,
      archived_at: null,
    })
    assert.deepEqual(await company.call('locations_get', { id }), { id, created_at, updated_at, ...rest })
  })

  it("defaults to type service and the company's country", async () => {
    const made = await company.call('locations_create', {
      customer_id: await makeCustomer(),
      address_line1: '1 Main St',
      city: 'Austin',
    })
    assert.deepEqual(
      [made.type, made.country, made.formatted_address, made.latitude, made.tax_rate_id],
      ['service', 'US', '1 Main St, Austin, US', null, null],
    )
    const german = await makeCompany(service, { country: 'DE', timezone: 'Europe/Berlin', currency: 'EUR' })
    const { id } = await german.call('customers_create', { customer_type: 'company', company_name: 'Bau GmbH' })
    assert.equal(
      (await german.call('locations_create', { customer_id: id, address_line1: 'Hauptstr. 1' })).country,
      'DE',
    )
  })

  it('treats a blank optional field as null', async () => {
    const blank = {
      name: ' ',
      address_line2: '',
      city: '',
      region: '',
      postal_code: '',
      access_notes: '\n',
      tax_rate_id: '',
    }
    const made = await company.call('locations_create', {
      customer_id: await makeCustomer(),
      address_line1: '1 Main St',
      ...blank,
    })
    for (const field of Object.keys(blank)) assert.equal(made[field], null, field)
  })

  it('accepts the extreme coordinates', async () => {
    const customer_id = await makeCustomer()
    for (const [latitude, longitude] of [
      [90, 180],
      [-90, -180],
      [0, 0],
      [-0.000001, 179.999999],
    ]) {
      const made = await company.call('locations_create', { customer_id, address_line1: 'x', latitude, longitude })
      assert.deepEqual([made.latitude, made.longitude], [latitude, longitude])
    }
  })
})

describe('invalid location arguments', () => {
  it('are refused with the field, rule, value and next step, and nothing is written', async () => {
    const customer_id = await makeCustomer()
    const at = { customer_id, address_line1: '1 Main St' }
    const archived = await company.call('tax_rates_create', { name: 'Old', rate_percentage: 5 })
    await company.call('tax_rates_archive', { id: archived.id })
    const together = 'latitude and longitude go together; send both or neither'
    await refusedEach(witness, company.owner, 'locations_create', [
      [{}, 'invalid_input: customer_id is required, find it with customers_search; address_line1 is required'],
      [{ ...at, address_line1: ' ' }, 'invalid_input: address_line1 must not be empty (got "")'],
      [
        { ...at, address_line1: 'x'.repeat(201), city: 'x'.repeat(101), postal_code: 'x'.repeat(21) },
        /address_line1 must be at most 200 .*city must be at most 100 .*postal_code must be at most 20 /,
      ],
      [{ ...at, type: 'home' }, 'invalid_input: type must be one of service, billing (got "home")'],
      [
        { ...at, country: 'USA' },
        'invalid_input: country must be a two-letter country code such as US (ISO 3166-1) (got "USA")',
      ],
      [
        { ...at, country: 'UK' },
        'invalid_input: country must be a two-letter country code such as US (ISO 3166-1) (got "UK")',
      ],
      [{ ...at, latitude: 30 }, `invalid_input: ${together}`],
      [{ ...at, longitude: 30, latitude: null }, `invalid_input: ${together}`],
      [
        { ...at, latitude: 90.5, longitude: 181 },
        'invalid_input: latitude must be from -90 to 90 (got 90.5); longitude must be from -180 to 180 (got 181)',
      ],
      [
        { ...at, latitude: 1.1234567, longitude: 1 },
        'invalid_input: latitude must have at most 6 decimals (got 1.1234567)',
      ],
      [{ ...at, latitude: '30', longitude: 1 }, 'invalid_input: latitude must be a number (got "30")'],
      [{ ...at, access_notes: 'x'.repeat(2001) }, /^invalid_input: access_notes must be at most 2000 characters/],
      [
        { ...at, tax_rate_id: newId() },
        'invalid_input: tax_rate_id is not a live tax rate of this account; find its id with tax_rates_list',
      ],
      [
        { ...at, tax_rate_id: archived.id },
        'invalid_input: tax_rate_id is not a live tax rate of this account; find its id with tax_rates_list',
      ],
      [{ ...at, is_primary: 'yes' }, 'invalid_input: is_primary must be true or false (got "yes")'],
      [{ ...at, adress: 'x', formatted_address: 'x' }, /unknown field 'adress'.*unknown field 'formatted_address'/],
      [{ ...at, customer_id: newId() }, 'not_found: customer not found; find its id with customers_search'],
    ])
    const { id } = await company.call('locations_create', { ...at, latitude: 1, longitude: 2 })
    const elsewhere = newId()
    await refusedEach(witness, company.owner, 'locations_update', [
      [
        { id, customer_id: elsewhere },
        `invalid_input: customer_id cannot be changed (it is ${customer_id}, got ${elsewhere}); leave it out`,
      ],
      [{ id, latitude: null }, `invalid_input: ${together}`],
      [{ id, address_line1: null }, 'invalid_input: address_line1 must be text (got null)'],
      [
        { id, is_primary: false },
        "invalid_input: is_primary can't be removed from the primary location; set it on another location of its type with locations_update",
      ],
      [
        { id, tax_rate_id: archived.id },
        'invalid_input: tax_rate_id is not a live tax rate of this account; find its id with tax_rates_list',
      ],
      [{ location_id: id }, "invalid_input: id is required; unknown field 'location_id' (did you mean 'id'?)"],
      [{ id: newId(), name: 'x' }, 'not_found: location not found; find its id with locations_list'],
    ])
    await refusedEach(witness, company.owner, 'locations_list', [
      [{}, 'invalid_input: customer_id is required, find it with customers_search'],
      [{ customer_id, type: 'home' }, 'invalid_input: type must be one of service, billing (got "home")'],
      [{ customer_id: newId() }, 'not_found: customer not found; find its id with customers_search'],
    ])
    for (const tool of ['locations_get', 'locations_archive'])
      await refusedEach(witness, company.owner, tool, [
        [{ id: newId() }, 'not_found: location not found; find its id with locations_list'],
      ])
  })
})

describe('locations_update', () => {
  it('changes only the given fields and accepts the current customer_id', async () => {
    const customer_id = await makeCustomer()
    const made = await company.call('locations_create', {
      customer_id,
      address_line1: '1 Main St',
      name: 'Office',
      latitude: 1,
      longitude: 2,
    })
    const updated = await company.call('locations_update', {
      id: made.id,
      customer_id,
      city: 'Austin',
      name: '',
      latitude: null,
      longitude: null,
    })
    assert.deepEqual(
      { ...updated, updated_at: 0 },
      {
        ...made,
        city: 'Austin',
        name: null,
        latitude: null,
        longitude: null,
        formatted_address: '1 Main St, Austin, US',
        updated_at: 0,
      },
    )
    assert.ok(updated.updated_at > made.updated_at)
  })

  it('keeps an archived tax rate until it is changed', async () => {
    const rate = await company.call('tax_rates_create', { name: 'Passing', rate_percentage: 7 })
    const { id } = await company.call('locations_create', {
      customer_id: await makeCustomer(),
      address_line1: 'x',
      tax_rate_id: rate.id,
    })
    await company.call('tax_rates_archive', { id: rate.id })
    assert.equal((await company.call('locations_update', { id, tax_rate_id: rate.id, name: 'x' })).tax_rate_id, rate.id)
    assert.equal((await company.call('locations_update', { id, tax_rate_id: null })).tax_rate_id, null)
  })
})

describe('locations_list', () => {
  it('omits access notes, filters by type and updated_since, and pages with a total', async () => {
    const customer_id = await makeCustomer()
    for (const [i, type] of ['billing', 'service', 'billing', 'service', 'service'].entries())
      await company.call('locations_create', { customer_id, type, address_line1: `${i}`, access_notes: 'secret 1234' })
    const all = await company.call('locations_list', { customer_id, include_total: true })
    assert.deepEqual(
      [all.rows.map(({ address_line1 }: Result) => address_line1), all.total, all.hasMore],
      [['1', '0', '3', '4', '2'], 5, false],
    )
    assert.ok(!JSON.stringify(all).includes('1234'))
    const billing = await company.call('locations_list', {
      customer_id,
      type: 'billing',
      limit: 1,
      include_total: true,
    })
    assert.deepEqual(
      [billing.rows.map(({ address_line1 }: Result) => address_line1), billing.total, billing.hasMore],
      [['0'], 2, true],
    )
    const changed = await company.call('locations_update', { id: all.rows[3].id, name: 'x' })
    assert.deepEqual(
      (await company.call('locations_list', { customer_id, updated_since: changed.updated_at })).rows.map(
        ({ name }: Result) => name,
      ),
      ['x'],
    )
  })
})

describe('location tools', () => {
  it('require read:customers to read and write:customers to write', async () => {
    const customer_id = await makeCustomer()
    const reader = await company.tenantKey(['read:customers'])
    assert.equal(
      await witness.refused(reader, 'locations_create', { customer_id, address_line1: 'x' }),
      'insufficient_scope: locations.create needs write:customers',
    )
    const writer = await company.tenantKey(['write:customers'])
    assert.equal(
      await witness.refused(writer, 'locations_list', { customer_id }),
      'insufficient_scope: locations.list needs read:customers',
    )
    assert.equal((await writer.call('locations_create', { customer_id, address_line1: 'x' })).created_by, null)
  })
})
