import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { book, type Receipt } from '../../../src/records/invoices/index.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import {
  errorAt,
  formAt,
  openOffice,
  said,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { startSite, visitor } from '../../harness/visiting.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  await office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true })
  customer = await office.customer('Dora', {
    last_name: 'Vance',
    phone: '(512) 555-0143',
    locations: [{ address_line1: '9 Elm St', city: 'Austin', region: 'TX' }],
  })
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'
const LINES = [
  { name: 'Boiler service', unit_price_cents: 15_000 },
  { name: 'Labor', kind: 'labor', quantity: 2.5, unit: 'hour', unit_price_cents: 8_500 },
]

const invoiceOf = (more: object = {}): Promise<Result> =>
  office.call('invoices_create', { customer_id: customer.id, line_items: LINES, ...more })
const quoteOf = (more: object = {}): Promise<Result> =>
  office.call('quotes_create', { customer_id: customer.id, title: 'New boiler', line_items: LINES, ...more })
const last = (location: string | null): string => location!.split('/').at(-1)!
const line = (row: number, parts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([part, value]) => [`line_items.${row}.${part}`, value]))
const pay = (receipt: Receipt): Promise<unknown> =>
  writeTenant(service.database, { tenant: office.id }, (db) => book(db, receipt))

describe('an invoice', () => {
  it('shows all that an agent wrote: lines, discounts, tax, dates, words, and where it came from', async () => {
    const job = await office.call('jobs_create', { customer_id: customer.id, title: 'Boiler visit' })
    const invoice = await invoiceOf({
      subject: `Boiler ${HOSTILE}`,
      po_number: 'PO-7',
      message: 'Thanks\nagain',
      internal_memo: `Watch ${HOSTILE}`,
      discount: { type: 'percent', value: 10 },
      job_ids: [job.id],
      fields: { Site: 'North' },
    })
    const page = await office.browser.get(new URL(invoice.url).pathname)
    assert.equal(page.status, 200)
    assert.ok(!page.text.includes('<script>alert'))
    const read = said(page)
    for (const part of [
      'INV-1001',
      `Boiler ${HOSTILE}`,
      'Draft',
      'Dora Vance',
      '9 Elm St',
      '(512) 555-0143',
      '2.5 hour',
      '$212.50',
      'Subtotal $362.50',
      'Discount -$36.25',
      'Sales tax 8.25% on $326.25 $26.92',
      'Total $353.17',
      'PO-7',
      'Thanks again',
      `Watch ${HOSTILE}`,
      'Site North',
      `${job.display_number} Boiler visit`,
      'with the key Agent',
    ])
      assert.ok(read.includes(part), part)
  })

  it('shows what was paid and disputed, and how it was delivered', async () => {
    const { id } = await invoiceOf()
    await office.call('invoices_update', { id, status: 'sent' })
    const money = { invoice: id, currency: 'USD', isAssigned: false, names: ['ch_1'] as const }
    await pay({ ...money, source: newId(), kind: 'charge', amount_cents: 10_000 })
    await pay({
      ...money,
      source: newId(),
      kind: 'dispute_opened',
      dispute: 'dp_1',
      disputed_cents: 10_000,
      reason: 'product_not_received',
    })
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`insert into invoice_deliveries (tenant_id, id, invoice_id, channel, recipient, status, error_message, error_code)
      values (${office.id}, ${newId()}, ${id}, 'sms', '+15125550143', 'failed', 'Carrier said no', '30006')`),
    )
    const read = said(await office.browser.get(office.at('invoices', id)))
    for (const part of [
      'Partly paid',
      'This invoice is disputed',
      'Online payment ch_1 $100.00',
      'dp_1 Product not received',
      'Paid -$100.00',
      'Balance due $292.41',
      'Text (512) 555-0143 Failed Carrier said no 30006',
    ])
      assert.ok(read.includes(part), part)
    assert.ok(
      said(await office.browser.get(`${office.at('invoices')}?status=partially_paid`)).includes('Partly paid Disputed'),
    )
  })

  it('is overdue in the list and on its page, and is found by number, status and dates', async () => {
    const late = await invoiceOf({ issue_date: '2026-01-02', due_date: '2026-01-16' })
    await office.call('invoices_update', { id: late.id, status: 'sent' })
    const numbers = async (query: string): Promise<string[]> =>
      [...(await office.browser.get(`${office.at('invoices')}?${query}`)).text.matchAll(/>(INV-\d+)<\/a>/g)].map(
        ([, number]) => number!,
      )
    assert.deepEqual(await numbers('overdue=yes'), [late.display_number])
    assert.deepEqual(await numbers(`number=${late.display_number}`), [late.display_number])
    assert.deepEqual(await numbers(`number=${late.number}&status=draft`), [])
    assert.deepEqual(await numbers('issued_to=2026-01-31&due_from=2026-01-10'), [late.display_number])
    assert.ok(said(await office.browser.get(office.at('invoices', late.id))).includes('Sent Overdue'))
    const { status, text } = await office.browser.get(`${office.at('invoices')}?number=first`)
    assert.equal(status, 422)
    assert.match(text, /<p>Enter a number, such as 1002 or INV-1002\.<\/p>/)
  })

  it('is made with a form: an item of the catalog by its name, lines of its own, a discount, a rate', async () => {
    const item = await office.call('catalog_items_create', {
      kind: 'service',
      name: 'Flue check',
      unit_price_cents: 4_900,
    })
    const page = `${office.at('invoices', 'new')}?customer_id=${customer.id}`
    assert.ok(said(await office.browser.get(page)).includes('For Dora Vance'))
    const { status, location } = await submit(
      office.browser,
      page,
      {
        subject: 'Winter check',
        ...line(0, { name: 'flue CHECK' }),
        ...line(1, { name: 'Sealant', quantity: '2', price: '3.25', tax: 'no' }),
        ...line(2, { name: 'Friends', percent: '10' }),
        'discount.value': '1.00',
        'discount.type': 'amount',
      },
      office.at('invoices', 'new'),
    )
    assert.equal(status, 303)
    const made = await office.call('invoices_get', { id: last(location) })
    assert.deepEqual(
      made.line_items.map(({ name, catalog_item_id, line_total_cents }: Result) => [
        name,
        catalog_item_id,
        line_total_cents,
      ]),
      [
        ['flue CHECK', item.id, 4_900],
        ['Sealant', null, 650],
        ['Friends', null, -555],
      ],
    )
    assert.deepEqual(
      [made.discount, made.subject, made.subtotal_cents, made.discount_cents],
      [{ type: 'amount', value: 100 }, 'Winter check', 5_550, 655],
    )
  })

  it("that can't be read is shown again with what was typed and what is wrong", async () => {
    const page = await submit(
      office.browser,
      `${office.at('invoices', 'new')}?customer_id=${customer.id}`,
      {
        ...line(0, { name: 'Pump', price: 'a lot' }),
        'discount.value': '101',
        issue_date: '2026-05-02',
        due_date: '2026-05-01',
      },
      office.at('invoices', 'new'),
    )
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'line_items')!, /^Lines 1, price: Enter an amount, such as 125\.00\.$/)
    assert.equal(Object.fromEntries(formAt(page, office.at('invoices', 'new')))['line_items.0.price'], 'a lot')
    const again = await submit(
      office.browser,
      `${office.at('invoices', 'new')}?customer_id=${customer.id}`,
      { ...line(0, { name: 'Pump', price: '10' }), 'discount.value': '101' },
      office.at('invoices', 'new'),
    )
    assert.match(errorAt(again, 'discount.value') ?? errorAt(again, 'discount')!, /100/)
  })

  it('out of draft has a form of its status alone, which says why', async () => {
    const { id } = await invoiceOf({ subject: 'Fixed' })
    await office.call('invoices_update', { id, status: 'sent' })
    const page = await office.browser.get(office.at('invoices', id, 'edit'))
    assert.match(said(page), /The customer has seen it \(Sent\)\. Put it back to draft/)
    assert.doesNotMatch(page.text, /class="further"/, 'what is left is in sight')
    const fields = formAt(page, office.at('invoices', id, 'edit'))
    assert.deepEqual(
      fields.map(([name]) => name).filter((name) => !['expected_updated_at', 'customer_id'].includes(name)),
      ['status'],
    )
    await sendForm(office.browser, office.at('invoices', id, 'edit'), [
      ...fields.filter(([name]) => name !== 'status'),
      ['status', 'uncollectible'],
      ['subject', 'Sneaked in'],
    ])
    const after = await office.call('invoices_get', { id })
    assert.deepEqual([after.status, after.subject], ['uncollectible', 'Fixed'])
  })

  it('moves by actions: sent, not paid after all, void with a reason; a void one stays', async () => {
    const { id } = await invoiceOf()
    const press = (action: string, fields = {}) => office.browser.post(office.at('invoices', id, 'do', action), fields)
    const now = async () => {
      const { status, balance_due_cents } = await office.call('invoices_get', { id })
      return [status, balance_due_cents]
    }
    await press('invoices_update-sent')
    assert.deepEqual(await now(), ['sent', 39_241])
    assert.equal((await press('invoices_update-paid')).status, 404)
    await office.call('invoices_update', { id, status: 'paid' })
    assert.deepEqual(await now(), ['paid', 0])
    assert.ok(said(await office.browser.get(office.at('invoices', id))).includes('Marked as paid $392.41'))
    await press('invoices_update-sent')
    assert.deepEqual(await now(), ['sent', 39_241])
    assert.match(said(await office.browser.get(office.at('invoices', id, 'do', 'invoices_void'))), /keeps its number/)
    const { location } = await press('invoices_void', { reason: 'Made twice' })
    assert.equal(location, office.at('invoices', id))
    assert.deepEqual(await now(), ['void', 0])
    assert.ok(said(await office.browser.get(location)).includes('Made twice'))
    assert.deepEqual(
      [
        (await press('invoices_update-draft')).status,
        (await office.browser.get(office.at('invoices', id, 'edit'))).status,
      ],
      [404, 404],
    )
  })

  it('that was sent while its form was open is not saved, and what was typed is shown beside what is', async () => {
    const { id } = await invoiceOf({ subject: 'Before' })
    const action = office.at('invoices', id, 'edit')
    const typed = formAt(await office.browser.get(action), action).map(([name, value]): [string, string] => [
      name,
      name === 'subject' ? 'Typed' : value,
    ])
    await office.call('invoices_update', { id, subject: 'By the agent' })
    await office.call('invoices_update', { id, status: 'sent' })
    const page = await sendForm(office.browser, action, typed)
    assert.equal(page.status, 409)
    assert.match(said(page), /where they are still possible.*Subject By the agent Typed/)
    assert.equal((await office.call('invoices_get', { id })).subject, 'By the agent')
  })

  it('that was voided while its form was open says so, and shows what was typed', async () => {
    const { id } = await invoiceOf({ subject: 'Before' })
    const action = office.at('invoices', id, 'edit')
    const typed = formAt(await office.browser.get(action), action).map(([name, value]): [string, string] => [
      name,
      name === 'subject' ? 'Typed' : value,
    ])
    await office.call('invoices_void', { id })
    const page = await sendForm(office.browser, action, typed)
    assert.equal(page.status, 409)
    assert.match(said(page), /can no longer change this .*Subject Before Typed/)
  })
})

describe('from a quote to the money', () => {
  it("each step is one click: the quote's job, the job's invoice, which comes to what was agreed", async () => {
    const rate = await office.call('tax_rates_create', { name: 'County', rate_percentage: 6.5 })
    const item = await office.call('catalog_items_create', { kind: 'product', name: 'Valve', unit_price_cents: 8_735 })
    const quote = await quoteOf({
      line_items: [
        { catalog_item_id: item.id, quantity: 3 },
        { name: 'Work', unit_price_cents: 20_000, taxable: false },
        { kind: 'discount', name: 'Neighbor', discount_type: 'percent', discount_value: 15 },
      ],
      discount: { type: 'percent', value: 2 },
      tax_rate_id: rate.id,
    })
    await office.call('catalog_items_archive', { id: item.id })
    const at = office.at('quotes', quote.id)
    await office.browser.post(`${at}/do/quotes_update-accepted`, {})
    const key = Object.fromEntries(formAt(await office.browser.get(at), `${at}/do/jobs_create`))
    const made = await office.browser.post(`${at}/do/jobs_create`, key)
    assert.equal((await office.browser.post(`${at}/do/jobs_create`, key)).location, made.location)
    assert.equal(made.location, office.at('jobs', last(made.location)))
    const job = last(made.location)
    assert.match(said(await office.browser.get(at)), /Created records J-\d+ New boiler Unscheduled/)
    assert.match(said(await office.browser.get(made.location)), /Related Q-\d+ New boiler Accepted/)
    await office.browser.post(office.at('jobs', job, 'do', 'jobs_update-done'), {})
    const button = Object.fromEntries(
      formAt(await office.browser.get(made.location), office.at('jobs', job, 'do', 'invoices_create')),
    )
    const billed = await office.browser.post(office.at('jobs', job, 'do', 'invoices_create'), button)
    const invoice = await office.call('invoices_get', { id: last(billed.location) })
    assert.deepEqual(
      [invoice.total_cents, invoice.tax_cents, invoice.quote_id, invoice.job_ids],
      [quote.total_cents, quote.tax_cents, quote.id, [job]],
    )
    assert.match(said(await office.browser.get(made.location)), /Create another invoice .*Related .*INV-\d+ Draft/s)
    assert.match(
      said(await office.browser.get(office.at('jobs', job, 'do', 'invoices_create'))),
      /on an invoice already/,
    )
  })

  it('an invoice without a job comes of the quote itself', async () => {
    const quote = await quoteOf({ discount: { type: 'amount', value: 500 } })
    await office.call('quotes_update', { id: quote.id, status: 'accepted' })
    const { location } = await office.browser.post(office.at('quotes', quote.id, 'do', 'invoices_create'), {})
    assert.equal((await office.call('invoices_get', { id: last(location) })).total_cents, quote.total_cents)
    assert.equal((await office.call('quotes_get', { id: quote.id })).converted_invoice_id, last(location))
  })

  it("says what the customer asks to be told of, and isn't there before the quote is accepted or for who may not", async () => {
    const careful = await office.customer('Ned', { do_not_service: true })
    const { id } = await quoteOf({ customer_id: careful.id })
    assert.equal((await office.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})).status, 404)
    await office.call('quotes_update', { id, status: 'accepted' })
    const viewer = await office.hired('tech', { Quotes: 'view', 'Jobs & scheduling': 'view', Invoices: 'none' })
    assert.equal((await viewer.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})).status, 404)
    const page = await office.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})
    assert.equal(page.status, 303)
    assert.match(said(await office.browser.get(page.location!)), /Created J-\d+ .*(do not service|do_not_service)/is)
  })

  it('who may make jobs but not change quotes makes the job', async () => {
    const { id } = await quoteOf()
    await office.call('quotes_update', { id, status: 'accepted' })
    const tech = await office.hired('tech', { Quotes: 'view', 'Jobs & scheduling': 'edit' })
    const { status, location } = await tech.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})
    assert.equal(status, 303)
    assert.equal((await office.call('jobs_get', { id: last(location) })).quote_id, id)
  })
})

describe('who may not see', () => {
  it('signs in first, and lands there', async () => {
    const { id } = await invoiceOf()
    const stranger = visitor(service)
    for (const path of [
      office.at('invoices', id),
      office.at('invoices', id, 'print'),
      office.at('invoices', 'new'),
      office.at('quotes'),
    ]) {
      assert.equal((await stranger.get(path)).location, `/sign-in?to=${encodeURIComponent(path)}`)
    }
    assert.equal(
      (await stranger.signIn(office.owner.email, office.at('invoices', id, 'print'))).location,
      office.at('invoices', id, 'print'),
    )
  })

  it('finds nothing: without the area, and in another company', async () => {
    const { id } = await invoiceOf()
    const quote = await quoteOf()
    const tech = await office.hired('tech')
    const other = await openOffice(service, 'Birch Heating')
    for (const path of ['', '/edit', '/print', '/do/invoices_void']) {
      assert.equal((await tech.browser.get(office.at('invoices', id) + path)).status, 404, path)
      assert.equal((await other.browser.get(office.at('invoices', id) + path)).status, 404, path)
      assert.equal((await other.browser.get(other.at('invoices', id) + path)).status, 404, path)
    }
    assert.equal((await other.browser.get(other.at('quotes', quote.id, 'print'))).status, 404)
  })

  it('does nothing from another site', async () => {
    const { id } = await invoiceOf()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal(
      (await office.browser.post(office.at('invoices', id, 'do', 'invoices_update-sent'), {}, headers)).status,
      403,
    )
    assert.equal((await office.call('invoices_get', { id })).status, 'draft')
  })
})
