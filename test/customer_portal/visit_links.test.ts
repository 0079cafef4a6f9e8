import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import type { Result } from '../harness/harness.ts'
import { readPdf } from '../harness/files/pdf.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from './setting.ts'

let set: PortalScene
let path: string
let base: { quote: Result; invoice: Result }
const ZONE = 'America/New_York'
const start = Temporal.Now.zonedDateTimeISO(ZONE)
  .add({ days: 3 })
  .with({ hour: 9, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
const instant = (at: Temporal.ZonedDateTime): string => at.toInstant().toString()

before(async () => {
  set = await openPortalScene()
  const visit = (more: object): Promise<Result> =>
    set.office.call('jobs_create', {
      customer_id: set.customer['id'],
      scheduled_start: instant(start),
      scheduled_end: instant(start.add({ hours: 2 })),
      ...more,
    })
  await visit({ title: 'Fix the faucet', arrival_window_minutes: 60, assignees: [set.office.owner.user_id] })
  const over = await visit({ title: 'Over and done' })
  await set.office.call('jobs_update', { id: over['id'], status: 'done' })
  const { id } = await visit({ title: 'Called off' })
  await set.office.call('jobs_cancel', { id })
  await set.office.call('jobs_create', {
    customer_id: set.customer['id'],
    title: 'Long ago',
    scheduled_start: instant(start.subtract({ days: 9 })),
    scheduled_end: instant(start.subtract({ days: 9 }).add({ hours: 1 })),
  })
  base = { quote: await set.quote(), invoice: await set.invoice() }
  path = await set.issue({ kind: 'customers', id: set.customer['id'] as string })
})
after(() => set.service.stop())

describe('the customer page link', () => {
  it('shows upcoming visits with day, window and first name, and no past or canceled ones', async () => {
    const page = pageTextOf(await set.browser().get(path))
    assert.match(
      page,
      /Arrival (?:\w+, \w+ \d+|\w+ \d+, \d+), 9:00\W+10:00\WAM Fix the faucet 1 Elm St, Austin, TX 78701 Your technician: Ana\./u,
    )
    for (const other of ['Ruiz', 'Over and done', 'Called off', 'Long ago']) assert.ok(!page.includes(other), other)
  })

  it('leads to open quotes and invoices, and accepts a quote there', async () => {
    const browser = set.browser()
    const page = await browser.get(path)
    const [invoice, quote] = [
      `${path}/invoices/${String(base.invoice['id'])}`,
      `${path}/quotes/${String(base.quote['id'])}`,
    ]
    for (const link of [invoice, quote]) assert.ok(page.text.includes(`href="${link}"`), link)
    assert.match(pageTextOf(await browser.get(invoice)), /Water heater.*\$392\.41/)
    assert.ok((await browser.get(`${quote}/pdf`)).text.startsWith('%PDF'))
    const { text } = await browser.get(`${quote}/accept`)
    const accepted = await browser.post(`${quote}/accept`, { shown: fieldValueOf(text, 'shown'), name: 'Maria Lopez' })
    assert.deepEqual([accepted.status, accepted.location], [303, quote])
    assert.equal((await set.office.call('quotes_get', { id: base.quote['id'] }))['status'], 'accepted')
    assert.ok(!(await browser.get(path)).text.includes(quote))
  })

  it('rejects acceptance of a version other than the one shown', async () => {
    const { id } = await set.quote()
    const quote = `${path}/quotes/${String(id)}`
    const browser = set.browser()
    const shown = fieldValueOf((await browser.get(`${quote}/accept`)).text, 'shown')
    await set.office.call('quotes_update', { id, status: 'draft' })
    assert.equal((await browser.get(quote)).status, 404)
    await set.office.call('quotes_update', { id, title: 'Dearer' })
    await set.office.call('quotes_update', { id, status: 'sent' })
    const refused = await browser.post(`${quote}/accept`, { shown, name: 'Maria Lopez' })
    assert.equal(refused.status, 409)
    assert.equal((await set.office.call('quotes_get', { id }))['status'], 'sent')
  })

  it("returns 404 for other customers' documents, drafts and archived records", async () => {
    const other = await set.office.customer('Luis', { locations: [{ address_line1: '2 Elm St' }] })
    const theirs = await set.quote({ customer_id: other['id'] })
    const theirInvoice = await set.invoice({ customer_id: other['id'] })
    const [draft, bill, gone] = [await set.quote({}, 'draft'), await set.invoice({}, 'draft'), await set.quote()]
    await set.office.call('quotes_archive', { id: gone['id'] })
    const [unknown, ...answers] = await Promise.all(
      [
        '/quotes/01a2031f-4630-73e6-ae48-ef91733a405d',
        ...[theirs, draft, gone].map(({ id }) => `/quotes/${String(id)}`),
        ...[theirInvoice, bill].map(({ id }) => `/invoices/${String(id)}`),
        `/quotes/${String(theirs['id'])}/accept`,
        `/quotes/${String(theirs['id'])}/question`,
        `/invoices/${String(theirInvoice['id'])}/pdf`,
      ].map((step) => set.browser().get(path + step)),
    )
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [404, unknown!.text])
    assert.equal((await set.browser().post(`${path}/invoices/${String(theirInvoice['id'])}/pay`, {})).status, 404)
    assert.equal((await set.browser().get(`${path}/accept`)).status, 404)
  })

  it('sends a request for another time as a message', async () => {
    const browser = set.browser()
    const { text } = await browser.get(`${path}/question`)
    assert.match(text, /When works for you\?/)
    const { location } = await browser.post(`${path}/question`, { press: fieldValueOf(text, 'press'), body: 'Friday?' })
    assert.equal(location, path)
    const came = await set.all<{ subject: string; body: string }>(
      sql`select subject, body from communications where customer_id = ${set.customer['id']} and body = 'Friday?'`,
    )
    assert.deepEqual(came, [{ subject: 'Another time for a visit', body: 'Friday?' }])
  })

  it("is in the customer's preferred language", async () => {
    const { id } = await set.office.customer('Rosa', {
      preferred_language: 'es-MX',
      locations: [{ address_line1: '3 Elm St' }],
    })
    const link = await set.issue({ kind: 'customers', id })
    const page = await set.browser().get(link)
    assert.match(page.text, /<html lang="es">/)
    assert.match(pageTextOf(page), /Sus visitas/)
    const { id: quote } = await set.quote({ customer_id: id })
    const answer = await set.browser().get(await set.issue({ kind: 'quotes', id: quote as string }))
    assert.match(pageTextOf(answer), /Aceptar.*Hacer una pregunta.*Rechazar.*Descargar PDF/)
  })

  it("uses the browser's language for a customer without a preference, in documents and PDFs too", async () => {
    const headers = { 'accept-language': 'es-MX,es;q=0.9' }
    for (const [path, words, english] of [
      [(await set.quoteLink()).path, /Preparada para.*Válida hasta/, /Prepared for|Valid until/],
      [(await set.invoiceLink()).path, /Cantidad.*Total/, /Quantity|Bill to/],
    ] as const) {
      const page = pageTextOf(await set.browser().send(path, { headers }))
      const answer = await fetch(new URL(`${path}/pdf`, set.service.config.baseUrl), { headers })
      const [sheet] = (await readPdf(new Uint8Array(await answer.arrayBuffer()))).pages
      for (const text of [page, sheet!.text]) {
        assert.match(text, words)
        assert.doesNotMatch(text, english)
      }
    }
  })

  it('follows a customer who was merged into another', async () => {
    const gone = await set.office.customer('Mary', { locations: [{ address_line1: '1 Elm St' }] })
    const link = await set.issue({ kind: 'customers', id: gone['id'] as string })
    const merge = set.office.at('customers', set.customer['id'] as string, 'merge')
    const { status } = await set.office.browser.post(merge, {
      with: gone['id'] as string,
      keep: set.customer['id'] as string,
    })
    assert.equal(status, 303)
    assert.match(pageTextOf(await set.browser().get(link)), /Maria Lopez.*Fix the faucet/)
  })
})
