import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  const city = await office.call('tax_rates_create', { name: 'City', rate_percentage: 1.5 })
  const dora = await office.customer('Dora', {
    last_name: 'Vance',
    phone: '(512) 555-0143',
    email: 'dora@example.com',
    locations: [
      { address_line1: '9 Elm St', address_line2: 'Unit 2', city: 'Austin', region: 'TX', postal_code: '78701' },
    ],
  })
  const evil = await office.call('customers_create', { customer_type: 'company', company_name: '=cmd|"/c calc"!A1' })
  const boiler = await office.call('catalog_items_create', {
    name: 'Boiler',
    kind: 'product',
    unit_price_cents: 150_000,
  })
  await issueInvoice(dora, '2026-01-15', {
    subject: 'New boiler',
    po_number: 'PO-7',
    discount: { type: 'amount', value: 5_000 },
    line_items: [
      { catalog_item_id: boiler['id'] },
      {
        name: 'Labor',
        description: 'Two people\nhalf a day',
        quantity: 2.5,
        unit: 'hour',
        unit_price_cents: 8_500,
        tax_rate_id: city['id'],
      },
      { name: 'Permit', unit_price_cents: 12_345, taxable: false },
    ],
  })
  await issueInvoice(evil, '2026-01-20', {
    line_items: [{ name: '@SUM(A1)', unit_price_cents: 1_000, tax_rate_id: null }],
  })
  const gone = await issueInvoice(dora, '2026-01-21', { line_items: [{ name: 'Mistake', unit_price_cents: 999 }] })
  await office.call('invoices_void', { id: gone['id'] })
  await withDeposit(dora)
  await pay('INV-1001', {
    amount_cents: '1000',
    method: 'check',
    paid_on: '2026-01-18',
    reference: '1042',
    note: 'Left at the desk',
  })
  await pay('INV-1001', { amount_cents: '50.50', method: 'bank_transfer', paid_on: '2026-01-19' })
  const marked = await findInvoice('INV-1002')
  await office.call('invoices_update', { id: marked['id'], status: 'paid' })
})
after(() => service.stop())

async function issueInvoice(customer: Result, issue_date: string, more: object): Promise<Result> {
  const due = { issue_date, due_date: '2026-02-28' }
  const { id } = await office.call('invoices_create', { customer_id: customer['id'], ...due, ...more })
  return office.call('invoices_update', { id, status: 'sent' })
}

const findInvoice = async (number: string): Promise<Result> => {
  const { rows } = await office.call('invoices_list', { number: Number(number.slice(4)) })
  return rows[0]
}

async function pay(number: string, typed: Record<string, string>): Promise<void> {
  const { id } = await findInvoice(number)
  assert.equal((await submit(office.browser, office.at('invoices', id, 'payment'), typed)).status, 303)
}

async function withDeposit(customer: Result): Promise<void> {
  const given = {
    customer_id: customer['id'],
    title: 'Drain',
    line_items: [{ name: 'Drain', unit_price_cents: 20_000 }],
  }
  const quote = await office.call('quotes_create', given)
  await submit(office.browser, office.at('quotes', quote['id'], 'do', 'quotes_ask_deposit'), { 'deposit.value': '25' })
  await office.call('quotes_update', { id: quote['id'], status: 'accepted' })
  const deposit = await findInvoice('INV-1004')
  const final = await office.call('invoices_create', { customer_id: customer['id'], from_quote_id: quote['id'] })
  for (const [id, issue_date] of [
    [deposit['id'], '2026-01-22'],
    [final['id'], '2026-01-30'],
  ]) {
    await office.call('invoices_update', { id, issue_date, due_date: '2026-02-28' })
    await office.call('invoices_update', { id, status: 'sent' })
  }
}

const days = 'from=2026-01-01&to=2026-01-31'
const fileOf = async (name: string): Promise<string> => {
  const { status, text, headers } = await office.browser.get(
    `${office.at('reports', 'exports', `${name}.csv`)}?${days}`,
  )
  assert.equal(status, 200)
  assert.match(headers.get('content-disposition') ?? '', new RegExp(`attachment; filename="${name}.*\\.csv"`))
  return text
}
const FILES = [
  'invoices',
  'quickbooks-customers',
  'quickbooks-invoices',
  'quickbooks-payments',
  'xero-contacts',
  'xero-invoices',
  'xero-payments',
]

describe('accounting export files', () => {
  for (const name of FILES)
    it(`match the expected file: ${name}`, async () => {
      const path = new URL(`../fixtures/books/${name}.csv`, import.meta.url)
      const text = await fileOf(name)
      assert.equal(text, await readFile(path, 'utf8'))
    })

  it('add up to the total of each invoice', async () => {
    const totals = new Map<string, number>()
    for (const number of ['INV-1001', 'INV-1002', 'INV-1004', 'INV-1005'])
      totals.set(number, (await findInvoice(number))['total_cents'])
    const sums = (text: string, number: string, amount: (row: Result) => number): Map<string, number> => {
      const sum = new Map<string, number>()
      for (const row of parse(text, { columns: true, bom: true }) as Result[])
        sum.set(row[number], (sum.get(row[number]) ?? 0) + amount(row))
      return sum
    }
    const cents = (text: string): number => Math.round(Number(text) * 100)
    assert.deepEqual(
      sums(await fileOf('quickbooks-invoices'), '*InvoiceNo', (row) => cents(row['*ItemAmount'])),
      totals,
    )
    const line = (row: Result): number =>
      Math.round(Number(row['*Quantity']) * cents(row['*UnitAmount'])) + cents(row['TaxAmount'])
    assert.deepEqual(sums(await fileOf('xero-invoices'), '*InvoiceNumber', line), totals)
  })

  it('contain no spreadsheet formulas', async () => {
    for (const name of [...FILES, 'payments']) {
      const cells = (parse(await fileOf(name), { bom: true }) as string[][]).slice(1).flat()
      assert.deepEqual(
        cells.filter((cell) => /^[=+@\t\r]/.test(cell) || /^-(?!\d+(\.\d+)?$)/.test(cell)),
        [],
        name,
      )
    }
  })

  it('contain every payment, even when read in several batches', async () => {
    const { id } = await office.call('invoices_create', {
      customer_id: (await office.call('customers_search', { query: 'Dora' }))['rows'][0].id,
      line_items: [{ name: 'x', unit_price_cents: 100_000 }],
      tax_rate_id: null,
    })
    for (let i = 1; i <= 3; i++)
      await submit(office.browser, office.at('invoices', id, 'payment'), {
        amount_cents: String(i),
        paid_on: '2025-05-05',
      })
    const { text } = await office.browser.get(`${office.at('payments.csv')}?from=2025-05-01&to=2025-05-31`)
    assert.deepEqual((parse(text, { columns: true, bom: true }) as Result[]).map((row) => row['Amount']).sort(), [
      '1.00',
      '2.00',
      '3.00',
    ])
  })

  it('require access to invoices, and to customers for customer files and details', async () => {
    assert.match(
      pageTextOf(await office.browser.get(office.at('reports', 'exports'))),
      /For QuickBooks Online Customers Invoices Payments/,
    )
    const blind = await office.signInMember('office', { 'Customers & contacts': 'none' })
    assert.doesNotMatch(pageTextOf(await blind.browser.get(office.at('reports', 'exports'))), /Contacts/)
    assert.equal((await blind.browser.get(office.at('reports', 'exports', 'xero-contacts.csv'))).status, 404)
    const seen = await blind.browser.get(`${office.at('reports', 'exports', 'xero-invoices.csv')}?${days}`)
    assert.ok(
      seen.text.includes('INV-1001') && !seen.text.includes('dora@example.com') && !seen.text.includes('9 Elm St'),
    )
    const tech = await office.signInMember('tech')
    for (const name of ['invoices', 'nothing', 'constructor'])
      assert.equal((await tech.browser.get(office.at('reports', 'exports', `${name}.csv`))).status, 404)
    for (const name of ['nothing', 'constructor'])
      assert.equal((await office.browser.get(office.at('reports', 'exports', `${name}.csv`))).status, 404)
  })
})
