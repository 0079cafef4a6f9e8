import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { callerOf, makeCompany, startTestService, type Company, type TestService } from '../harness/harness.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

let service: TestService
let witness: Witness
let company: Company
before(async () => {
  service = await startTestService()
  witness = await openWitness(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

const ana = { customer_type: 'individual', first_name: 'Ana', phone: '512-555-0143', fields: { b: 1, a: 2 } }
const customers = (): Promise<unknown> =>
  witness.value('select count(*)::int from customers where tenant_id = $1', company.tenant)
const audits = (): Promise<unknown> =>
  witness.value(
    "select count(*)::int from audit where tenant_id = $1 and tool = 'customers.create' and record_type = 'customer'",
    company.tenant,
  )
const keys = (): Promise<unknown> =>
  witness.value('select count(*)::int from idempotency_keys where tenant_id = $1', company.tenant)
const age = (key: string, interval: string): Promise<unknown> =>
  witness.rows(
    'update idempotency_keys set created_at = moment() - $3::interval where tenant_id = $1 and key = $2',
    company.tenant,
    key,
    interval,
  )

describe('a repeated idempotency key', () => {
  before(async () => {
    company = await makeCompany(service)
  })

  it('returns the first result byte for byte, whatever the argument order, and writes nothing', async () => {
    const first = await company.owner.send('customers_create', { ...ana, idempotency_key: 'once' })
    assert.equal(first.isError, false)
    const [rows, writes] = [await customers(), await audits()]
    assert.deepEqual(await company.owner.send('customers_create', { ...ana, idempotency_key: 'once' }), first)
    assert.deepEqual(
      await company.owner.send('customers_create', {
        idempotency_key: 'once',
        fields: { a: 2, b: 1 },
        phone: ana.phone,
        first_name: 'Ana',
        customer_type: 'individual',
      }),
      first,
    )
    assert.deepEqual([await customers(), await audits()], [rows, writes])
  })

  it('returns the first result even after the record was changed and archived', async () => {
    const first = await company.call('customers_create', { ...ana, idempotency_key: 'later' })
    await company.call('customers_update', { id: first.id, first_name: 'Other' })
    await company.call('customers_archive', { id: first.id })
    assert.deepEqual(await company.call('customers_create', { ...ana, idempotency_key: 'later' }), first)
  })

  it('returns the first result even when the same create would now be refused', async () => {
    const { id: customer_id } = await company.call('customers_create', ana)
    const line_items = [{ name: 'Labor', quantity: '1', unit_price_cents: 100 }]
    const creates = {
      jobs_create: { customer_id, title: 'Furnace check', idempotency_key: 'job' },
      quotes_create: { customer_id, title: 'Furnace', line_items, idempotency_key: 'quote' },
      invoices_create: { customer_id, line_items, idempotency_key: 'invoice' },
    }
    const first = new Map<string, object>()
    for (const [tool, given] of Object.entries(creates)) first.set(tool, await company.call(tool, given))
    await company.call('jobs_cancel', { id: (first.get('jobs_create') as { id: string }).id })
    await company.call('invoices_void', { id: (first.get('invoices_create') as { id: string }).id, reason: 'Test' })
    await company.call('customers_archive', { id: customer_id })
    for (const [tool, given] of Object.entries(creates)) {
      assert.deepEqual(await company.call(tool, given), first.get(tool))
      const { text } = await company.owner.send(tool, { ...given, idempotency_key: 'another' })
      assert.match(text, /^not_found: customer not found/)
    }
  })

  it('is refused with conflict when the arguments differ, and writes nothing', async () => {
    await company.call('customers_create', { ...ana, idempotency_key: 'taken' })
    const told = "conflict: idempotency_key 'taken' was used with other arguments; send a new key for a new record"
    for (const given of [
      { ...ana, first_name: 'Bob' },
      { ...ana, status: 'active' },
      { customer_type: 'individual', first_name: 'Ana' },
    ]) {
      assert.equal(
        await witness.refused(company.owner, 'customers_create', { ...given, idempotency_key: 'taken' }),
        told,
      )
    }
  })

  it('creates a new record for another tool, credential or tenant', async () => {
    const { id: customer_id } = await company.call('customers_create', { ...ana, idempotency_key: 'shared' })
    const contact = await company.call('contacts_create', { customer_id, first_name: 'Bo', idempotency_key: 'shared' })
    assert.notEqual(contact.id, customer_id)
    const second = await createKey(
      service.database,
      { tenant: company.tenant },
      { user: company.owner.id, name: 'second', scopes: SCOPES, expires_at: null },
    )
    const others = [
      callerOf(service.url, second.key),
      await company.tenantKey(),
      await company.member('office'),
      await makeCompany(service),
    ]
    const ids = await Promise.all(
      others.map(async ({ call }) => (await call('customers_create', { ...ana, idempotency_key: 'shared' })).id),
    )
    assert.equal(new Set([customer_id, ...ids]).size, 5)
  })

  it('can be reused after 24 hours, but not before', async () => {
    const first = await company.call('customers_create', { ...ana, idempotency_key: 'day' })
    await age('day', '23 hours 59 minutes')
    assert.deepEqual(await company.call('customers_create', { ...ana, idempotency_key: 'day' }), first)
    await age('day', '24 hours 1 minute')
    const second = await company.call('customers_create', { ...ana, first_name: 'Other', idempotency_key: 'day' })
    assert.notEqual(second.id, first.id)
    assert.deepEqual(
      await company.call('customers_create', { ...ana, first_name: 'Other', idempotency_key: 'day' }),
      second,
    )
    await age('day', '25 hours')
    const race = await Promise.all(
      Array.from({ length: 10 }, () => company.owner.send('customers_create', { ...ana, idempotency_key: 'day' })),
    )
    assert.equal(new Set(race.map(({ text }) => text)).size, 1)
  })

  it('can be reused after the first call failed on its arguments or on a conflict', async () => {
    await company.call('customers_create', { ...ana, external_id: 'x-1' })
    const before = await keys()
    assert.match(
      await witness.refused(company.owner, 'customers_create', {
        customer_type: 'individual',
        idempotency_key: 'failed',
      }),
      /^invalid_input: first_name or last_name/,
    )
    assert.match(
      await witness.refused(company.owner, 'customers_create', {
        ...ana,
        external_id: 'x-1',
        idempotency_key: 'failed',
      }),
      /^conflict: external_id is another customer's/,
    )
    assert.match(
      await witness.refused(company.owner, 'customers_create', { ...ana, phone: 'x', idempotency_key: 'failed' }),
      /^invalid_input: phone/,
    )
    assert.equal(await keys(), before)
    assert.equal((await company.call('customers_create', { ...ana, idempotency_key: 'failed' })).first_name, 'Ana')
  })

  it("is checked against the caller's current scopes", async () => {
    await company.call('customers_create', { ...ana, idempotency_key: 'rights' })
    await witness.rows(`update credentials set scopes = '{read:customers}' where id = $1`, company.owner.credential)
    assert.equal(
      await company.refusal('customers_create', { ...ana, idempotency_key: 'rights' }),
      'insufficient_scope: customers.create needs write:customers',
    )
    await witness.rows(`update credentials set scopes = $2 where id = $1`, company.owner.credential, SCOPES)
  })
})

describe('concurrent calls with one idempotency key', () => {
  before(async () => {
    company = await makeCompany(service)
  })

  it('create one record and return the same result for all fifty', async () => {
    const all = await Promise.all(
      Array.from({ length: 50 }, () => company.owner.send('customers_create', { ...ana, idempotency_key: 'fifty' })),
    )
    assert.deepEqual([...new Set(all.map(({ isError }) => isError))], [false])
    assert.equal(new Set(all.map(({ text }) => text)).size, 1)
    assert.deepEqual([await customers(), await audits(), await keys()], [1, 1, 1])
  })

  it('accept one of twenty calls with different arguments and refuse the rest with conflict', async () => {
    const before = Number(await customers())
    const all = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        company.owner.send('customers_create', { ...ana, first_name: `Ana ${i}`, idempotency_key: 'mixed' }),
      ),
    )
    assert.equal(all.filter(({ isError }) => !isError).length, 1)
    assert.ok(
      all
        .filter(({ isError }) => isError)
        .every(({ text }) => text.startsWith("conflict: idempotency_key 'mixed' was used with other arguments")),
    )
    assert.equal(await customers(), before + 1)
  })

  it("get the tool's own refusal and leave no key behind if the call fails", async () => {
    const taken = { name: 'Taken' }
    await company.call('tags_create', taken)
    const before = await keys()
    const all = await Promise.all(
      Array.from({ length: 20 }, () => company.owner.send('tags_create', { ...taken, idempotency_key: 'failing' })),
    )
    assert.deepEqual(
      [...new Set(all.map(({ text }) => text))],
      ["conflict: name is another tag's; find that one with tags_list, or choose another"],
    )
    assert.equal(await keys(), before)
  })
})

describe('an invalid idempotency key', () => {
  it('is refused with invalid_input if empty, too long, not text, or sent to a tool that creates nothing', async () => {
    const { owner } = company
    assert.equal(
      await witness.refused(owner, 'customers_create', { ...ana, idempotency_key: ' ' }),
      'invalid_input: idempotency_key must not be empty (got "")',
    )
    assert.match(
      await witness.refused(owner, 'customers_create', { ...ana, idempotency_key: 'x'.repeat(65) }),
      /^invalid_input: idempotency_key must be at most 64 characters/,
    )
    assert.equal(
      await witness.refused(owner, 'customers_create', { ...ana, idempotency_key: 7 }),
      'invalid_input: idempotency_key must be text (got 7)',
    )
    for (const tool of ['customers_search', 'tags_list'])
      assert.match(
        await witness.refused(owner, tool, { idempotency_key: 'x' }),
        /^invalid_input: unknown field 'idempotency_key' \(the fields are /,
      )
  })
})
