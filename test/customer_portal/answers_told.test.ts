import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/tenant.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { SENDERS } from '../sending/scene.ts'
import { fieldValueOf, openPortalScene, type PortalScene } from './portal_scene.ts'

let portal: PortalScene
let spanish: { email: string }
before(async () => {
  portal = await openPortalScene(SENDERS)
  const { hire } = portal.office
  spanish = await hire('office')
  await hire('office', { Quotes: 'none' })
  await hire('tech')
  await portal.service.database.send([sql`update users set language = 'es' where email = ${spanish.email}`])
})
after(() => portal.service.stop())

type Told = { to: string; subject: string; body: string; cause: string; conversation_id: string | null }

/** Returns the company's notifications about a quote. */
const listNotifications = (quote: unknown): Promise<Told[]> =>
  portal.all<Told>(sql`select o.recipient as to, o.cause, m.subject, m.body, m.conversation_id from outbox o
    join communications m on m.tenant_id = o.tenant_id and m.id = o.id where o.about_id = ${quote} order by o.created_at, o.id`)

async function answer(path: string, step: 'accept' | 'decline', fields: Record<string, string>) {
  const browser = portal.browser()
  const { text } = await browser.get(`${path}/${step}`)
  const send = () => browser.post(`${path}/${step}`, { shown: fieldValueOf(text, 'shown'), ...fields })
  const first = await send()
  assert.equal(first.status, 303)
  return send()
}

const settings = (fields: Record<string, string>) =>
  portal.office.browser.post(portal.office.at('settings', 'messages'), fields)

describe("a customer's answer to a quote", () => {
  it('is emailed once to owners and office members with access, in their language, outside conversations', async () => {
    const { path, quote } = await portal.quoteLink()
    const number = String(quote['display_number'])
    await answer(path, 'accept', { name: 'Maria Lopez', signature: '' })
    const told = await listNotifications(quote['id'])
    const there = `http://localhost:${new URL(portal.service.url).port}${portal.office.at('quotes', quote['id'])}`
    assert.deepEqual(Object.fromEntries(told.map(({ to, subject }) => [to, subject])), {
      [portal.office.owner.email]: `Maria Lopez accepted quote ${number}`,
      [spanish.email]: `Maria Lopez aceptó la cotización ${number}`,
    })
    const english = told.find(({ to }) => to === portal.office.owner.email)!
    assert.equal(
      english.body,
      `Maria Lopez accepted quote ${number} for $185.18: New water heater\n\nOpen the quote: ${there}`,
    )
    assert.deepEqual([...new Set(told.map((one) => [one.cause, one.conversation_id].join()))], ['notice,'])
    assert.match(
      pageTextOf(await portal.office.browser.get(portal.office.at('quotes', quote['id']))),
      /Notice to you and the office/,
    )
  })

  it('is emailed with the decline reason or the question, once per question', async () => {
    const declined = await portal.quoteLink()
    await answer(declined.path, 'decline', { reason: 'Too expensive' })
    const [one] = (await listNotifications(declined.quote['id'])).filter(({ to }) => to === portal.office.owner.email)
    assert.match(one!.subject, /^Maria Lopez declined quote /)
    assert.match(one!.body, /\n\nToo expensive\n\nOpen the quote: /)
    const asked = await portal.quoteLink()
    const browser = portal.browser()
    const press = fieldValueOf((await browser.get(`${asked.path}/question`)).text, 'press')
    for (let i = 0; i < 2; i++) await browser.post(`${asked.path}/question`, { press, body: 'Does it fit?' })
    const told = (await listNotifications(asked.quote['id'])).filter(({ to }) => to === portal.office.owner.email)
    assert.deepEqual(
      told.map(({ subject }) => subject),
      [`Maria Lopez has a question about quote ${String(asked.quote['display_number'])}`],
    )
    assert.match(told[0]!.body, /\n\nDoes it fit\?\n\n/)
  })

  it('and a question about an invoice or a request for another time are emailed once', async () => {
    const invoice = await portal.invoice()
    const customer = String(portal.customer['id'])
    const paths = [
      [await portal.issue({ kind: 'invoices', id: String(invoice['id']) }), String(invoice['id']), 'Was it paid?'],
      [await portal.issue({ kind: 'customers', id: customer }), customer, 'Friday, please'],
    ] as const
    for (const [path, about, body] of paths) {
      const browser = portal.browser()
      const press = fieldValueOf((await browser.get(`${path}/question`)).text, 'press')
      for (let i = 0; i < 2; i++) assert.equal((await browser.post(`${path}/question`, { press, body })).status, 303)
      const told = (await listNotifications(about)).filter(({ to }) => to === portal.office.owner.email)
      assert.equal(told.length, 1)
      assert.equal(
        told[0]!.subject,
        about === customer
          ? 'Maria Lopez asks for another time'
          : `Maria Lopez has a question about invoice ${String(invoice['display_number'])}`,
      )
      assert.ok(told[0]!.body.startsWith(`${body}\n\nOpen the message: `), told[0]!.body)
      assert.ok(told[0]!.body.endsWith(portal.office.at('messages', 'with', customer)))
      const page = await portal.office.browser.get(portal.office.at('messages', 'with', customer))
      assert.ok(page.text.includes(body))
    }
    const wish = await listNotifications(customer)
    assert.ok(wish.some(({ subject }) => subject === 'Maria Lopez pide otra hora'))
  })

  it("is recorded even when a recipient's address is suppressed", async () => {
    await portal.service.database.send([
      sql`select enter_tenant(${portal.office.id}, null, 0)`,
      sql`insert into suppressions (tenant_id, channel, address, reason) values (${portal.office.id}, 'email', ${spanish.email}, 'bounced')`,
    ])
    const { path, quote } = await portal.quoteLink()
    await answer(path, 'accept', { name: 'Maria Lopez', signature: '' })
    assert.deepEqual(
      (await listNotifications(quote['id'])).map(({ to }) => to),
      [portal.office.owner.email],
    )
    assert.equal((await portal.office.call('quotes_get', { id: quote['id'] }))['status'], 'accepted')
  })

  it('is not emailed once an owner turns that off; others cannot change the setting', async () => {
    const office = (await portal.office.signInMember('office')).browser
    assert.equal((await office.post(portal.office.at('settings', 'messages'), {})).status, 404)
    assert.match(
      (await portal.office.browser.get(portal.office.at('settings', 'messages'))).text,
      /name="quote_answers"[^>]* checked/,
    )
    assert.equal((await settings({})).status, 303)
    assert.doesNotMatch(
      (await portal.office.browser.get(portal.office.at('settings', 'messages'))).text,
      /name="quote_answers"[^>]* checked/,
    )
    const { path, quote } = await portal.quoteLink()
    await answer(path, 'accept', { name: 'Maria Lopez', signature: '' })
    assert.deepEqual(await listNotifications(quote['id']), [])
    await settings({ quote_answers: 'yes' })
    const changes = await portal.all<{ changed: object }>(
      sql`select changed from audit where tool = 'companies.set_notices' order by at, id`,
    )
    assert.deepEqual(
      changes.map(({ changed }) => changed),
      [{ quote_answers: [true, false] }, { quote_answers: [false, true] }],
    )
  })

  it("is emailed with the customer's text only to members who can read messages", async () => {
    const { email } = await portal.office.hire('office', { Messages: 'none' })
    const isNotified = async (record: unknown): Promise<boolean> =>
      (await listNotifications(record)).some(({ to }) => to === email)
    const { path, quote } = await portal.quoteLink()
    const invoice = await portal.invoice()
    const customer = String(portal.customer['id'])
    for (const [link, about] of [
      [path, quote['id']],
      [await portal.issue({ kind: 'invoices', id: String(invoice['id']) }), invoice['id']],
      [await portal.issue({ kind: 'customers', id: customer }), customer],
    ] as const) {
      const browser = portal.browser()
      const press = fieldValueOf((await browser.get(`${link}/question`)).text, 'press')
      await browser.post(`${link}/question`, { press, body: 'Call me' })
      assert.equal(await isNotified(about), false)
    }
    await answer(path, 'accept', { name: 'Maria Lopez', signature: '' })
    assert.equal(await isNotified(quote['id']), true)
  })
})
