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

const makeCustomer = async (by: Company = company): Promise<string> =>
  (await by.call('customers_create', { customer_type: 'company', company_name: 'Acme' })).id
const contactsOf = async (customer_id: string): Promise<Result[]> =>
  (await company.call('contacts_list', { customer_id, limit: 100 })).rows

describe('contacts_create', () => {
  it('returns the full record, without a url', async () => {
    const customer_id = await makeCustomer()
    const given = {
      customer_id,
      first_name: ' Ana ',
      last_name: 'Peña',
      role_label: 'Site manager',
      email: 'Ana@Example.COM',
      phone: '(512) 555-0143',
      phone_extension: '7',
      sms_opt_out: true,
      email_opt_out: true,
      notes: 'Ring\ttwice\r\nthen wait',
    }
    const { id, created_at, updated_at, ...rest } = await company.call('contacts_create', given)
    assert.deepEqual(rest, {
      ...given,
      first_name: 'Ana',
      email: 'ana@example.com',
      phone: '+15125550143',
      notes: 'Ring\ttwice\nthen wait',
      is_primary: true,
      created_by: company.owner.id,
      updated_by: company.owner.id,
      archived_at: null,
    })
    assert.deepEqual(await company.call('contacts_get', { id }), { id, created_at, updated_at, ...rest })
  })

  it('accepts any one of four identifying fields', async () => {
    const customer_id = await makeCustomer()
    for (const [field, value] of [
      ['first_name', 'A'],
      ['last_name', 'B'],
      ['email', 'a@b.c'],
      ['phone', '512 555 0100'],
    ]) {
      await company.call('contacts_create', { customer_id, [field!]: value })
    }
    assert.equal((await contactsOf(customer_id)).length, 4)
  })

  it("parses phones in the company's country, with their extension", async () => {
    const customer_id = await makeCustomer()
    for (const [phone, stored, extension] of [
      ['(555) 123-4567', '+15551234567', null],
      ['512.555.0143 x12', '+15125550143', '12'],
      ['512-555-0143 ext. 9', '+15125550143', '9'],
      ['+44 20 7946 0958', '+442079460958', null],
    ]) {
      const made = await company.call('contacts_create', { customer_id, phone })
      assert.deepEqual([made.phone, made.phone_extension], [stored, extension])
    }
    const british = await makeCompany(service, { country: 'GB', timezone: 'Europe/London', currency: 'GBP' })
    assert.equal(
      (await british.call('contacts_create', { customer_id: await makeCustomer(british), phone: '020 7946 0958' }))
        .phone,
      '+442079460958',
    )
  })

  it('warns about a duplicate phone or email within the customer, and a duplicate phone elsewhere', async () => {
    const customer_id = await makeCustomer()
    await company.call('contacts_create', { customer_id, phone: '512-555-0177', email: 'both@example.com' })
    assert.deepEqual((await company.call('contacts_create', { customer_id, phone: '5125550177' })).warnings, [
      'another contact of this customer has the same phone',
    ])
    assert.deepEqual((await company.call('contacts_create', { customer_id, email: 'BOTH@example.com' })).warnings, [
      'another contact of this customer has the same email',
    ])
    const other = await makeCustomer()
    assert.deepEqual((await company.call('contacts_create', { customer_id: other, phone: '512-555-0177' })).warnings, [
      `+15125550177 also belongs to customer «Acme» (${customer_id}); check whether it is the same customer`,
    ])
    assert.equal(
      (await company.call('contacts_create', { customer_id: other, phone: '512-555-0178' })).warnings,
      undefined,
    )
  })
})

describe('contacts_update', () => {
  it('changes only the given fields and accepts the current customer_id', async () => {
    const customer_id = await makeCustomer()
    const made = await company.call('contacts_create', {
      customer_id,
      first_name: 'Ana',
      phone: '512-555-0150 x3',
      notes: 'old',
    })
    const updated = await company.call('contacts_update', { id: made.id, customer_id, last_name: 'Ruiz', notes: null })
    assert.deepEqual({ ...updated, updated_at: 0 }, { ...made, last_name: 'Ruiz', notes: null, updated_at: 0 })
    assert.ok(updated.updated_at > made.updated_at)
    assert.equal(updated.url, undefined)
  })

  it('replaces or clears the extension with the phone; the extension alone can be changed', async () => {
    const { id } = await company.call('contacts_create', {
      customer_id: await makeCustomer(),
      first_name: 'Ana',
      phone: '512-555-0150 x3',
    })
    const state = ({ phone, phone_extension }: Result) => [phone, phone_extension]
    assert.deepEqual(state(await company.call('contacts_update', { id, phone: '512-555-0151' })), [
      '+15125550151',
      null,
    ])
    assert.deepEqual(state(await company.call('contacts_update', { id, phone_extension: '44' })), [
      '+15125550151',
      '44',
    ])
    assert.deepEqual(state(await company.call('contacts_update', { id, phone: '512-555-0152 ext 5' })), [
      '+15125550152',
      '5',
    ])
    assert.deepEqual(
      state(await company.call('contacts_update', { id, phone: '512-555-0152 ext 5', phone_extension: '6' })),
      ['+15125550152', '6'],
    )
    assert.deepEqual(state(await company.call('contacts_update', { id, first_name: 'Anna' })), ['+15125550152', '6'])
    assert.deepEqual(state(await company.call('contacts_update', { id, phone: null })), [null, null])
  })

  it('warns about a duplicate email', async () => {
    const customer_id = await makeCustomer()
    await company.call('contacts_create', { customer_id, email: 'couple@example.com' })
    const { id } = await company.call('contacts_create', { customer_id, first_name: 'B' })
    assert.deepEqual((await company.call('contacts_update', { id, email: 'couple@example.com' })).warnings, [
      'another contact of this customer has the same email',
    ])
  })
})

describe('contacts_list', () => {
  it('returns all set fields, primary first, then oldest first, with paging and updated_since', async () => {
    const customer_id = await makeCustomer()
    const made: Result[] = []
    for (let i = 0; i < 5; i++)
      made.push(await company.call('contacts_create', { customer_id, first_name: `C${i}`, email: `c${i}@example.com` }))
    await company.call('contacts_update', { id: made[3]!.id, is_primary: true })
    const first = await company.call('contacts_list', { customer_id, limit: 2, include_total: true })
    assert.deepEqual(
      [first.rows.map(({ first_name }: Result) => first_name), first.page, first.limit, first.hasMore, first.total],
      [['C3', 'C0'], 1, 2, true, 5],
    )
    assert.deepEqual(Object.keys(first.rows[0]).sort(), [
      'created_at',
      'created_by',
      'customer_id',
      'email',
      'email_opt_out',
      'first_name',
      'id',
      'is_primary',
      'sms_opt_out',
      'updated_at',
      'updated_by',
    ])
    const last = await company.call('contacts_list', { customer_id, limit: 2, page: 3 })
    assert.deepEqual([last.rows.map(({ first_name }: Result) => first_name), last.hasMore], [['C4'], false])
    const changed = await company.call('contacts_update', { id: made[1]!.id, notes: 'x' })
    const since = await company.call('contacts_list', {
      customer_id,
      updated_since: changed.updated_at,
      include_total: true,
    })
    assert.deepEqual([since.rows.map(({ first_name }: Result) => first_name), since.total], [['C1'], 1])
  })
})
