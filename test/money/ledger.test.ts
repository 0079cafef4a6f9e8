import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../harness/web_client.ts'

let service: TestService
let office: Office
let first: string
let dora: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 10, is_default: true })
  dora = await office.customer('Dora')
  first = await issueInvoice('2026-01-10', 10_000)
  await submit(office.browser, office.at('invoices', first, 'payment'), {
    amount_cents: '60',
    method: 'check',
    paid_on: '2026-01-12',
  })
  await issueInvoice('2026-02-01', 7_000)
})
after(() => service.stop())

async function issueInvoice(issue_date: string, unit_price_cents: number): Promise<string> {
  const { id } = await office.call('invoices_create', {
    customer_id: dora['id'],
    issue_date,
    due_date: '2026-03-31',
    line_items: [{ name: 'Repair', unit_price_cents }],
  })
  await office.call('invoices_update', { id, status: 'sent' })
  return id
}

const days = 'from=2026-01-01&to=2026-01-31'
const page = (): Promise<BrowserResponse> => office.browser.get(`${office.at('reports', 'ledger')}?${days}`)
const make = (format = 'csv', browser = office.browser): Promise<BrowserResponse> =>
  browser.post(office.at('reports', 'ledger'), { from: '2026-01-01', to: '2026-01-31', format })
const fileOf = (number: number): Promise<BrowserResponse> =>
  office.browser.get(office.at('reports', 'ledger', String(number), 'file'))
const linesOf = ({ text }: BrowserResponse): Result[] => parse(text, { columns: true, bom: true })
const sums = (rows: readonly Result[]): Record<string, number> => {
  const sum: Record<string, number> = {}
  for (const { Account, Debit, Credit } of rows)
    sum[Account] = (sum[Account] ?? 0) + Math.round(Number(Debit) * 100) - Math.round(Number(Credit) * 100)
  return sum
}

describe('journal entries', () => {
  it('are exported once, in a batch whose file never changes', async () => {
    assert.match(pageTextOf(await page()), /For the next batch 2 entries/)
    assert.equal((await make()).status, 303)
    const file = await fileOf(1)
    assert.deepEqual(sums(linesOf(file)), {
      'Callout receivables': 5_000,
      Sales: -10_000,
      'Callout sales tax': -1_000,
      'Undeposited Funds': 6_000,
    })
    assert.match(pageTextOf(await page()), /Your books have everything from these days/)
    const again = await make()
    assert.equal(again.status, 409)
    assert.match(
      pageTextOf(again),
      /There is nothing new to export for these days, and nothing you already exported has changed\. /,
    )
    await office.call('customers_update', { id: dora['id'], first_name: 'Theodora' })
    assert.equal((await fileOf(1)).text, file.text)
  })

  it('include corrections for later changes, so that all batches add up to the ledger', async () => {
    const before = (await fileOf(1)).text
    const mistake = await issueInvoice('2026-01-20', 2_000)
    await make('quickbooks')
    await office.call('invoices_void', { id: mistake })
    await office.call('invoices_update', { id: first, status: 'uncollectible' })
    assert.match(pageTextOf(await page()), /2 entries, one of them a correction/)
    await make()
    assert.deepEqual(sums(linesOf(await fileOf(3))), {
      'Callout receivables': -2_200 - 5_000,
      Sales: 2_000,
      'Callout sales tax': 200,
      'Bad debts': 5_000,
    })
    assert.match((await fileOf(3)).text, /Correction: Invoice INV-1003/)
    assert.equal((await fileOf(1)).text, before)
  })

  it('can be undone by owners, newest batch first, and are exported again', async () => {
    const back = (number: number): string => office.at('reports', 'ledger', String(number), 'take-back')
    const taken = (await fileOf(3)).text
    const early = await office.browser.post(back(1), {})
    assert.equal(early.status, 409)
    assert.match(pageTextOf(early), /Undo batch 3 first\. It is the newest one\./)
    const clerk = await office.signInMember('office')
    assert.equal((await clerk.browser.post(back(3), {})).status, 404)
    assert.match(pageTextOf(await office.browser.get(back(3))), /Undo batch 3\?/)
    assert.equal((await office.browser.post(back(3), {})).status, 303)
    assert.match(pageTextOf(await page()), /Undone/)
    assert.equal((await fileOf(3)).text, taken)
    await make()
    assert.deepEqual(sums(linesOf(await fileOf(4))), sums(parse(taken, { columns: true, bom: true })))
  })

  it('balance in the Xero format, and have debits and credits in the QuickBooks format', async () => {
    await issueInvoice('2026-01-25', 3_333)
    await make('xero')
    const xero = linesOf(await fileOf(5))
    assert.equal(
      xero.reduce((sum, row) => sum + Math.round(Number(row['*Amount']) * 100), 0),
      0,
    )
    assert.deepEqual(
      xero.map((row) => row['*AccountCode']),
      ['C-RECV', '200', 'C-TAX'],
    )
    const quickbooks = linesOf(await fileOf(2))
    assert.deepEqual(
      quickbooks.map((row) => [row['*JournalDate'], row['*Debits'], row['*Credits']]),
      [
        ['01/20/2026', '22.00', ''],
        ['01/20/2026', '', '20.00'],
        ['01/20/2026', '', '2.00'],
      ],
    )
  })

  it('book a deposit as a liability until an invoice deducts it', async () => {
    const line_items = [{ name: 'Drain', unit_price_cents: 20_000, taxable: false }]
    const quote = await office.call('quotes_create', { customer_id: dora['id'], title: 'Drain', line_items })
    await submit(office.browser, office.at('quotes', quote['id'], 'do', 'quotes_ask_deposit'), {
      'deposit.value': '25',
    })
    await office.call('quotes_update', { id: quote['id'], status: 'accepted' })
    const { rows } = await office.call('invoices_list', { number: 1005 })
    const final = await office.call('invoices_create', { customer_id: dora['id'], from_quote_id: quote['id'] })
    const batchOf = async (id: string, issue_date: string): Promise<Record<string, number>> => {
      await office.call('invoices_update', { id, issue_date, due_date: '2026-12-31' })
      await office.call('invoices_update', { id, status: 'sent' })
      const span = { from: issue_date, to: issue_date, format: 'csv' }
      const made = await office.browser.post(office.at('reports', 'ledger'), span)
      assert.equal(made.status, 303)
      return sums(linesOf(await fileOf(issue_date === '2026-05-01' ? 6 : 7)))
    }
    const deposit = await batchOf(rows[0].id, '2026-05-01')
    assert.deepEqual(deposit, { 'Callout receivables': 5_000, 'Customer deposits': -5_000 })
    const rest = await batchOf(final['id'], '2026-05-02')
    assert.deepEqual(rest, { 'Callout receivables': 15_000, Sales: -20_000, 'Customer deposits': 5_000 })
  })

  it('require view access for files, write access for new batches, and a known format', async () => {
    const odd = await make('sage')
    assert.equal(odd.status, 422)
    assert.match(pageTextOf(odd), /No batch was created Choose which program the file is for\. /)
    const reader = await office.signInMember('office', { Invoices: 'view' })
    assert.equal((await reader.browser.get(office.at('reports', 'ledger', '1', 'file'))).status, 200)
    assert.equal((await make('csv', reader.browser)).status, 404)
    const tech = await office.signInMember('tech')
    for (const steps of [[], ['1', 'file'], ['1', 'take-back']])
      assert.equal((await tech.browser.get(office.at('reports', 'ledger', ...steps))).status, 404)
    assert.equal((await fileOf(99)).status, 404)
  })
})
