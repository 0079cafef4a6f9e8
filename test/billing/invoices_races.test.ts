import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import { addInvoice } from '../../src/records/invoices/index.ts'
import { makeCompany, startTestService, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
before(async () => {
  service = await startTestService()
})
after(() => service.stop())

async function customersOf(count: number) {
  const company = await makeCompany(service)
  const made = await Promise.all(
    Array.from({ length: count }, (_, i) =>
      company.call('customers_create', { customer_type: 'individual', first_name: `C${i}`, status: 'lead' }),
    ),
  )
  return { company, ids: made.map(({ id }): string => id) }
}

const ascending = (a: number, b: number): number => a - b
const read = (text: string): Result => JSON.parse(text) as Result

const visit = { name: 'Visit', unit_price_cents: 100 }

describe('invoice numbers', () => {
  it('have no gap after fifty concurrent creates, some of which fail or roll back', async () => {
    const { company, ids } = await customersOf(5)
    const inputOf = (i: number): object => {
      const customer_id = ids[i % ids.length]
      if (i % 5 === 1) return { customer_id, line_items: [visit], discount: { type: 'amount', value: 101 } }
      if (i % 5 === 3) return { customer_id, line_items: [{ ...visit, tax_rate_id: crypto.randomUUID() }] }
      return { customer_id, line_items: [visit] }
    }
    const rollBackInvoice = (i: number): Promise<unknown> =>
      assert.rejects(
        writeTenant(service.database, { tenant: company.tenant, options: { patient: true } }, async (db) => {
          const { number } = await addInvoice(db, null, { customer_id: ids[i % ids.length]!, lines: [] })
          throw new Error(`dropped ${number}`)
        }),
        /^Error: dropped 10\d\d$/,
      )
    const [answers] = await Promise.all([
      Promise.all(Array.from({ length: 50 }, (_, i) => company.owner.send('invoices_create', inputOf(i)))),
      Promise.all(Array.from({ length: 10 }, (_, i) => rollBackInvoice(i))),
    ])
    const made = answers
      .filter(({ isError }) => !isError)
      .map(({ text }) => read(text))
      .map(({ number }): number => number)
    assert.equal(made.length, 30)
    assert.deepEqual(
      made.toSorted(ascending),
      Array.from({ length: 30 }, (_, i) => 1001 + i),
    )
    assert.deepEqual(
      answers.filter(({ isError }) => isError).filter(({ text }) => !text.startsWith('invalid_input: ')),
      [],
    )
    assert.equal((await company.call('invoices_create', { customer_id: ids[0] })).number, 1031)
  })

  it('are separate for each company', async () => {
    const all = await Promise.all([customersOf(1), customersOf(1), customersOf(1)])
    const made = await Promise.all(
      all.flatMap(({ company, ids: [customer_id] }) =>
        [1, 2, 3].map(() => company.call('invoices_create', { customer_id })),
      ),
    )
    assert.deepEqual(
      made.map(({ number }): number => number).toSorted(ascending),
      [1001, 1001, 1001, 1002, 1002, 1002, 1003, 1003, 1003],
    )
  })
})

describe('an idempotency key', () => {
  it('sent twenty times concurrently creates one invoice and returns it to every caller', async () => {
    const {
      company,
      ids: [customer_id],
    } = await customersOf(1)
    const answers = await Promise.all(
      Array.from({ length: 20 }, () =>
        company.call('invoices_create', { customer_id, line_items: [visit], idempotency_key: 'once' }),
      ),
    )
    assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1)
    assert.equal((await company.call('invoices_list', {})).rows.length, 1)
  })
})

describe('concurrent calls', () => {
  it('that set paid and sent leave a balance that matches the status', async () => {
    const {
      company,
      ids: [customer_id],
    } = await customersOf(1)
    const { id } = await company.call('invoices_create', { customer_id, line_items: [visit] })
    await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        company.call('invoices_update', { id, status: i % 2 === 0 ? 'paid' : 'sent' }),
      ),
    )
    const { status, amount_paid_cents, balance_due_cents } = await company.call('invoices_get', { id })
    assert.deepEqual([amount_paid_cents, balance_due_cents], status === 'paid' ? [100, 0] : [0, 100])
  })

  it('with the same expected_updated_at let one through and return conflict for the rest', async () => {
    const {
      company,
      ids: [customer_id],
    } = await customersOf(1)
    const { id, updated_at } = await company.call('invoices_create', { customer_id })
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        company.owner.send('invoices_update', { id, subject: `s${i}`, expected_updated_at: updated_at }),
      ),
    )
    assert.equal(answers.filter(({ isError }) => !isError).length, 1)
    assert.ok(answers.filter(({ isError }) => isError).every(({ text }) => text.startsWith('conflict: ')))
  })

  it('that accept and convert quotes never fail with a deadlock', async () => {
    const {
      company,
      ids: [customer_id],
    } = await customersOf(1)
    const quotes = await Promise.all(
      Array.from({ length: 8 }, () =>
        company.call('quotes_create', { customer_id, title: 'Pump', line_items: [visit] }),
      ),
    )
    await Promise.all(
      quotes.flatMap(({ id }) => [
        company.call('quotes_update', { id, status: 'accepted' }),
        company.call('invoices_create', { customer_id, from_quote_id: id }),
      ]),
    )
    for (const { id } of quotes) {
      const { status, converted_invoice_id } = await company.call('quotes_get', { id })
      assert.deepEqual([status, typeof converted_invoice_id], ['accepted', 'string'])
    }
  })
})
