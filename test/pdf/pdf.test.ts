import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { changeCompany, findCompany } from '../../src/identity/companies/company.ts'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { PdfDocumentKind } from '../../src/pdf/document.ts'
import { createPdf } from '../../src/pdf/pdf.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { readPdf, wordsOf } from '../harness/files/pdf.ts'
import { openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
let spanish: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder & Sons <Plumbing>')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  customer = await office.customer('Dora', {
    last_name: 'Vance',
    contacts: [{ first_name: 'Paul', last_name: 'Ito', phone: '+15125550143' }],
    locations: [{ address_line1: '9 Elm St', city: 'Austin', region: 'TX', postal_code: '78701' }],
  })
  spanish = await office.customer('Marisol', { preferred_language: 'es-MX' })
  await company({
    address: '1 Shop Rd\nAustin, TX',
    website: 'alder.example',
    license_number: 'M-1',
    document_footer: 'Thanks <b>',
  })
})
after(() => service.stop())

async function company(changed: Record<string, string>): Promise<void> {
  const kept = await findCompany(service.database, office.id)
  const typed = Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, String(value ?? '')]))
  await changeCompany(service.database, office.id, { ...typed, ...changed } as Parameters<typeof changeCompany>[2], {
    user: office.owner.user_id,
  })
}

const pdf = (kind: PdfDocumentKind, id: string) =>
  readTenant(service.database, { tenant: office.id }, (db) => createPdf(db, { kind, id }))
const read = async (kind: PdfDocumentKind, id: string) => readPdf((await pdf(kind, id)).content)

/** Asserts that every word of the printed page is in the PDF, at least as often. */
async function requireSaidAlike(kind: PdfDocumentKind, id: string): Promise<string> {
  const page = await office.browser.get(office.at(kind, id, 'print'))
  const $ = load(page.text)
  $('caption').remove()
  const sheet = pageTextOf({ text: $('article').toString() })
  const { text } = await read(kind, id)
  const there = wordsOf(text.toLowerCase())
  for (const [word, times] of wordsOf(sheet.toLowerCase()))
    assert.ok((there.get(word) ?? 0) >= times, `${word} stands ${times} times on the page\n${text}`)
  return text
}

const invoice = (given: object = {}): Promise<Result> =>
  office.call('invoices_create', {
    customer_id: customer.id,
    issue_date: '2026-03-02',
    line_items: [{ name: 'Service', description: 'Two\nlines', quantity: 1.5, unit: 'hour', unit_price_cents: 20_001 }],
    ...given,
  })

describe('a PDF', () => {
  it('contains every word of the printed invoice, quote and work order', async () => {
    const { id } = await invoice({
      subject: 'Boiler',
      po_number: 'PO-7',
      message: 'Thanks',
      discount: { type: 'percent', value: 7.5 },
    })
    const text = await requireSaidAlike('invoices', id)
    for (const part of [
      'Alder & Sons <Plumbing>',
      'License M-1',
      'Amount due',
      'Draft',
      'Paul Ito',
      'Page 1 of 1',
      'Thanks <b>',
    ])
      assert.ok(text.toLowerCase().includes(part.toLowerCase()), part)
    const quote = await office.call('quotes_create', {
      customer_id: customer.id,
      title: 'New boiler',
      terms: 'Half before',
      line_items: [
        { name: 'Boiler', unit_price_cents: 200_000 },
        { kind: 'discount', name: 'Spring', discount_type: 'percent', discount_value: 5 },
      ],
    })
    assert.match(await requireSaidAlike('quotes', quote.id), /I accept this quote and its terms\./)
    const job = await office.call('jobs_create', {
      customer_id: customer.id,
      title: 'Leak',
      description: 'Under the sink',
      instructions: 'They pay late',
      line_items: [{ name: 'Trap', quantity: 2, unit_price_cents: 4_321 }],
    })
    const order = await requireSaidAlike('jobs', job.id)
    assert.match(order, /Signature/)
    assert.match(order, /\(512\) 555-0143/)
    assert.doesNotMatch(order, /pay late|43\.21|\$/)
  })

  it('has the same bytes for the same record, and different ones after a change', async () => {
    const { id } = await invoice()
    const hash = async (): Promise<string> =>
      createHash('sha256')
        .update((await pdf('invoices', id)).content)
        .digest('hex')
    const first = await hash()
    assert.equal(await hash(), first)
    await office.call('invoices_update', { id, message: 'Changed' })
    assert.notEqual(await hash(), first)
  })

  it("uses the customer's language, with dates and money of the company's country", async () => {
    const { id } = await invoice({ customer_id: spanish.id })
    const { text, info } = await read('invoices', id)
    for (const part of ['Factura', 'Facturar a', 'Saldo por pagar', 'Página 1 de 1', '2 mar 2026', '$300.02'])
      assert.ok(text.includes(part), `${part}\n${text}`)
    assert.ok(!text.includes('Amount due'))
    assert.equal(info.get('Language'), 'es-US')
    await requireSaidAlike('invoices', id)
  })

  it('uses Letter in the US and A4 elsewhere, and has a title, an author and tags', async () => {
    const { id, display_number } = await invoice({ subject: 'Boiler' })
    const { pages, info } = await read('invoices', id)
    assert.deepEqual([pages[0]!.width, pages[0]!.height], [612, 792])
    assert.equal(info.get('Title'), `Invoice ${display_number}`)
    assert.equal(info.get('Author'), 'Alder & Sons <Plumbing>')
    for (const role of ['Document', 'H1', 'H2', 'Table', 'TR', 'TH', 'TD', 'P'])
      assert.ok(pages[0]!.roles.includes(role), role)
    await company({ country: 'DE' })
    const there = await read('invoices', id)
    await company({ country: 'US' })
    assert.deepEqual([Math.round(there.pages[0]!.width), Math.round(there.pages[0]!.height)], [595, 842])
  })

  it('continues over several pages, with the column headers on each', async () => {
    const line_items = Array.from({ length: 200 }, (_, i) => ({
      name: `Part ${i + 1} of the boiler`,
      description: i % 3 === 0 ? 'With what belongs to it, and a word about how it is put in. '.repeat(3) : undefined,
      unit_price_cents: 1_000 + i,
    }))
    const { id } = await invoice({ line_items })
    const { pages, text } = await read('invoices', id)
    assert.ok(pages.length > 5)
    for (const [i, page] of pages.slice(0, -1).entries())
      assert.match(page.text, /Description Quantity Price Amount/, `page ${i + 1}`)
    for (const { name } of line_items) assert.ok(text.includes(name), name)
    assert.ok(text.includes(`Page ${pages.length} of ${pages.length}`))
  })

  it('draws control characters, right-to-left text, emoji and a very long word', async () => {
    const endless = 'w'.repeat(2_000)
    const { id } = await invoice({
      subject: 'Pipe שלום 漢字 👩‍🔧 done',
      message: `a\tb\nשלום עולם 20 gal\nمرحبا بالعالم\n${'e\u0301'.repeat(50)}`,
      line_items: [{ name: 'n'.repeat(200), description: endless, unit: 'u'.repeat(20), unit_price_cents: 99_999_999 }],
    })
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update invoices set message = message || ${'\u202e\u200b\u0007 after\ufeff '} || ${'long '.repeat(2_000)}
        where tenant_id = ${office.id} and id = ${id}`),
    )
    const { text, pages } = await read('invoices', id)
    assert.ok(pages.length > 1)
    for (const hidden of ['\u202e', '\u200b', '\u0007', '\ufeff']) assert.ok(!text.includes(hidden))
    for (const part of ['Pipe', 'done', '□', 'gal', 'after', '$999,999.99']) assert.ok(text.includes(part), part)
    assert.equal(text.replaceAll(' ', '').split('w').length - 1 >= endless.length, true)
    assert.equal([...text.matchAll(/\blong\b/g)].length, 2_000)
  })

  it('names a contact without a last name once', async () => {
    const cher = await office.customer('Cher', { contacts: [{ first_name: 'Cher', phone: '+15125550199' }] })
    const line_items = [{ name: 'Pump', unit_price_cents: 1 }]
    const { id } = await office.call('invoices_create', { customer_id: cher.id, line_items })
    assert.equal((await read('invoices', id)).text.split('Cher').length - 1, 1)
  })

  it('shows PAID and VOID, and no signature line on a declined quote', async () => {
    const { id } = await invoice()
    await office.call('invoices_update', { id, status: 'sent' })
    assert.doesNotMatch((await read('invoices', id)).text, /DRAFT|PAID|VOID/)
    await office.call('invoices_update', { id, status: 'paid' })
    assert.match((await read('invoices', id)).text, /PAID/)
    await office.call('invoices_void', { id })
    assert.equal((await read('invoices', id)).text.split('VOID').length - 1, 2)
    const quote = await office.call('quotes_create', {
      customer_id: customer.id,
      title: 'x',
      line_items: [{ name: 'y', unit_price_cents: 1 }],
    })
    await office.call('quotes_update', { id: quote.id, status: 'sent' })
    await office.call('quotes_update', { id: quote.id, status: 'declined' })
    assert.doesNotMatch((await read('quotes', quote.id)).text, /Signature/)
  })
})

describe('the PDF download', () => {
  it('returns the file with its own headers, and only the headers for HEAD', async () => {
    const { id, display_number } = await invoice()
    for (const method of ['GET', 'HEAD']) {
      const got = await office.browser.send(office.at('invoices', id, 'pdf'), { method })
      assert.equal(got.status, 200)
      assert.equal(got.headers.get('content-type'), 'application/pdf')
      assert.equal(got.headers.get('cache-control'), 'private, no-store')
      assert.match(got.headers.get('content-disposition')!, new RegExp(`^attachment; filename="${display_number}.pdf"`))
      assert.equal(got.text.startsWith('%PDF-1.7'), method === 'GET')
    }
    assert.ok(
      (await office.browser.get(office.at('invoices', id))).text.includes(`href="${office.at('invoices', id, 'pdf')}"`),
    )
  })

  it('returns 404 for another record, kind or company, and without access to the record', async () => {
    const { id } = await invoice()
    const other = await openOffice(service, 'Other')
    const clerk = await office.signInMember('office', { Invoices: 'none' })
    for (const [browser, path] of [
      [office.browser, office.at('invoices', newId(), 'pdf')],
      [office.browser, office.at('quotes', id, 'pdf')],
      [office.browser, office.at('customers', customer.id, 'pdf')],
      [other.browser, office.at('invoices', id, 'pdf')],
      [other.browser, other.at('invoices', id, 'pdf')],
      [clerk.browser, office.at('invoices', id, 'pdf')],
    ] as const)
      assert.equal((await browser.get(path)).status, 404, path)
    assert.equal((await office.browser.post(office.at('invoices', id, 'pdf'), {})).status, 405)
  })
})
