import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
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

describe('invalid contact arguments', () => {
  it('are refused with the field, rule, value and next step, and nothing is written', async () => {
    const customer_id = await makeCustomer()
    const phone = 'must be a phone number with area code, or with country code such as +44 20 7946 0958'
    await refusedEach(witness, company.owner, 'contacts_create', [
      [{ first_name: 'Ana' }, 'invalid_input: customer_id is required, find it with customers_search'],
      [{ customer_id }, 'invalid_input: a contact needs one of first_name, last_name, email, phone'],
      [
        { customer_id, first_name: '', last_name: null, email: ' ', phone: '', notes: 'x' },
        'invalid_input: a contact needs one of first_name, last_name, email, phone',
      ],
      [
        { customer_id: 'nobody', first_name: 'Ana' },
        'invalid_input: customer_id must be a UUID, find it with customers_search (got "nobody")',
      ],
      [{ customer_id, phone: '555-0100' }, `invalid_input: phone ${phone} (got '555-0100')`],
      [{ customer_id, phone: 'call me' }, `invalid_input: phone ${phone} (got 'call me')`],
      [{ customer_id, phone: '020 7946 0958' }, `invalid_input: phone ${phone} (got '020 7946 0958')`],
      [{ customer_id, phone: '5'.repeat(41) }, /^invalid_input: phone must be at most 40 characters/],
      [
        { customer_id, phone: '512-555-0143 ext. 12345678901' },
        /^invalid_input: phone must have an extension of at most 10 digits \(got /,
      ],
      [
        { customer_id, first_name: 'A', phone_extension: '12a' },
        'invalid_input: phone_extension must be digits (got "12a")',
      ],
      [
        { customer_id, first_name: 'A', phone_extension: '12345678901' },
        /^invalid_input: phone_extension must be at most 10 characters/,
      ],
      [
        { customer_id, email: 'a@b@c' },
        'invalid_input: email must be an email address such as ana@example.com (got "a@b@c")',
      ],
      [
        { customer_id, first_name: 'x'.repeat(101), role_label: 'x'.repeat(101) },
        /^invalid_input: first_name must be at most 100 .*; role_label must be at most 100 /,
      ],
      [
        { customer_id, first_name: 'A', notes: 'x'.repeat(2001) },
        /^invalid_input: notes must be at most 2000 characters/,
      ],
      [
        { customer_id, first_name: 'A', sms_opt_out: 'no', is_primary: 'yes' },
        'invalid_input: is_primary must be true or false (got "yes"); sms_opt_out must be true or false (got "no")',
      ],
      [{ customer_id, first_name: 'A\u0007' }, /^invalid_input: first_name must not contain control characters/],
      [{ customer_id, name: 'Ana' }, /^invalid_input: unknown field 'name'/],
      [{ customer_id: newId(), first_name: 'Ana' }, 'not_found: customer not found; find its id with customers_search'],
    ])
    const { id } = await company.call('contacts_create', { customer_id, first_name: 'Ana' })
    const elsewhere = newId()
    await refusedEach(witness, company.owner, 'contacts_update', [
      [
        { id, customer_id: elsewhere },
        `invalid_input: customer_id cannot be changed (it is ${customer_id}, got ${elsewhere}); leave it out`,
      ],
      [{ id, first_name: null }, 'invalid_input: a contact needs one of first_name, last_name, email, phone'],
      [
        { id, is_primary: false },
        "invalid_input: is_primary can't be removed from the primary contact; set it on another contact with contacts_update",
      ],
      [{ id, phone: 'x' }, `invalid_input: phone ${phone} (got 'x')`],
      [{ id, archived_at: null }, /^invalid_input: unknown field 'archived_at'/],
      [{ contact_id: id }, "invalid_input: id is required; unknown field 'contact_id' (did you mean 'id'?)"],
      [{ id: newId(), first_name: 'x' }, 'not_found: contact not found; find its id with contacts_list'],
    ])
    await refusedEach(witness, company.owner, 'contacts_list', [
      [{}, 'invalid_input: customer_id is required, find it with customers_search'],
      [{ customer_id: newId() }, 'not_found: customer not found; find its id with customers_search'],
      [{ customer_id, limit: 0 }, 'invalid_input: limit must be a whole number from 1 to 100 (got 0)'],
      [
        { customer_id, page: 200, limit: 100 },
        'invalid_input: page x limit must be at most 10000 (got 20000); narrow the filter',
      ],
    ])
    for (const tool of ['contacts_get', 'contacts_archive'])
      await refusedEach(witness, company.owner, tool, [
        [{ id: newId() }, 'not_found: contact not found; find its id with contacts_list'],
        [{}, 'invalid_input: id is required'],
      ])
  })
})

describe('contact tools', () => {
  it('require read:customers to read and write:customers to write', async () => {
    const reader = await company.tenantKey(['read:customers'])
    const customer_id = await makeCustomer()
    assert.equal(
      await witness.refused(reader, 'contacts_create', { customer_id, first_name: 'A' }),
      'insufficient_scope: contacts.create needs write:customers',
    )
    assert.deepEqual((await reader.call('contacts_list', { customer_id })).rows, [])
    const stranger = await company.tenantKey(['read:jobs'])
    assert.equal(
      await witness.refused(stranger, 'contacts_list', { customer_id }),
      'insufficient_scope: contacts.list needs read:customers',
    )
  })
})
