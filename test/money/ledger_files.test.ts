import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { parse } from 'csv-parse/sync'
import { postingsBetween, type BookedDocument } from '../../src/money/posting.ts'
import { ledgerFile } from '../../src/web/accounting/files/ledger_files.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

/** Columns of the programs' import templates, in order. */
const TEMPLATES: Readonly<Record<string, string>> = {
  quickbooks: '*JournalNo,*JournalDate,*AccountName,*Debits,*Credits,Description,Name,Currency,Location,Class',
  xero: '*Narration,*Date,Description,*AccountCode,*TaxRate,*Amount,TrackingName1,TrackingOption1,TrackingName2,TrackingOption2',
}

let service: TestService
let office: Office
let dora: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  dora = await office.customer('Dora')
})
after(() => service.stop())

async function issueInvoice(issue_date: string, more: object): Promise<string> {
  const { id } = await office.call('invoices_create', {
    customer_id: dora['id'],
    issue_date,
    due_date: '2026-12-31',
    ...more,
  })
  await office.call('invoices_update', { id, status: 'sent' })
  return id
}

async function batchOf(from: string, to: string, format: string): Promise<{ text: string; takeBack(): Promise<void> }> {
  const made = await office.browser.post(office.at('reports', 'ledger'), { from, to, format })
  assert.equal(made.status, 303)
  const there = office.at('reports', 'ledger', String(++batches))
  const { text } = await office.browser.get(`${there}/file`)
  return { text, takeBack: async () => assert.equal((await office.browser.post(`${there}/take-back`, {})).status, 303) }
}
let batches = 0

describe('journal files', () => {
  before(async () => {
    const boiler = [
      { name: 'Boiler', unit_price_cents: 150_000 },
      { name: 'Permit', unit_price_cents: 12_345, taxable: false },
    ]
    const id = await issueInvoice('2026-01-05', { line_items: boiler, discount: { type: 'amount', value: 5_000 } })
    for (const [amount_cents, paid_on] of [
      ['1000', '2026-01-08'],
      ['23.45', '2026-01-09'],
    ] as const)
      await submit(office.browser, office.at('invoices', id, 'payment'), { amount_cents, paid_on, method: 'check' })
    await withDeposit()
  })

  async function withDeposit(): Promise<void> {
    const line_items = [{ name: 'Drain', unit_price_cents: 20_000 }]
    const quote = await office.call('quotes_create', { customer_id: dora['id'], title: 'Drain', line_items })
    await submit(office.browser, office.at('quotes', quote['id'], 'do', 'quotes_ask_deposit'), {
      'deposit.value': '25',
    })
    await office.call('quotes_update', { id: quote['id'], status: 'accepted' })
    const { rows } = await office.call('invoices_list', { number: 1002 })
    const final = await office.call('invoices_create', { customer_id: dora['id'], from_quote_id: quote['id'] })
    for (const [id, issue_date] of [
      [rows[0].id, '2026-01-12'],
      [final['id'], '2026-01-15'],
    ]) {
      await office.call('invoices_update', { id, issue_date, due_date: '2026-12-31' })
      await office.call('invoices_update', { id, status: 'sent' })
    }
  }

  for (const format of ['csv', 'quickbooks', 'xero'])
    it(`match the expected file: ${format}`, async () => {
      const { text, takeBack } = await batchOf('2026-01-01', '2026-01-31', format)
      await takeBack()
      const path = new URL(`../fixtures/books/ledger-${format}.csv`, import.meta.url)
      assert.equal(text, await readFile(path, 'utf8'))
    })

  for (const [format, columns] of Object.entries(TEMPLATES))
    it(`have the template's columns, with a value in each required one: ${format}`, async () => {
      const { text, takeBack } = await batchOf('2026-01-01', '2026-01-31', format)
      await takeBack()
      const [heads, ...rows] = parse(text) as string[][]
      assert.equal(heads!.join(), columns)
      const wanted = heads!.flatMap((head, at) => (/^\*(?!Debits|Credits)/.test(head) ? [at] : []))
      for (const row of rows)
        assert.ok(
          wanted.every((at) => row[at] !== ''),
          row.join(),
        )
    })

  it("stay within Xero's limit without splitting an entry, and the next batch has the rest", async () => {
    for (let i = 0; i < 101; i++)
      await issueInvoice('2026-02-02', { line_items: [{ name: 'Visit', unit_price_cents: 9_900 }] })
    const days = ['2026-02-01', '2026-02-28', 'xero'] as const
    const files = [await batchOf(...days), await batchOf(...days)].map(
      ({ text }) => parse(text, { columns: true }) as Result[],
    )
    assert.deepEqual(
      files.map((rows) => rows.length),
      [300, 3],
    )
    for (const rows of files)
      for (const [name, lines] of Object.entries(Object.groupBy(rows, (row) => row['*Narration'] as string)))
        assert.equal(
          lines!.reduce((sum, row) => sum + Math.round(Number(row['*Amount']) * 100), 0),
          0,
          name,
        )
  })

  it('label corrections, write-offs and online payments, with the day first for a UK company', () => {
    const invoice = (total_cents: number): BookedDocument => ({
      of: 'invoice',
      total_cents,
      tax_cents: 0,
      deducted_cents: 0,
      is_deposit: false,
    })
    const entry = (source: BookedDocument['of'], before: BookedDocument | null, booking: BookedDocument | null) => ({
      source,
      source_id: '',
      document: 'INV-7',
      day: '2026-03-31',
      is_correction: before !== null,
      booking,
      postings: postingsBetween(before, booking),
    })
    const { columns, rows } = ledgerFile(
      {
        id: '',
        number: 9,
        format: 'quickbooks',
        from: '2026-03-01',
        to: '2026-03-31',
        country: 'GB',
        currency: 'GBP',
        entries: 3,
        debit_cents: 0,
        made_by: null,
        created_at: '',
        taken_back_at: null,
      },
      [
        entry('invoice', invoice(10_000), invoice(7_500)),
        entry('write_off', null, { of: 'write_off', lost_cents: 1 }),
        entry('payment', null, { of: 'payment', amount_cents: 7_499, is_online: true }),
      ],
    )
    assert.equal(columns?.length, 10)
    const line = (
      no: number,
      account: string,
      debit: string | null,
      credit: string | null,
      said: string,
    ): unknown[] => [`CO-9-${no}`, '31/03/2026', account, debit, credit, said, null, 'GBP', null, null]
    assert.deepEqual(
      [...(rows as Iterable<unknown>)],
      [
        line(1, 'Callout receivables', null, '25.00', 'Correction: Invoice INV-7'),
        line(1, 'Sales', '25.00', null, 'Correction: Invoice INV-7'),
        line(2, 'Callout receivables', null, '0.01', 'Write-off of INV-7'),
        line(2, 'Bad debts', '0.01', null, 'Write-off of INV-7'),
        line(3, 'Callout receivables', null, '74.99', 'Payment of INV-7'),
        line(3, 'Callout online payments', '74.99', null, 'Payment of INV-7'),
      ],
    )
  })
})
