import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, writeTenant } from '../../src/platform/db/tenant.ts'
import { issueLink, type NewLink } from '../../src/customer_portal/link.ts'
import { hideLinks } from '../../src/messaging/inbox/inbound/hidden_links.ts'
import { listMessages } from '../../src/messaging/inbox/inbox.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { formAt, sendForm, submit } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { SENDERS, openScene, type Queued, type Scene } from './scene.ts'

let service: TestService
let scene: Scene
let dora: Result
let colleague: Awaited<ReturnType<Scene['signInMember']>>
before(async () => {
  service = await startSite(SENDERS)
  scene = await openScene(service, 'Alder Plumbing')
  dora = await scene.customer('Dora')
  colleague = await scene.signInMember('office')
})
after(() => service.stop())

const of = async (id: string): Promise<Queued[]> => (await scene.listQueued()).filter(({ about_id }) => about_id === id)
const quote = (): Promise<Result> =>
  scene.call('quotes_create', {
    customer_id: dora.id,
    title: 'New boiler',
    line_items: [{ name: 'Boiler', unit_price_cents: 200_000 }],
  })
const issue = (given: NewLink): Promise<{ path: string }> =>
  writeTenant(service.database, { tenant: scene.id }, (db) => issueLink(db, given))

describe("a colleague's quote", () => {
  it('can be sent by its owner only, because the message contains the acceptance link', async () => {
    const { id } = await quote()
    const page = scene.at('quotes', id, 'send')
    const form = formAt(await scene.browser.get(page), page)
    assert.equal((await submit(scene.browser, page)).status, 303)
    assert.doesNotMatch((await colleague.browser.get(scene.at('quotes', id))).text, new RegExp(`href="${page}"`))
    assert.equal((await colleague.browser.get(page)).status, 404)
    const { updated_at } = await scene.call('quotes_get', { id })
    const ways = [
      { seen: updated_at, to: 'other', other: 'mine@example.com' },
      { seen: updated_at, to: 'other', other: 'mine@example.com', body: 'See the PDF.' },
    ]
    for (const way of ways) {
      const sent = await sendForm(colleague.browser, page, [...new Map([...form, ...Object.entries(way)])])
      assert.equal(sent.status, 404)
    }
    assert.equal((await of(id)).length, 1)
    assert.equal((await scene.browser.get(page)).status, 200)
  })

  it('gets no link issued in the name of another member', async () => {
    const { id } = await quote()
    await assert.rejects(issue({ kind: 'quotes', id, by: colleague.user_id }), /only the owner of quote/)
    assert.ok((await issue({ kind: 'quotes', id, by: scene.owner.user_id })).path)
    assert.ok((await issue({ kind: 'quotes', id, by: null })).path, 'a reminder that goes by itself')
  })

  it('has no Accept button on a customer link that the service issued', async () => {
    const { id } = await quote()
    await submit(scene.browser, scene.at('quotes', id, 'send'))
    const { path } = await issue({ kind: 'customers', id: dora.id, by: null })
    const { status, text } = await scene.browser.get(`${path}/quotes/${id}`)
    assert.equal(status, 200)
    assert.doesNotMatch(text, /\/accept"/)
  })

  it("can't be accepted by members who read the message, because its link is hidden", async () => {
    const { id } = await quote()
    await submit(scene.browser, scene.at('quotes', id, 'send'))
    const [message] = await of(id)
    const [secret] = /\/c\/[\w-]{22}/.exec(message!.body)!
    for (const place of [
      scene.at('outbox'),
      scene.at('outbox', message!.id),
      scene.at('messages'),
      scene.at('messages', 'with', dora.id),
      scene.at('customers', dora.id),
      scene.at('quotes', id),
    ]) {
      const page = await colleague.browser.get(place)
      assert.equal(page.status, 200, place)
      assert.ok(!page.text.includes(secret), place)
    }
    assert.match((await colleague.browser.get(scene.at('outbox', message!.id))).text, /\/c\/…/)
    const { rows } = await readTenant(service.database, { tenant: scene.id }, (db) =>
      listMessages(db, { customer: String(dora.id) }),
    )
    assert.ok(rows.length > 0 && !JSON.stringify(rows).includes(secret))
  })

  it('has its link hidden in quoted replies and in truncated excerpts', () => {
    const secret = '/c/AbCdEfGhIjKlMnOpQrSt-_'
    assert.equal(hideLinks(`> see https://x.example${secret}\nFine.`), '> see https://x.example/c/…\nFine.')
    assert.equal(hideLinks(`see https://x.example${secret.slice(0, 14)}`), 'see https://x.example/c/…')
    assert.equal(hideLinks('https://x.example/c/about-us is ours'), 'https://x.example/c/about-us is ours')
  })
})
