import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { openOffice, pageTextOf } from '../harness/identity/people_pages.ts'
import { startMonitoredService } from '../harness/monitored_service.ts'
import { freePort } from '../harness/web_client.ts'
import { openPortalScene, secretOf, type PortalScene } from './portal_scene.ts'

let portal: PortalScene
let watched: Awaited<ReturnType<typeof startMonitoredService>>
before(async () => {
  const port = await freePort()
  watched = await startMonitoredService({ PORT: String(port), BASE_URL: `http://localhost:${port}` })
  portal = await openPortalScene({}, watched as unknown as PortalScene['service'])
})
after(() => watched.stop())

const links = (kind: string, id: unknown, ...more: string[]): string =>
  portal.office.at(kind, String(id), 'links', ...more)
const linkOf = (text: string): string | undefined => /<code class="copy">[^<]*(\/c\/[\w-]{22})<\/code>/.exec(text)?.[1]
const idOf = (text: string): string => /links\/([0-9a-f-]{36})\/take-back/.exec(text)![1]!

describe('a member managing customer links', () => {
  it('creates a link, which is shown once, and revokes it', async () => {
    const { id } = await portal.quote()
    const { browser } = portal.office
    assert.match(
      pageTextOf(await browser.get(portal.office.at('quotes', String(id)))),
      /Customer link Create link No link yet/,
    )
    const made = await browser.post(links('quotes', id), { days: '7' })
    const path = linkOf(made.text)!
    assert.ok(path, made.text)
    assert.ok(made.text.includes(`${portal.service.config.baseUrl}${path}`))
    assert.equal((await portal.browser().get(path)).status, 200)
    const page = await browser.get(links('quotes', id))
    assert.equal(linkOf(page.text), undefined)
    assert.match(pageTextOf(page), /Created by Ana Ruiz on .* Opened once, on/)
    assert.match(pageTextOf(await browser.get(links('quotes', id, idOf(page.text)))), /203\.0\.113\.\d+/)
    assert.match(
      pageTextOf(await browser.get(portal.office.at('quotes', String(id)))),
      /Customer link Create link All links.*Opened once/,
    )
    const { status } = await browser.post(links('quotes', id, idOf(page.text), 'take-back'), {})
    assert.equal(status, 303)
    const gone = await portal.browser().get(path)
    assert.deepEqual([gone.status, /Ask Acme Plumbing for a new one/.test(pageTextOf(gone))], [410, true])
    assert.match(pageTextOf(await browser.get(links('quotes', id))), /The link was revoked.*Revoked/)
  })

  it('sets an expiry of 1 to 365 days; the default is 90', async () => {
    const { id } = await portal.invoice()
    for (const days of ['0', '366', '-1', '1.5', 'x', '1e9']) {
      const { status, text } = await portal.office.browser.post(links('invoices', id), { days })
      assert.deepEqual([status, linkOf(text)], [422, undefined], days)
    }
    assert.ok(linkOf((await portal.office.browser.post(links('invoices', id), {})).text))
    const kept = await portal.all<{ days: number }>(
      sql`select extract(day from expires_at - created_at)::int as days from customer_links where invoice_id = ${id}`,
    )
    assert.deepEqual(kept, [{ days: 90 }])
  })

  it('cannot create a link to a draft', async () => {
    for (const [kind, { id }] of [
      ['quotes', await portal.quote({}, 'draft')],
      ['invoices', await portal.invoice({}, 'draft')],
    ] as const) {
      const { status, text } = await portal.office.browser.post(links(kind, id), {})
      assert.equal(status, 409)
      assert.match(text, /A draft is not for the customer yet/)
    }
  })

  it('gets 404 for records they cannot edit or see', async () => {
    const [quote, invoice] = [await portal.quote(), await portal.invoice()]
    const places = [
      links('quotes', quote['id']),
      links('invoices', invoice['id']),
      links('customers', portal.customer['id']),
    ]
    const tech = await portal.office.signInMember('tech')
    const clerk = await portal.office.signInMember('office', { Invoices: 'none' })
    for (const place of places) assert.equal((await tech.browser.post(place, {})).status, 404, place)
    assert.deepEqual(
      await Promise.all(places.map(async (place) => (await clerk.browser.post(place, {})).status)),
      [404, 404, 404],
      "the quote is a colleague's",
    )
    const other = await openOffice(portal.service, 'Other company')
    for (const place of places) assert.equal((await other.browser.post(place, {})).status, 404, place)
  })

  it("cannot create or revoke a link to a colleague's quote, nor accept it through a customer link", async () => {
    const { id } = await portal.quote()
    const colleague = await portal.office.signInMember('office')
    assert.equal((await colleague.browser.get(links('quotes', id))).status, 404)
    assert.equal((await colleague.browser.post(links('quotes', id), {})).status, 404)
    assert.doesNotMatch(pageTextOf(await colleague.browser.get(portal.office.at('quotes', String(id)))), /Create link/)
    await portal.office.browser.post(links('quotes', id), {})
    const link = idOf((await portal.office.browser.get(links('quotes', id))).text)
    assert.equal((await colleague.browser.post(links('quotes', id, link, 'take-back'), {})).status, 404)
    const statusNow = async () => (await portal.office.call('quotes_get', { id }))['status']
    const whole = linkOf((await colleague.browser.post(links('customers', portal.customer['id']), {})).text)!
    const customer = portal.browser()
    const seen = await customer.get(`${whole}/quotes/${String(id)}`)
    assert.match(pageTextOf(seen), /This page shows the quote only/)
    assert.doesNotMatch(seen.text, /\/accept"/)
    const shown = createHash('sha256').update('').digest('hex')
    assert.equal((await customer.post(`${whole}/quotes/${String(id)}/accept`, { name: 'Maria', shown })).status, 409)
    assert.equal((await customer.post(`${whole}/quotes/${String(id)}/decline`, { shown })).status, 409)
    assert.equal(await statusNow(), 'sent')
    const own = linkOf((await portal.office.browser.post(links('customers', portal.customer['id']), {})).text)!
    assert.match((await portal.browser().get(`${own}/quotes/${String(id)}`)).text, /\/accept"/)
  })

  it('cannot view or revoke a link through another record', async () => {
    const [one, other] = [await portal.quote(), await portal.quote()]
    await portal.office.browser.post(links('quotes', one['id']), {})
    const { text } = await portal.office.browser.get(links('quotes', one['id']))
    for (const step of [[idOf(text)], [idOf(text), 'take-back']])
      assert.equal(
        (
          await (step.length === 1
            ? portal.office.browser.get(links('quotes', other['id'], ...step))
            : portal.office.browser.post(links('quotes', other['id'], ...step), {}))
        ).status,
        404,
      )
  })
})

describe("a link's secret in telemetry", () => {
  it('appears in no log, span, metric or audit row, even after errors', async () => {
    const { path, quote } = await portal.quoteLink()
    const browser = portal.browser()
    for (const step of ['', '/accept', '/question', '/nothing', '/pdf']) await browser.get(path + step)
    await browser.post(`${path}/accept`, { name: '' })
    await browser.post(`${path}/pay`, {})
    await browser.send(path, { method: 'DELETE' })
    const metrics = await watched.metrics()
    await portal.service.database.send([sql`select 1`])
    const lines = JSON.stringify(watched.lines)
    assert.match(lines, /"path":"\/c\/…\/accept"/)
    const spans = watched.collector.sent.map(({ body }) => body.toString('latin1')).join('')
    const audit = await portal.all<{ row: string }>(
      sql`select a::text as row from audit a where record_id = ${quote['id']}`,
    )
    assert.ok(audit.length > 0)
    for (const [name, text] of Object.entries({ lines, spans, metrics, audit: JSON.stringify(audit) }))
      assert.ok(!text.includes(secretOf(path)), name)
  })
})
