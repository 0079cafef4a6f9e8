import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

const ZONE = 'America/Los_Angeles'
const today = Temporal.Now.plainDateISO(ZONE)
const OPEN = ['draft', 'sent', 'partially_paid', 'paid', 'uncollectible'] as const

let service: TestService
let company: Company
let customer: string
before(async () => {
  service = await startTestService()
  company = await makeCompany(service, { timezone: ZONE })
  customer = (
    await company.call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
      locations: [{ address_line1: '1 Elm' }],
    })
  ).id
})
after(() => service.stop())

const make = (given: object = {}): Promise<Result> =>
  company.call('invoices_create', {
    customer_id: customer,
    line_items: [{ name: 'Visit', unit_price_cents: 10000 }],
    ...given,
  })
const update = (id: string, patch: object): Promise<Result> => company.call('invoices_update', { id, ...patch })
const get = (id: string): Promise<Result> => company.call('invoices_get', { id })
const inStatus = async (status: string): Promise<Result> => {
  const made = await make()
  if (status === 'void') return company.call('invoices_void', { id: made.id })
  return status === 'draft' ? made : update(made.id, { status })
}
const pay = (invoice: string, amount: number, kind = 'charge'): Promise<unknown> =>
  writeTenant(service.database, { tenant: company.tenant }, (db) =>
    db.run(
      sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents) values (${db.tenant}, ${newId()}, ${invoice}, ${kind}, ${amount})`,
    ),
  )
const payments = (invoice: string): Promise<[string, number][]> =>
  readTenant(service.database, { tenant: company.tenant }, async (db) =>
    (
      await db.all<{ kind: string; amount_cents: number }>(
        sql`select kind, amount_cents from payments where tenant_id = ${db.tenant} and invoice_id = ${invoice} order by id`,
      )
    ).map(({ kind, amount_cents }) => [kind, amount_cents]),
  )

describe('an invoice status set by update', () => {
  for (const from of OPEN) {
    for (const to of OPEN) {
      it(`changes from ${from} to ${to}`, async () => {
        const { id } = await inStatus(from)
        const after = await update(id, { status: to })
        assert.equal(after.status, to)
        assert.deepEqual([after.balance_due_cents, after.amount_paid_cents], to === 'paid' ? [0, 10000] : [10000, 0])
        assert.equal(after.paid_at !== null, to === 'paid')
        assert.equal(after.sent_at !== null, from === 'sent' || to === 'sent')
        assert.equal(after.voided_at, null)
      })
    }
    it(`can't be void from ${from}`, async () => {
      const { id } = await inStatus(from)
      assert.match(
        await company.refusal('invoices_update', { id, status: 'void' }),
        /^invalid_input: status is set to void with invoices_void/,
      )
      assert.equal(
        await company.refusal('invoices_update', { id, status: 'open' }),
        'invalid_input: status must be one of draft, sent, partially_paid, paid, uncollectible (got "open")',
      )
      assert.equal((await get(id)).status, from)
    })
    it(`can't change on a void invoice that was ${from}`, async () => {
      const { id } = await inStatus(from)
      const { status, balance_due_cents, total_cents, number, voided_at } = await company.call('invoices_void', { id })
      assert.deepEqual(
        [status, balance_due_cents, total_cents, typeof number, typeof voided_at],
        ['void', 0, 10000, 'number', 'string'],
      )
      assert.match(
        await company.refusal('invoices_update', { id, status: from }),
        /^conflict: INV-\d+ is void, which is final/,
      )
    })
  }

  it('is rejected if the status is unknown', async () => {
    const { id } = await make()
    assert.match(
      await company.refusal('invoices_update', { id, status: 'overdue' }),
      /^invalid_input: status must be one of draft, sent, partially_paid, paid/,
    )
  })

  it('changes nothing if it is already set', async () => {
    for (const status of OPEN) {
      const before = await inStatus(status)
      delete before.url
      delete before.warnings
      assert.deepEqual(await update(before.id, { status }), before)
      assert.deepEqual(await update(before.id, {}), before)
    }
  })

  it('sets sent_at the first time only, and paid_at each time', async () => {
    const { id } = await make()
    const first = await update(id, { status: 'sent' })
    await update(id, { status: 'draft' })
    const second = await update(id, { status: 'sent' })
    assert.equal(second.sent_at, first.sent_at)
    const { paid_at } = await update(id, { status: 'paid' })
    assert.equal((await update(id, { status: 'sent' })).paid_at, null)
    assert.ok((await update(id, { status: 'paid' })).paid_at > paid_at)
  })
})

describe('an invoice marked as paid', () => {
  it('gets one manual payment for the balance, which is removed when it leaves paid', async () => {
    const { id } = await inStatus('sent')
    await pay(id, 3000)
    assert.deepEqual([(await get(id)).amount_paid_cents, (await get(id)).balance_due_cents], [3000, 7000])
    const paid = await update(id, { status: 'paid' })
    assert.deepEqual([paid.amount_paid_cents, paid.balance_due_cents], [10000, 0])
    assert.deepEqual(await payments(id), [
      ['charge', 3000],
      ['manual', 7000],
    ])
    await update(id, { status: 'paid' })
    assert.equal((await payments(id)).length, 2)
    const open = await update(id, { status: 'partially_paid' })
    assert.deepEqual([open.amount_paid_cents, open.balance_due_cents], [3000, 7000])
    assert.deepEqual(await payments(id), [['charge', 3000]])
  })

  it('gets no manual payment if nothing is owed', async () => {
    const { id } = await make({ line_items: [] })
    await update(id, { status: 'paid' })
    assert.deepEqual(await payments(id), [])
    const over = await inStatus('sent')
    await pay(over.id, 12000)
    const paid = await update(over.id, { status: 'paid' })
    assert.deepEqual(
      [paid.amount_paid_cents, paid.balance_due_cents, await payments(over.id)],
      [12000, 0, [['charge', 12000]]],
    )
  })

  it('gets a payment for the new total when the same call changes the lines', async () => {
    const { id } = await make()
    const paid = await update(id, { status: 'paid', line_items: [{ name: 'Visit', unit_price_cents: 4000 }] })
    assert.deepEqual([paid.total_cents, paid.amount_paid_cents, paid.balance_due_cents], [4000, 4000, 0])
  })

  it('keeps its payment when voided', async () => {
    const { id } = await inStatus('paid')
    const { amount_paid_cents, balance_due_cents, paid_at } = await company.call('invoices_void', { id })
    assert.deepEqual([amount_paid_cents, balance_due_cents, typeof paid_at], [10000, 0, 'string'])
    assert.deepEqual(await payments(id), [['manual', 10000]])
  })

  it('counts concurrent payments and refunds correctly', async () => {
    const { id } = await inStatus('sent')
    await Promise.all([...Array.from({ length: 12 }, () => pay(id, 500)), pay(id, -200, 'refund')])
    assert.equal((await get(id)).amount_paid_cents, 5800)
  })
})

describe('other invoice fields', () => {
  it('can be changed only in draft, by the status before the call', async () => {
    for (const status of OPEN.filter((status) => status !== 'draft')) {
      const { id, updated_at } = await inStatus(status)
      for (const patch of [
        { subject: 'x' },
        { status: 'draft', due_date: '2099-01-01' },
        { fields: {} },
        { job_ids: [] },
        { line_items: [] },
        { tax_rate_id: null },
      ]) {
        assert.match(
          await company.refusal('invoices_update', { id, ...patch }),
          /^conflict: INV-\d+ is \w+, and \w+ can be changed only in draft/,
        )
      }
      assert.equal((await get(id)).updated_at, updated_at)
      await update(id, { status: 'draft' })
      assert.equal((await update(id, { subject: 'x', status })).status, status)
    }
  })

  it("can't be changed on a void invoice, even by an empty update", async () => {
    const { id } = await inStatus('void')
    for (const patch of [{ subject: 'x' }, { status: 'draft' }, {}])
      assert.match(await company.refusal('invoices_update', { id, ...patch }), /^conflict: /)
  })
})

describe('voiding an invoice', () => {
  it('happens once, keeps the number and hides the invoice from the default list', async () => {
    const { id, number } = await make()
    const first = await company.call('invoices_void', { id, reason: ' Duplicate ' })
    assert.deepEqual([first.number, first.void_reason, first.url], [number, 'Duplicate', undefined])
    const { url: _, ...again } = await company.call('invoices_void', { id, reason: 'Another' })
    assert.deepEqual(again, first)
    assert.equal((await company.call('invoices_list', { number })).rows.length, 0)
    assert.equal((await company.call('invoices_list', { number, status: 'void' })).rows[0].id, id)
    assert.ok((await make()).number > number)
  })
})

describe('is_overdue', () => {
  it('is true for sent and partially paid invoices from the day after due_date in company time', async () => {
    const isOverdue = async (due: Temporal.PlainDate, status: string): Promise<boolean> => {
      const { id } = await make({ issue_date: today.subtract({ days: 40 }).toString(), due_date: due.toString() })
      return (status === 'draft' ? await get(id) : await update(id, { status })).is_overdue
    }
    const yesterday = today.subtract({ days: 1 })
    for (const status of OPEN)
      assert.equal(await isOverdue(yesterday, status), status === 'sent' || status === 'partially_paid', status)
    assert.equal(await isOverdue(today, 'sent'), false)
  })
})

describe('invoice deliveries', () => {
  it('are listed oldest first', async () => {
    const { id } = await make()
    await writeTenant(service.database, { tenant: company.tenant }, (db) =>
      Promise.all([
        db.run(sql`insert into invoice_deliveries (tenant_id, id, invoice_id, channel, provider_id, status, recipient, at, read_at)
        values (${db.tenant}, ${newId()}, ${id}, 'email', 'm2', 'delivered', 'ana@example.com', '2027-01-02T00:00:00Z', '2027-01-02T00:00:00.5Z')`),
        db.run(sql`insert into invoice_deliveries (tenant_id, id, invoice_id, channel, provider_id, status, recipient, error_message, error_code, at)
        values (${db.tenant}, ${newId()}, ${id}, 'sms', 'm1', 'failed', '+15125550143', 'Unreachable', '30003', '2027-01-01T00:00:00Z')`),
      ]),
    )
    assert.deepEqual((await get(id)).deliveries, [
      {
        channel: 'sms',
        status: 'failed',
        to: '+15125550143',
        error_message: 'Unreachable',
        error_code: '30003',
        at: '2027-01-01T00:00:00.000Z',
        read_at: null,
      },
      {
        channel: 'email',
        status: 'delivered',
        to: 'ana@example.com',
        error_message: null,
        error_code: null,
        at: '2027-01-02T00:00:00.000Z',
        read_at: '2027-01-02T00:00:00.500Z',
      },
    ])
  })
})
