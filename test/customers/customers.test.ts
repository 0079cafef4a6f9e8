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
const warningsOf = (result: Result): string[] => result.warnings ?? []

describe('customers_create', () => {
  it('creates an individual by first or last name, with defaults, url and creator', async () => {
    const made = await company.call('customers_create', ana)
    const { id, url, created_at, updated_at, ...rest } = made
    assert.deepEqual(rest, {
      customer_type: 'individual',
      first_name: 'Ana',
      last_name: 'Peña',
      company_name: null,
      display_name: 'Ana Peña',
      status: 'active',
      lead_source: null,
      tax_exempt: false,
      payment_terms_days: null,
      do_not_service: false,
      preferred_language: null,
      external_id: null,
      fields: {},
      created_by: company.owner.id,
      updated_by: company.owner.id,
      archived_at: null,
      tags: [],
      contacts: [],
      locations: [],
    })
    assert.equal(url, `http://callout.test/${company.tenant}/customers/${id}`)
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7/)
    assert.match(created_at, INSTANT)
    assert.equal(updated_at, created_at)
    assert.equal(
      (await company.call('customers_create', { customer_type: 'individual', last_name: ' Ruiz ' })).display_name,
      'Ruiz',
    )
  })

  it('creates a company with every field', async () => {
    const given = {
      ...acme,
      status: 'lead',
      lead_source: 'Radio',
      tax_exempt: true,
      payment_terms_days: 0,
      do_not_service: true,
      preferred_language: 'ES-mx',
      external_id: 'crm-1',
      fields: { gate: 'left', age: 12.5, dog: false, none: null },
    }
    const made = await company.call('customers_create', given)
    for (const [field, value] of Object.entries({
      ...given,
      preferred_language: 'es-MX',
      display_name: 'Acme Plumbing',
    }))
      assert.deepEqual(made[field], value, field)
    assert.deepEqual(await company.call('customers_get', { id: made.id }), {
      ...made,
      counts: { open_jobs: 0, unpaid_invoices: 0, balance_due_cents: 0 },
    })
  })

  it('turns email and phone into the first contact, named after the individual, unnamed for a company', async () => {
    const person = await company.call('customers_create', {
      ...ana,
      email: ' Ana@Example.com ',
      phone: '512.555.0143 x12',
    })
    assert.deepEqual(
      person.contacts.map(({ first_name, last_name, email, phone, phone_extension, is_primary }: Result) => ({
        first_name,
        last_name,
        email,
        phone,
        phone_extension,
        is_primary,
      })),
      [
        {
          first_name: 'Ana',
          last_name: 'Peña',
          email: 'ana@example.com',
          phone: '+15125550143',
          phone_extension: '12',
          is_primary: true,
        },
      ],
    )
    assert.equal(person.email, undefined)
    const firm = await company.call('customers_create', {
      ...acme,
      phone: '+44 20 7946 0958',
      contacts: [{ first_name: 'Bo' }],
    })
    assert.deepEqual(
      firm.contacts.map(({ first_name, phone, is_primary }: Result) => [first_name, phone, is_primary]),
      [
        [null, '+442079460958', true],
        ['Bo', null, false],
      ],
    )
  })

  it('creates contacts, locations and tags with the customer', async () => {
    const tag = await company.call('tags_create', { name: 'vip', color: '#aa0000' })
    const made = await company.call('customers_create', {
      ...acme,
      tag_ids: [tag.id, tag.id.toUpperCase()],
      contacts: [
        { first_name: 'Bo', role_label: 'Site manager' },
        { email: 'second@example.com', sms_opt_out: true, notes: 'two\nlines' },
      ],
      locations: [
        { address_line1: '1 Main St', city: 'Austin', region: 'TX', postal_code: '78701' },
        { type: 'billing', address_line1: '2 Main St', country: 'mx' },
        { address_line1: '3 Main St' },
      ],
    })
    assert.deepEqual(made.tags, [{ id: tag.id, name: 'vip', color: '#AA0000' }])
    assert.deepEqual(
      made.contacts.map(({ first_name, is_primary, sms_opt_out, notes }: Result) => [
        first_name,
        is_primary,
        sms_opt_out,
        notes,
      ]),
      [
        ['Bo', true, false, null],
        [null, false, true, 'two\nlines'],
      ],
    )
    assert.deepEqual(
      made.locations.map(({ formatted_address, type, is_primary, country }: Result) => [
        formatted_address,
        type,
        is_primary,
        country,
      ]),
      [
        ['1 Main St, Austin, TX 78701, US', 'service', true, 'US'],
        ['2 Main St, MX', 'billing', true, 'MX'],
        ['3 Main St, US', 'service', false, 'US'],
      ],
    )
    assert.equal(
      await witness.value(
        'select count(*)::int from contacts where customer_id = $1 and created_by = $2',
        made.id,
        company.owner.id,
      ),
      2,
    )
  })

  it('makes a nested contact or location primary if it has is_primary or is the first of its type', async () => {
    const made = await company.call('customers_create', {
      ...acme,
      contacts: [{ first_name: 'One' }, { first_name: 'Two', is_primary: true }, { first_name: 'Three' }],
      locations: [
        { address_line1: 'A' },
        { address_line1: 'B', is_primary: true },
        { address_line1: 'C', type: 'billing' },
      ],
    })
    assert.deepEqual(
      made.contacts.filter(({ is_primary }: Result) => is_primary).map(({ first_name }: Result) => first_name),
      ['Two'],
    )
    assert.deepEqual(
      made.locations.filter(({ is_primary }: Result) => is_primary).map(({ address_line1 }: Result) => address_line1),
      ['B', 'C'],
    )
  })

  it('leaves the creator empty for a tenant key', async () => {
    const made = await (await company.tenantKey()).call('customers_create', { ...ana, email: 'nobody@example.com' })
    assert.deepEqual([made.created_by, made.updated_by, made.contacts[0].created_by], [null, null, null])
  })

  it('treats blank optional texts as null and measures length in code points', async () => {
    const made = await company.call('customers_create', {
      customer_type: 'individual',
      first_name: '😀'.repeat(100),
      last_name: ' ',
      lead_source: '',
      email: '',
      phone: ' ',
      preferred_language: '',
    })
    assert.deepEqual([made.last_name, made.lead_source, made.preferred_language, made.contacts], [null, null, null, []])
    const long = await company.call('customers_create', {
      customer_type: 'company',
      company_name: 'ﷺ'.repeat(200),
      fields: { note: 'é'.repeat(500) },
    })
    assert.equal(long.display_name, 'ﷺ'.repeat(200))
  })

  it('warns about a phone or email of another live customer, but creates the customer', async () => {
    const { call } = await makeCompany(service)
    const first = await call('customers_create', { ...ana, phone: '512-555-0199', email: 'shared@example.com' })
    assert.deepEqual(warningsOf(first), [])
    const second = await call('customers_create', { ...acme, phone: '+1 512 555 0199' })
    assert.deepEqual(warningsOf(second), [
      `+15125550199 also belongs to customer «Ana Peña» (${first.id}); check whether it is the same customer`,
    ])
    const third = await call('customers_create', { ...acme, contacts: [{ email: 'SHARED@example.com' }] })
    assert.deepEqual(warningsOf(third), [
      `«shared@example.com» also belongs to customer «Ana Peña» (${first.id}); check whether it is the same customer`,
    ])
    await Promise.all([first, second, third].map(({ id }) => call('customers_archive', { id })))
    assert.deepEqual(
      warningsOf(await call('customers_create', { ...ana, phone: '512-555-0199', email: 'shared@example.com' })),
      [],
    )
  })
})

describe('customers_create: invalid_input', () => {
  it('names every problem and writes nothing', async () => {
    const tag = await company.call('tags_create', { name: 'one' })
    const missing = newId()
    await refusedEach(witness, company.owner, 'customers_create', [
      [{}, 'invalid_input: customer_type is required'],
      [{ customer_type: 'person' }, 'invalid_input: customer_type must be one of individual, company (got "person")'],
      [{ customer_type: 'individual' }, 'invalid_input: first_name or last_name is required for an individual'],
      [
        { customer_type: 'individual', first_name: ' ', last_name: null },
        'invalid_input: first_name or last_name is required for an individual',
      ],
      [
        { ...ana, company_name: 'Acme' },
        'invalid_input: company_name is only for companies; use customer_type company, or leave it out',
      ],
      [{ customer_type: 'company' }, 'invalid_input: company_name is required for a company'],
      [
        { ...acme, first_name: 'Ana' },
        'invalid_input: first_name and last_name belong to a contact of the company; add one in contacts, or with contacts_create',
      ],
      [{ ...ana, first_name: 'x'.repeat(101) }, /^invalid_input: first_name must be at most 100 characters \(got /],
      [
        { ...acme, company_name: 'x'.repeat(201) },
        /^invalid_input: company_name must be at most 200 characters \(got /,
      ],
      [
        { ...ana, status: 'archived', payment_terms_days: 366 },
        'invalid_input: status must be one of lead, active, inactive (got "archived"); payment_terms_days must be a whole number from 0 to 365 (got 366)',
      ],
      [
        { ...ana, tax_exempt: 'no', do_not_service: 0 },
        'invalid_input: tax_exempt must be true or false (got "no"); do_not_service must be true or false (got 0)',
      ],
      [
        { ...ana, preferred_language: 'en_US' },
        'invalid_input: preferred_language must be a language tag such as en-US (BCP 47) (got "en_US")',
      ],
      [{ ...ana, email: 'ana' }, 'invalid_input: email must be an email address such as ana@example.com (got "ana")'],
      [
        { ...ana, phone: '555-0100' },
        "invalid_input: phone must be a phone number with area code, or with country code such as +44 20 7946 0958 (got '555-0100')",
      ],
      [
        { ...ana, contacts: [{ first_name: 'Bo' }, { phone: 'call me' }] },
        /^invalid_input: contacts\[1\]\.phone must be a phone number with area code/,
      ],
      [
        { ...ana, email: 'a@b.c', contacts: [{ phone: 'call me' }] },
        /^invalid_input: contacts\[0\]\.phone must be a phone number/,
      ],
      [
        { ...ana, contacts: [{ notes: 'x' }] },
        'invalid_input: contacts[0] needs one of first_name, last_name, email, phone',
      ],
      [
        { ...ana, contacts: [{ fist_name: 'Bo' }] },
        "invalid_input: unknown field 'contacts[0].fist_name' (did you mean 'first_name'?)",
      ],
      [
        { ...ana, contacts: Array.from({ length: 21 }, () => ({ first_name: 'Bo' })) },
        'invalid_input: contacts must have at most 20 (got 21 items)',
      ],
      [{ ...ana, locations: [{ city: 'Austin' }] }, 'invalid_input: locations[0].address_line1 is required'],
      [
        { ...ana, locations: [{ address_line1: '1 Main', latitude: 1 }] },
        'invalid_input: locations[0].latitude and locations[0].longitude go together; send both or neither',
      ],
      [
        { ...ana, locations: [{ address_line1: '1 Main', tax_rate_id: missing }] },
        'invalid_input: locations[0].tax_rate_id is not a live tax rate of this account; find its id with tax_rates_list',
      ],
      [
        { ...ana, locations: Array.from({ length: 21 }, () => ({ address_line1: 'x' })) },
        'invalid_input: locations must have at most 20 (got 21 items)',
      ],
      [
        { ...ana, tag_ids: [tag.id, missing] },
        'invalid_input: tag_ids[1] is not a tag of this account; find its id with tags_list, or create it with tags_create',
      ],
      [{ ...ana, tag_ids: ['vip'] }, 'invalid_input: tag_ids[0] must be a UUID, find it with tags_list (got "vip")'],
      [
        { ...ana, tag_ids: Array.from({ length: 51 }, newId) },
        'invalid_input: tag_ids must have at most 50 (got 51 items)',
      ],
      [{ ...ana, fields: { a: [] } }, /^invalid_input: fields\.a must be text of at most 500 characters/],
      [
        { ...ana, fields: { a: 'x\u0000y' } },
        /^invalid_input: fields\.a must be text of at most 500 characters without control characters/,
      ],
      [{ ...ana, fields: { '': 1 } }, 'invalid_input: fields has a key that must not be empty (got "")'],
      [{ ...ana, display_name: 'Ana' }, /^invalid_input: unknown field 'display_name'/],
      [
        { ...ana, archived_at: null, created_by: null },
        /^invalid_input: unknown field 'archived_at'.*; unknown field 'created_by'/,
      ],
      [{ ...ana, idempotency_key: 'x'.repeat(65) }, /^invalid_input: idempotency_key must be at most 64 characters/],
    ])
  })
})
