import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { insertSelected, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { readPdf } from '../harness/files/pdf.ts'
import { openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite, type Browser, type BrowserResponse } from '../harness/web_client.ts'

let service: TestService
let office: Office
let dora: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  dora = await office.customer('Dora', {
    preferred_language: 'es-MX',
    locations: [{ address_line1: '9 Elm St', city: 'Austin', region: 'TX', postal_code: '78701' }],
  })
  await issueInvoice('2025-12-01', 30_000)
  const second = await issueInvoice('2026-01-10', 10_000)
  await submit(office.browser, office.at('invoices', second, 'payment'), {
    amount_cents: '60',
    method: 'check',
    reference: '1042',
    paid_on: '2026-01-12',
  })
  await issueInvoice('2026-02-01', 7_000)
})
after(() => service.stop())

async function issueInvoice(issue_date: string, unit_price_cents: number, customer = dora): Promise<string> {
  const { id } = await office.call('invoices_create', {
    customer_id: customer['id'],
    issue_date,
    due_date: issue_date,
    line_items: [{ name: 'Repair', unit_price_cents }],
  })
  await office.call('invoices_update', { id, status: 'sent' })
  return id
}

const days = '?from=2026-01-01&to=2026-01-31'
const at = (of = dora, query = days, file = 'statement'): string => `${office.at('customers', of['id'], file)}${query}`
const rowsOf = ({ text }: BrowserResponse, table: number): string[] => {
  const $ = load(text)
  return $('.report table')
    .eq(table)
    .find('tr')
    .toArray()
    .map((row) =>
      $(row)
        .find('th, td')
        .toArray()
        .map((cell) => $(cell).text().replace(/\s+/g, ' ').trim())
        .join(' | ')
        .replace(/ +/g, ' '),
    )
}

async function pdfOf(browser: Browser, path: string) {
  const cookie = [...browser.jar].map(([name, value]) => `${name}=${value}`).join('; ')
  const response = await fetch(new URL(path, service.config.baseUrl), { headers: { cookie } })
  assert.equal(response.status, 200)
  return { headers: response.headers, ...(await readPdf(new Uint8Array(await response.arrayBuffer()))) }
}

describe('a customer statement', () => {
  it('is linked from the customer, and lists the opening balance and each entry with its balance', async () => {
    const customer = await office.browser.get(office.at('customers', dora['id']))
    assert.equal(load(customer.text)(`a[href="${at(dora, '')}"]`).text(), 'Statement')
    const page = await office.browser.get(at())
    assert.equal(page.status, 200)
    assert.deepEqual(rowsOf(page, 0), [
      'Entry | Date | Amount | Balance',
      'Balance before | Jan 1, 2026 | | $300.00',
      'Invoice INV-1002 due Jan 10, 2026 | Jan 10, 2026 | $100.00 | $400.00',
      'Payment on INV-1002 Check · 1042 | Jan 12, 2026 | -$60.00 | $340.00',
      'Balance on Jan 31, 2026 | | | $340.00',
    ])
  })

  it('lists the open invoices by age', async () => {
    const page = await office.browser.get(at())
    assert.deepEqual(rowsOf(page, 1), [
      'Age | Amount',
      'Not due | –',
      '1–30 days | $40.00',
      '31–60 days | –',
      '61–90 days | $300.00',
      'Over 90 days | –',
      'Balance on Jan 31, 2026 | $340.00',
    ])
    assert.deepEqual(rowsOf(page, 2), [
      'Invoice | Due | Days late | Balance due',
      'INV-1001 | Dec 1, 2025 | 61 | $300.00',
      'INV-1002 | Jan 10, 2026 | 21 | $40.00',
      'Total | | | $340.00',
    ])
  })

  it("can be downloaded as a PDF in the customer's language", async () => {
    const { headers, text, info } = await pdfOf(office.browser, at(dora, days, 'statement.pdf'))
    assert.equal(headers.get('content-type'), 'application/pdf')
    assert.match(headers.get('content-disposition') ?? '', /statement-2026-01-31\.pdf/)
    assert.match(String(info.get('Title')), /^Estado de cuenta /)
    for (const words of [
      /Saldo anterior/,
      /Factura INV-1002/,
      /Pago de INV-1002/,
      /Cheque · 1042/,
      /340[.,]00/,
      /9 Elm St/,
    ])
      assert.match(text, words)
    const head = await office.browser.send(at(dora, days, 'statement.pdf'), { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
  })

  it('lists voided and written-off invoices as entries on their date', async () => {
    const eve = await office.customer('Eve')
    const [mistake, lost] = [await issueInvoice('2026-01-05', 1_000, eve), await issueInvoice('2026-01-06', 2_000, eve)]
    await office.call('invoices_void', { id: mistake })
    await office.call('invoices_update', { id: lost, status: 'uncollectible' })
    const tomorrow = Temporal.Now.plainDateISO().add({ days: 1 })
    const page = await office.browser.get(at(eve, `?from=2026-01-01&to=${tomorrow.toString()}`))
    const lines = rowsOf(page, 0).map((row) => row.replace(/ \| [A-Z][a-z]+ \d+, \d+ /, ' | day '))
    assert.equal(lines.length, 7)
    assert.ok(
      lines.some((line) => /^Invoice INV-\d+ voided \| day \| -\$10\.00 \|/.test(line)),
      lines.join('\n'),
    )
    assert.ok(
      lines.some((line) => /^Invoice INV-\d+ written off \| day \| -\$20\.00 \|/.test(line)),
      lines.join('\n'),
    )
    assert.match(lines.at(-1) ?? '', /\$0\.00$/)
    assert.match(pageTextOf(page), /No unpaid invoices/)
  })

  it('returns 404 without access to customers and invoices, and to other companies', async () => {
    for (const areas of [{ Invoices: 'none' }, { 'Customers & contacts': 'none' }] as const) {
      const blind = await office.signInMember('office', areas)
      for (const file of ['statement', 'statement.pdf'])
        assert.equal((await blind.browser.get(at(dora, days, file))).status, 404, JSON.stringify(areas))
    }
    const unbilled = await office.signInMember('office', { Invoices: 'none' })
    const customer = await unbilled.browser.get(office.at('customers', dora['id']))
    assert.equal(customer.status, 200)
    assert.equal(load(customer.text)(`a[href="${at(dora, '')}"]`).length, 0)
    const other = await openOffice(service, 'Birch Heating')
    const foreign = other.at('customers', dora['id'], 'statement')
    for (const file of [foreign, `${foreign}.pdf`]) assert.equal((await other.browser.get(file)).status, 404)
    assert.equal((await other.browser.get(at())).status, 404)
    for (const file of ['statement', 'statement.pdf'])
      assert.equal((await office.browser.get(at({ id: newId() }, days, file))).status, 404)
  })

  it('rejects invalid date ranges and other methods', async () => {
    for (const file of ['statement', 'statement.pdf'])
      for (const query of [
        '?from=2026-02-30&to=2026-03-01',
        '?from=2026-03-02&to=2026-03-01',
        '?from=1990-01-01&to=2026-01-01',
      ]) {
        const page = await office.browser.get(at(dora, query, file))
        assert.equal(page.status, 422)
        assert.match(pageTextOf(page), /These dates can't be shown/)
      }
    assert.equal((await office.browser.post(at(dora, days, 'statement.pdf'), {})).status, 405)
  })

  it('lists at most 500 entries and summarizes the earlier ones', async () => {
    const flo = await office.customer('Flo')
    const invoice = await issueInvoice('2026-01-02', 100_000, flo)
    await writeTenant(service.database, { tenant: office.id, options: { patient: true } }, (db) =>
      db.run(
        insertSelected(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents, paid_on)
        select ${office.id}::uuid, gen_random_uuid(), ${invoice}::uuid, 'charge', 100, '2026-01-03'
        from generate_series(1, 502)`),
      ),
    )
    const page = await office.browser.get(at(flo))
    const lines = rowsOf(page, 0)
    assert.equal(lines.length, 1 + 1 + 1 + 500 + 1)
    assert.equal(lines[2], '3 earlier entries, not listed | | $998.00 | $998.00')
    assert.equal(lines.at(-2), 'Payment on INV-1006 Online payment | Jan 3, 2026 | -$1.00 | $498.00')
    assert.equal(lines.at(-1), 'Balance on Jan 31, 2026 | | | $498.00')
    const { text } = await pdfOf(office.browser, at(flo, days, 'statement.pdf'))
    assert.match(text, /3 earlier entries, not listed \$998\.00 \$998\.00/)
  })

  it('lists at most 200 open invoices and counts the others', async () => {
    const gus = await office.customer('Gus')
    const invoice = await issueInvoice('2026-01-02', 1_000, gus)
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(
        insertSelected(sql`insert into invoices (tenant_id, id, number, number_prefix, customer_id, status, issue_date,
          due_date, line_items, tax_rate_chosen, tax_exempt, taxes, fields, currency, subtotal_cents, discount_cents,
          taxable_cents, tax_cents, total_cents)
        select tenant_id, gen_random_uuid(), 9000 + n, number_prefix, customer_id, status, issue_date, due_date,
          line_items, tax_rate_chosen, tax_exempt, taxes, fields, currency, subtotal_cents, discount_cents,
          taxable_cents, tax_cents, total_cents
        from invoices cross join generate_series(1, 202) as n
        where tenant_id = ${office.id} and id = ${invoice}`),
      ),
    )
    const page = await office.browser.get(at(gus))
    assert.equal(rowsOf(page, 2).length, 1 + 200 + 1)
    assert.equal(rowsOf(page, 2).at(-1), 'Total | | | $2,030.00')
    assert.match(pageTextOf(page), /3 more invoices, not listed/)
    const { text } = await pdfOf(office.browser, at(gus, days, 'statement.pdf'))
    assert.match(text, /3 more invoices, not listed/)
  })
})
