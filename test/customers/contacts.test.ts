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

const makeCustomer = async (by: Company = company): Promise<string> =>
  (await by.call('customers_create', { customer_type: 'company', company_name: 'Acme' })).id
const contactsOf = async (customer_id: string): Promise<Result[]> =>
  (await company.call('contacts_list', { customer_id, limit: 100 })).rows
const primariesOf = async (customer_id: string): Promise<string[]> =>
  (await contactsOf(customer_id)).filter(({ is_primary }) => is_primary).map(({ id }) => id)

describe('create: ok', () => {
  it('answers the full record, without a link', async () => {
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

  it('needs one of four fields', async () => {
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

  it("reads phones in the tenant's country: possible ones, with the extension behind them", async () => {
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

  it('warns of the same phone or e-mail inside the customer and at another, and makes it', async () => {
    const customer_id = await makeCustomer()
    await company.call('contacts_create', { customer_id, phone: '512-555-0177', email: 'both@example.com' })
    assert.deepEqual((await company.call('contacts_create', { customer_id, phone: '5125550177' })).warnings, [
      'another contact of this customer has the same phone',
    ])
    assert.deepEqual((await company.call('contacts_create', { customer_id, email: 'BOTH@example.com' })).warnings, [
      'another contact of this customer has the same e-mail',
    ])
    const other = await makeCustomer()
    assert.deepEqual((await company.call('contacts_create', { customer_id: other, phone: '512-555-0177' })).warnings, [
      `+15125550177 also reaches customer «Acme» (${customer_id}); is it the same one?`,
    ])
    assert.equal(
      (await company.call('contacts_create', { customer_id: other, phone: '512-555-0178' })).warnings,
      undefined,
    )
  })
})

describe('invalid_input', () => {
  it('names the field, the rule, what was given and the way out, and writes nothing', async () => {
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
        'invalid_input: email must be an e-mail address such as ana@example.com (got "a@b@c")',
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
        "invalid_input: is_primary can't be taken from the primary contact; set it on another contact with contacts_update",
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

describe('update', () => {
  it('is a partial patch; the present customer may be sent', async () => {
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

  it('a new phone brings its own extension or none; the extension alone can be changed', async () => {
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

  it('warns as a create does', async () => {
    const customer_id = await makeCustomer()
    await company.call('contacts_create', { customer_id, email: 'couple@example.com' })
    const { id } = await company.call('contacts_create', { customer_id, first_name: 'B' })
    assert.deepEqual((await company.call('contacts_update', { id, email: 'couple@example.com' })).warnings, [
      'another contact of this customer has the same e-mail',
    ])
  })
})

describe('the primary contact', () => {
  it('is the first whatever it says, until another is promoted', async () => {
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

  it('archived gives its place to the oldest that is left, the last to nobody', async () => {
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

  it('is one of fifty that are created at once', async () => {
    const customer_id = await makeCustomer()
    const made = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        company.call('contacts_create', { customer_id, first_name: `Number ${i}`, is_primary: i % 7 === 3 }),
      ),
    )
    assert.equal(made.length, 50)
    assert.equal((await primariesOf(customer_id)).length, 1)
  })

  it('is exactly one after promotions, archivals and creations at once', async () => {
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

describe('list', () => {
  it('has every field that is set, primary first, then oldest first, page by page', async () => {
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

describe('insufficient_scope', () => {
  it('names the scope of customers', async () => {
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
