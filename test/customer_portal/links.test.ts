import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { rawRequest } from '../harness/clients/webhook_calls.ts'
import { newBrowser } from '../harness/web_client.ts'
import { fieldValueOf, secretOf, sha256, openPortalScene, type PortalScene } from './portal_scene.ts'

let portal: PortalScene
before(async () => {
  portal = await openPortalScene()
})
after(() => portal.service.stop())

const run = (statement: ReturnType<typeof sql>): Promise<number> =>
  writeTenant(portal.service.database, { tenant: portal.office.id }, (db) => db.run(statement))
const expire = (path: string): Promise<number> =>
  run(sql`update customer_links set expires_at = moment() - interval '1 second'
    where id = (select link_id from customer_link_hashes where encode(hash, 'hex') = ${sha256(secretOf(path))})`)
const visitsOf = async (path: string): Promise<{ views: number; id: string }> =>
  (
    await portal.all<{ views: number; id: string }>(sql`select l.views, l.id from customer_links l
      join customer_link_hashes h on h.tenant_id = l.tenant_id and h.link_id = l.id where encode(h.hash, 'hex') = ${sha256(secretOf(path))}`)
  )[0]!

describe('a customer link', () => {
  it('has a secret of 128 bits in base64url, stored only as its hash', async () => {
    const { path } = await portal.quoteLink()
    assert.match(path, /^\/c\/[\w-]{22}$/)
    const found = await portal.all<{ hash: string }>(sql`select encode(hash, 'hex') as hash from customer_link_hashes`)
    assert.ok(found.some(({ hash }) => hash === sha256(secretOf(path))))
  })

  it('returns the same 404 page for every invalid secret', async () => {
    const { path } = await portal.quoteLink()
    const near = `${path.slice(0, -1)}${path.endsWith('A') ? 'Q' : 'A'}`
    const unknown = [near, '/c/AAAAAAAAAAAAAAAAAAAAAA', '/c/short', `/c/${'x'.repeat(300)}`, '/c/%00', `${path}x`]
    const answers = await Promise.all(unknown.map((one) => portal.browser().get(one)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([404]))
    assert.equal(new Set(answers.map(({ text }) => text)).size, 1)
    assert.match(pageTextOf(answers[0]!), /This link can’t be used/)
    assert.doesNotMatch(answers[0]!.text, /Acme/)
    for (const step of ['/accept', '/pay', '/question', '/quotes/01a2031f-4630-73e6-ae48-ef91733a405d', '/nothing'])
      assert.equal((await portal.browser().get(near + step)).status, step === '/pay' ? 405 : 404, step)
  })

  it('returns 410 and shows nothing once it is expired', async () => {
    const { path, quote } = await portal.quoteLink()
    const browser = portal.browser()
    const shown = fieldValueOf((await browser.get(`${path}/accept`)).text, 'shown')
    await expire(path)
    const page = await browser.get(path)
    assert.equal(page.status, 410)
    assert.match(pageTextOf(page), /This link has expired Ask Acme Plumbing for a new one/)
    assert.doesNotMatch(page.text, /Water heater/)
    for (const step of ['/accept', '/decline', '/question', '/pdf', '/logo'])
      assert.equal((await browser.get(path + step)).status, 410, step)
    assert.equal((await browser.post(`${path}/accept`, { shown, name: 'Maria' })).status, 410)
    assert.equal((await browser.post(`${path}/question`, { body: 'Hello' })).status, 410)
    assert.equal((await portal.office.call('quotes_get', { id: quote['id'] }))['status'], 'sent')
  })

  it('opens only its own record', async () => {
    const [one, other] = [await portal.quoteLink(), await portal.invoiceLink()]
    const browser = portal.browser()
    for (const step of [
      `/quotes/${String(one.quote['id'])}`,
      `/invoices/${String(other.invoice['id'])}`,
      `/invoices/${String(other.invoice['id'])}/pdf`,
      `/quotes/${String(one.quote['id'])}/accept`,
    ])
      assert.equal((await browser.get(one.path + step)).status, 404, step)
    assert.equal((await browser.get(`${other.path}/accept`)).status, 404)
    assert.equal((await browser.post(`${one.path}/pay`, { press: '' })).status, 404)
    const [two, three] = [await portal.quoteLink(), await portal.quoteLink()]
    const asked = await Promise.all([two, three].map(({ path }) => browser.get(`${path}/accept`)))
    const crossed = await browser.post(`${three.path}/accept`, {
      shown: fieldValueOf(asked[0]!.text, 'shown'),
      name: 'Maria',
    })
    assert.equal(crossed.status, 409)
  })

  it('returns 429 after too many tries from one address, and still works from others', async () => {
    const [busy, calm] = [portal.browser(), portal.browser()]
    const { path } = await portal.quoteLink()
    await portal.service.database.send([
      sql`insert into attempts (subject, begun_at, tries) values (decode(${sha256(`customer link ${busy.address}`)}, 'hex'), moment(), 600)`,
    ])
    const refused = await busy.get(path)
    assert.equal(refused.status, 429)
    assert.ok(Number(refused.headers.get('retry-after')) > 0)
    assert.equal((await calm.get(path)).status, 200)
  })

  it("is served only on the service's own host", async () => {
    const { path } = await portal.quoteLink()
    const at = (host: string) =>
      rawRequest(`${portal.service.origin}${path}`, { host }, (_, end) => end(), 'GET').then(({ status }) => status)
    assert.deepEqual([await at(new URL(portal.service.config.baseUrl).host), await at('evil.example')], [200, 404])
  })
})

describe('the link view log', () => {
  it('counts an address once an hour, and ignores mail scanners', async () => {
    const { path } = await portal.quoteLink()
    const [maria, luis] = [portal.browser(), portal.browser()]
    for (const browser of [maria, maria, luis]) await browser.get(path)
    await maria.send(path, { method: 'HEAD' })
    await portal.browser().send(path, { headers: { 'user-agent': 'Mozilla/5.0 (compatible; bingbot/2.0; SafeLinks)' } })
    const { views, id } = await visitsOf(path)
    assert.equal(views, 2)
    await run(sql`update customer_link_views set at = at - interval '61 minutes' where link_id = ${id}`)
    await maria.get(path)
    assert.equal((await visitsOf(path)).views, 3)
  })

  it('keeps the newest 100 views', async () => {
    const { path } = await portal.quoteLink()
    const { id } = await visitsOf(path)
    await run(sql`insert into customer_link_views (tenant_id, id, link_id, address)
      select ${portal.office.id}, ('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))::uuid, ${id}, '198.51.100.' || n from generate_series(1, 150) n`)
    const browser = portal.browser()
    await browser.get(path)
    const kept = await portal.all<{ address: string }>(
      sql`select address from customer_link_views where link_id = ${id} order by id`,
    )
    assert.equal(kept.length, 100)
    assert.deepEqual([kept[0]!.address, kept.at(-1)!.address], ['198.51.100.52', browser.address])
  })
})

describe("a customer's question", () => {
  const messages = () =>
    portal.all<{ subject: string; body: string; channel: string; sender: string; read_at: null; direction: string }>(
      sql`select subject, body, channel, sender, read_at, direction from communications
        where customer_id = ${portal.customer['id']} order by occurred_at, id`,
    )

  it('arrives once as a message from the customer, even if submitted twice', async () => {
    const { path, quote } = await portal.quoteLink()
    const browser = portal.browser()
    const press = fieldValueOf((await browser.get(`${path}/question`)).text, 'press')
    const sent = { press, body: 'Does it fit the garage?\nIt is small.' }
    const answers = [await browser.post(`${path}/question`, sent), await browser.post(`${path}/question`, sent)]
    assert.deepEqual(
      answers.map(({ status, location }) => [status, location]),
      [
        [303, path],
        [303, path],
      ],
    )
    assert.match(pageTextOf(await browser.get(path)), /Sent\. Acme Plumbing will get back to you\./)
    assert.deepEqual(await messages(), [
      {
        subject: `Question about quote ${quote['display_number']}`,
        body: 'Does it fit the garage?\nIt is small.',
        channel: 'email',
        sender: 'maria@example.com',
        read_at: null,
        direction: 'inbound',
      },
    ])
    const inbox = pageTextOf(await portal.office.browser.get(portal.office.at('messages')))
    assert.match(inbox, /Does it fit the garage\?/)
  })

  it("has its subject in the customer's language", async () => {
    const { id } = await portal.office.customer('Lucía', { preferred_language: 'es' })
    const { path, quote } = await portal.quoteLink({
      customer_id: id,
      line_items: [{ name: 'Work', quantity: 2, unit: 'hour', unit_price_cents: 100 }],
    })
    assert.match(pageTextOf(await portal.browser().get(path)), /2 horas/)
    assert.equal((await portal.browser().post(`${path}/question`, { body: '¿Cabe?' })).status, 303)
    const [asked] = await portal.all<{ subject: string }>(
      sql`select subject from communications where customer_id = ${id}`,
    )
    assert.equal(asked!.subject, `Pregunta sobre la cotización ${quote['display_number']}`)
  })

  it('is rejected with 422 if empty or longer than 2000 characters', async () => {
    const { path } = await portal.invoiceLink()
    const before = (await messages()).length
    for (const body of ['', '  \n ', 'x'.repeat(2_001)]) {
      const refused = await portal.browser().post(`${path}/question`, { body })
      assert.equal(refused.status, 422)
      assert.match(pageTextOf(refused), /Use 2000 characters or fewer/)
    }
    assert.equal((await messages()).length, before)
  })

  it('is stored without NUL bytes, and the link ignores odd query parameters', async () => {
    const { path } = await portal.quoteLink()
    const browser = newBrowser(portal.service)
    for (const odd of ['%00', '%00=%00', 'day=%00&look=%ff&add=%00', 'a=%%0000'])
      assert.equal((await browser.get(`${path}?${odd}`)).status, 200, odd)
    const press = fieldValueOf((await browser.get(`${path}/question`)).text, 'press')
    assert.equal((await browser.post(`${path}/question`, { press, body: 'Does\0 it fit\0?' })).status, 303)
    const bodies = await portal.all<{ body: string }>(
      sql`select body from communications where tenant_id = ${portal.office.id} and body like 'Does it fit?%'`,
    )
    assert.deepEqual(bodies, [{ body: 'Does it fit?' }])
  })

  it('joins the existing conversation with the customer', async () => {
    const { path } = await portal.invoiceLink()
    await portal.browser().post(`${path}/question`, { body: 'And the invoice?' })
    const threads = await portal.all<{ n: number }>(
      sql`select count(distinct conversation_id) as n from communications where customer_id = ${portal.customer['id']}`,
    )
    assert.equal(threads[0]!.n, 1)
  })
})
