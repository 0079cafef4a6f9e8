import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../../harness/harness.ts'
import { formAt, idAt, openOffice, pageTextOf, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser } from '../../harness/web_client.ts'
import { openDocuments, type Documents } from './open_documents.ts'

let service: TestService
let office: Office
let invoiceOf: Documents['invoiceOf']
let quoteOf: Documents['quoteOf']
before(async () => {
  service = await startSite()
  ;({ office, invoiceOf, quoteOf } = await openDocuments(service))
})
after(() => service.stop())

describe('from quote to invoice', () => {
  it("creates the job from the quote and the invoice from the job, with the quote's totals", async () => {
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
    assert.equal(made.location, office.at('jobs', idAt(made.location)))
    const job = idAt(made.location)
    assert.match(pageTextOf(await office.browser.get(at)), /Created records J-\d+ New boiler Unscheduled/)
    assert.match(pageTextOf(await office.browser.get(made.location)), /Related Q-\d+ New boiler Accepted/)
    await office.browser.post(office.at('jobs', job, 'do', 'jobs_update-done'), {})
    const button = Object.fromEntries(
      formAt(await office.browser.get(made.location), office.at('jobs', job, 'do', 'invoices_create')),
    )
    const billed = await office.browser.post(office.at('jobs', job, 'do', 'invoices_create'), button)
    const invoice = await office.call('invoices_get', { id: idAt(billed.location) })
    assert.deepEqual(
      [invoice.total_cents, invoice.tax_cents, invoice.quote_id, invoice.job_ids],
      [quote.total_cents, quote.tax_cents, quote.id, [job]],
    )
    assert.match(
      pageTextOf(await office.browser.get(made.location)),
      /Create another invoice .*Related .*INV-\d+ Draft/s,
    )
    assert.match(
      pageTextOf(await office.browser.get(office.at('jobs', job, 'do', 'invoices_create'))),
      /already on an invoice/,
    )
  })

  it('creates an invoice from the quote when there is no job', async () => {
    const quote = await quoteOf({ discount: { type: 'amount', value: 500 } })
    await office.call('quotes_update', { id: quote.id, status: 'accepted' })
    const { location } = await office.browser.post(office.at('quotes', quote.id, 'do', 'invoices_create'), {})
    assert.equal((await office.call('invoices_get', { id: idAt(location) })).total_cents, quote.total_cents)
    assert.equal((await office.call('quotes_get', { id: quote.id })).converted_invoice_id, idAt(location))
  })

  it('needs an accepted quote and edit access, and warns about a do-not-service customer', async () => {
    const careful = await office.customer('Ned', { do_not_service: true })
    const { id } = await quoteOf({ customer_id: careful.id })
    assert.equal((await office.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})).status, 404)
    await office.call('quotes_update', { id, status: 'accepted' })
    const viewer = await office.signInMember('tech', { Quotes: 'view', 'Jobs & scheduling': 'view', Invoices: 'none' })
    assert.equal((await viewer.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})).status, 404)
    const page = await office.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})
    assert.equal(page.status, 303)
    assert.match(
      pageTextOf(await office.browser.get(page.location!)),
      /Created J-\d+ .*(do not service|do_not_service)/is,
    )
  })

  it('lets a member create the job with view access to quotes and edit access to jobs', async () => {
    const { id } = await quoteOf()
    await office.call('quotes_update', { id, status: 'accepted' })
    const tech = await office.signInMember('tech', { Quotes: 'view', 'Jobs & scheduling': 'edit' })
    const { status, location } = await tech.browser.post(office.at('quotes', id, 'do', 'jobs_create'), {})
    assert.equal(status, 303)
    assert.equal((await office.call('jobs_get', { id: idAt(location) })).quote_id, id)
  })
})

describe('access to invoices and quotes', () => {
  it('sends signed-out users to sign-in and then back to the page', async () => {
    const { id } = await invoiceOf()
    const stranger = newBrowser(service)
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

  it('returns 404 without access to invoices, and for another company', async () => {
    const { id } = await invoiceOf()
    const quote = await quoteOf()
    const tech = await office.signInMember('tech')
    const other = await openOffice(service, 'Birch Heating')
    for (const path of ['', '/edit', '/print', '/do/invoices_void']) {
      assert.equal((await tech.browser.get(office.at('invoices', id) + path)).status, 404, path)
      assert.equal((await other.browser.get(office.at('invoices', id) + path)).status, 404, path)
      assert.equal((await other.browser.get(other.at('invoices', id) + path)).status, 404, path)
    }
    assert.equal((await other.browser.get(other.at('quotes', quote.id, 'print'))).status, 404)
  })

  it('refuses a cross-site action with 403', async () => {
    const { id } = await invoiceOf()
    const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    assert.equal(
      (await office.browser.post(office.at('invoices', id, 'do', 'invoices_update-sent'), {}, headers)).status,
      403,
    )
    assert.equal((await office.call('invoices_get', { id })).status, 'draft')
  })
})
