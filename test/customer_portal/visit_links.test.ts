import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import type { Result } from '../harness/harness.ts'
import { readPdf } from '../harness/files/pdf.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from './portal_scene.ts'

let portal: PortalScene
let path: string
let base: { quote: Result; invoice: Result }
const ZONE = 'America/New_York'
const start = Temporal.Now.zonedDateTimeISO(ZONE)
  .add({ days: 3 })
  .with({ hour: 9, minute: 0, second: 0, millisecond: 0, microsecond: 0, nanosecond: 0 })
const instant = (at: Temporal.ZonedDateTime): string => at.toInstant().toString()

before(async () => {
  portal = await openPortalScene()
  const visit = (more: object): Promise<Result> =>
    portal.office.call('jobs_create', {
      customer_id: portal.customer['id'],
      scheduled_start: instant(start),
      scheduled_end: instant(start.add({ hours: 2 })),
      ...more,
    })
  await visit({ title: 'Fix the faucet', arrival_window_minutes: 60, assignees: [portal.office.owner.user_id] })
  const over = await visit({ title: 'Over and done' })
  await portal.office.call('jobs_update', { id: over['id'], status: 'done' })
  const { id } = await visit({ title: 'Called off' })
  await portal.office.call('jobs_cancel', { id })
  await portal.office.call('jobs_create', {
    customer_id: portal.customer['id'],
    title: 'Long ago',
    scheduled_start: instant(start.subtract({ days: 9 })),
    scheduled_end: instant(start.subtract({ days: 9 }).add({ hours: 1 })),
  })
  base = { quote: await portal.quote(), invoice: await portal.invoice() }
  path = await portal.issue({ kind: 'customers', id: portal.customer['id'] as string })
})
after(() => portal.service.stop())

describe('the customer page link', () => {
  it('shows upcoming visits with day, window and first name, and no past or canceled ones', async () => {
    const page = pageTextOf(await portal.browser().get(path))
    assert.match(
      page,
      /Arrival (?:\w+, \w+ \d+|\w+ \d+, \d+), 9:00\W+10:00\WAM Fix the faucet 1 Elm St, Austin, TX 78701 Your technician: Ana\./u,
    )
    for (const other of ['Ruiz', 'Over and done', 'Called off', 'Long ago']) assert.ok(!page.includes(other), other)
  })

  it('leads to open quotes and invoices, and accepts a quote there', async () => {
    const browser = portal.browser()
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
    assert.equal((await portal.office.call('quotes_get', { id: base.quote['id'] }))['status'], 'accepted')
    assert.ok(!(await browser.get(path)).text.includes(quote))
  })

  it('rejects acceptance of a version other than the one shown', async () => {
    const { id } = await portal.quote()
    const quote = `${path}/quotes/${String(id)}`
    const browser = portal.browser()
    const shown = fieldValueOf((await browser.get(`${quote}/accept`)).text, 'shown')
    await portal.office.call('quotes_update', { id, status: 'draft' })
    assert.equal((await browser.get(quote)).status, 404)
    await portal.office.call('quotes_update', { id, title: 'Dearer' })
    await portal.office.call('quotes_update', { id, status: 'sent' })
    const refused = await browser.post(`${quote}/accept`, { shown, name: 'Maria Lopez' })
    assert.equal(refused.status, 409)
    assert.equal((await portal.office.call('quotes_get', { id }))['status'], 'sent')
  })

  it("returns 404 for other customers' documents, drafts and archived records", async () => {
    const other = await portal.office.customer('Luis', { locations: [{ address_line1: '2 Elm St' }] })
    const theirs = await portal.quote({ customer_id: other['id'] })
    const theirInvoice = await portal.invoice({ customer_id: other['id'] })
    const [draft, bill, gone] = [
      await portal.quote({}, 'draft'),
      await portal.invoice({}, 'draft'),
      await portal.quote(),
    ]
    await portal.office.call('quotes_archive', { id: gone['id'] })
    const [unknown, ...answers] = await Promise.all(
      [
        '/quotes/01a2031f-4630-73e6-ae48-ef91733a405d',
        ...[theirs, draft, gone].map(({ id }) => `/quotes/${String(id)}`),
        ...[theirInvoice, bill].map(({ id }) => `/invoices/${String(id)}`),
        `/quotes/${String(theirs['id'])}/accept`,
        `/quotes/${String(theirs['id'])}/question`,
        `/invoices/${String(theirInvoice['id'])}/pdf`,
      ].map((step) => portal.browser().get(path + step)),
    )
    for (const answer of answers) assert.deepEqual([answer.status, answer.text], [404, unknown!.text])
    assert.equal((await portal.browser().post(`${path}/invoices/${String(theirInvoice['id'])}/pay`, {})).status, 404)
    assert.equal((await portal.browser().get(`${path}/accept`)).status, 404)
  })

  it('sends a request for another time as a message', async () => {
    const browser = portal.browser()
    const { text } = await browser.get(`${path}/question`)
    assert.match(text, /When works for you\?/)
    const { location } = await browser.post(`${path}/question`, { press: fieldValueOf(text, 'press'), body: 'Friday?' })
    assert.equal(location, path)
    const came = await portal.all<{ subject: string; body: string }>(
      sql`select subject, body from communications where customer_id = ${portal.customer['id']} and body = 'Friday?'`,
    )
    assert.deepEqual(came, [{ subject: 'Another time for a visit', body: 'Friday?' }])
  })

  it("is in the customer's preferred language", async () => {
    const { id } = await portal.office.customer('Rosa', {
      preferred_language: 'es-MX',
      locations: [{ address_line1: '3 Elm St' }],
    })
    const link = await portal.issue({ kind: 'customers', id })
    const page = await portal.browser().get(link)
    assert.match(page.text, /<html lang="es">/)
    assert.match(pageTextOf(page), /Sus visitas/)
    const { id: quote } = await portal.quote({ customer_id: id })
    const answer = await portal.browser().get(await portal.issue({ kind: 'quotes', id: quote as string }))
    assert.match(pageTextOf(answer), /Aceptar.*Hacer una pregunta.*Rechazar.*Descargar PDF/)
  })

  it("uses the browser's language for a customer without a preference, in documents and PDFs too", async () => {
    const headers = { 'accept-language': 'es-MX,es;q=0.9' }
    for (const [path, words, english] of [
      [(await portal.quoteLink()).path, /Preparada para.*Válida hasta/, /Prepared for|Valid until/],
      [(await portal.invoiceLink()).path, /Cantidad.*Total/, /Quantity|Bill to/],
    ] as const) {
      const page = pageTextOf(await portal.browser().send(path, { headers }))
      const answer = await fetch(new URL(`${path}/pdf`, portal.service.config.baseUrl), { headers })
      const [sheet] = (await readPdf(new Uint8Array(await answer.arrayBuffer()))).pages
      for (const text of [page, sheet!.text]) {
        assert.match(text, words)
        assert.doesNotMatch(text, english)
      }
    }
  })

  it('follows a customer who was merged into another', async () => {
    const gone = await portal.office.customer('Mary', { locations: [{ address_line1: '1 Elm St' }] })
    const link = await portal.issue({ kind: 'customers', id: gone['id'] as string })
    const merge = portal.office.at('customers', portal.customer['id'] as string, 'merge')
    const { status } = await portal.office.browser.post(merge, {
      with: gone['id'] as string,
      keep: portal.customer['id'] as string,
    })
    assert.equal(status, 303)
    assert.match(pageTextOf(await portal.browser().get(link)), /Maria Lopez.*Fix the faucet/)
  })
})
