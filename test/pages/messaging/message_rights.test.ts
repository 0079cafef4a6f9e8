import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId } from '../../harness/messaging/inbound.ts'
import { openOffice, sendForm, submit, type Office } from '../../harness/identity/people_pages.ts'
import { newProtocolClient } from '../../harness/clients/protocol.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'

const [NUMBER, ADDRESS] = ['+16175550200', 'desk@in.example.com']
const TEXT = 'The gate code is 4711'
const REPLY = 'We come at nine'

let service: TestService
let office: Office
let ada: { id: string; job: string }
let stranger: string
let conversation: string
let message: string
let attachment: string
let outgoing: string
let none: Browser
let viewer: Browser
let viewers: Browser[]
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  office = await openOffice(service, 'Alder Plumbing')
  const provider = providerOf(service)
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  await addChannel(service.database, MAILBOXES, office.id, ADDRESS)
  const { id } = await office.customer('Ada', { phone: '617 555 0201', email: 'ada@example.com' })
  const job = await office.call('jobs_create', { customer_id: id, title: 'Boiler' })
  ada = { id, job: job.id }
  const text = (From: string, Body: string) =>
    provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), From, To: NUMBER, Body })
  await text('+16175550209', 'Do you fix roofs?')
  await provider.email('/api/webhooks/email/inbound', {
    from: 'ada@example.com',
    to: ADDRESS,
    messageId: freshId('m'),
    subject: 'Gate',
    text: TEXT,
    attachments: [{ filename: 'gate.txt', contentType: 'text/plain', content: btoa('left') }],
  })
  await submit(office.browser, withAda(), { body: REPLY }, `${withAda()}/send`)
  await text('+16175550201', 'Thank you')
  ;[message, attachment, outgoing, stranger, conversation] = (await writeTenant(
    service.database,
    { tenant: office.id },
    async (db) =>
      Promise.all(
        [
          sql`select id from communications where tenant_id = ${db.tenant} and subject = 'Gate'`,
          sql`select id from attachments where tenant_id = ${db.tenant}`,
          sql`select id from outbox where tenant_id = ${db.tenant}`,
          sql`select id from correspondents where tenant_id = ${db.tenant} and customer_id is null`,
          sql`select conversation_id as id from communications where tenant_id = ${db.tenant} and customer_id is null`,
        ].map(async (query) => (await db.one<{ id: string }>(query)).id),
      ),
  )) as [string, string, string, string, string]
  none = (await office.signInMember('office', { Messages: 'none' })).browser
  viewer = (await office.signInMember('office', { Messages: 'view' })).browser
  viewers = [viewer, none, (await office.signInMember('office', { 'Customers & contacts': 'view' })).browser]
})
after(() => service.stop())

const withAda = (): string => office.at('messages', 'with', ada.id)
const statusAt = async (browser: Browser, path: string): Promise<number> => (await browser.get(path)).status
const textAt = async (browser: Browser, ...steps: string[]): Promise<string> =>
  load((await browser.get(office.at(...steps))).text)('body').text()

const pages = (): string[] => [
  office.at('messages'),
  withAda(),
  office.at('messages', stranger),
  office.at('messages', message, 'text'),
  office.at('attachments', attachment),
  office.at('outbox'),
  office.at('outbox', outgoing),
  office.at('outbox', 'suppressed'),
]

describe('permission to view messages', () => {
  it('opens every message page; without it, they return 404', async () => {
    for (const path of pages()) {
      assert.equal(await statusAt(none, path), 404, path)
      assert.equal(await statusAt(viewer, path), 200, path)
    }
  })

  it('controls message content on record pages, Today, the menu and the command palette', async () => {
    for (const [browser, may] of [
      [none, false],
      [viewer, true],
    ] as const) {
      const customer = load((await browser.get(office.at('customers', ada.id))).text)
      assert.equal(customer('body').text().includes(TEXT), may)
      assert.equal(customer('body').text().includes('unread message'), may)
      assert.equal(customer(`a[href*="show=messages"]`).length > 0, may)
      assert.equal(customer(`a[href="${office.at('messages')}"]`).length > 0, may)
      assert.equal((await textAt(browser)).includes('Do you fix roofs?'), may)
      const palette = await browser.get(`${office.at('search', 'results')}?q=messages`)
      assert.equal(palette.text.includes(office.at('messages')), may)
      assert.equal((await browser.get(`${office.at('customers', ada.id)}?show=messages`)).text.includes(TEXT), may)
    }
  })

  it("reveals a message's content on a related job; without it, only its recipient is shown", async () => {
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update outbox set about_id = ${ada.job}, about_kind = 'jobs' where tenant_id = ${db.tenant}`),
    )
    for (const [browser, may] of [
      [none, false],
      [viewer, true],
    ] as const) {
      const page = (await browser.get(office.at('jobs', ada.job))).text
      assert.ok(page.includes('ada@example.com'))
      assert.equal(page.includes(REPLY), may)
      assert.equal(page.includes('Re: Gate'), may)
      assert.equal(page.includes(office.at('outbox', outgoing)), may)
    }
  })

  it('is required for the message resources in MCP, together with access to customers', async () => {
    const uris = ['callout://messages', `callout://messages/${ada.id}`]
    const { result: own } = await newProtocolClient(
      service.url,
      await keyOf({ communications: 'view', customers: 'view' }),
    ).handshake('resources/read', { uri: uris[1] })
    assert.ok(JSON.stringify(own).includes(TEXT))
    for (const areas of [{ customers: 'view' }, { communications: 'view' }] as Record<string, string>[]) {
      const { handshake } = newProtocolClient(service.url, await keyOf(areas))
      for (const uri of uris)
        assert.equal((await handshake('resources/read', { uri })).error?.message, 'Resource not found')
    }
  })

  it('follows access to customers for members saved before this permission existed', async () => {
    const [old, limited] = [
      await office.signInMember('tech'),
      await office.signInMember('tech', { 'Customers & contacts': 'none' }),
    ]
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`update members set ceiling = ceiling - 'Messages'
        where tenant_id = ${db.tenant} and user_id = any(${[old.user_id, limited.user_id]}::uuid[])`),
    )
    assert.equal(await statusAt(old.browser, withAda()), 200)
    assert.equal(await statusAt(limited.browser, office.at('messages')), 404)
    const form = load((await office.browser.get(office.at('settings', 'members', old.user_id))).text)
    assert.equal(form('input[name=communications]:checked').val(), 'view')
  })
})

/** Creates an owner's API key on the settings page. */
async function keyOf(areas: Record<string, string>): Promise<string> {
  const path = office.at('settings', 'keys')
  const page = await sendForm(office.browser, path, [['name', 'Agent'], ['expires', ''], ...Object.entries(areas)])
  return /svc_uk_[\w-]+/.exec(page.text)?.[0] ?? ''
}

describe('permission to edit messages', () => {
  it('allows replying, assigning, archiving, linking and marking read, if customers are editable too', async () => {
    const acts = (): [string, [string, string][]][] => [
      [
        `${withAda()}/send`,
        [
          ['to', 'email:ada@example.com'],
          ['subject', 'x'],
          ['body', 'Hello'],
        ],
      ],
      [office.at('messages', stranger, 'assign'), [['member', '']]],
      [office.at('messages', stranger, 'archive'), []],
      [office.at('messages', conversation, 'link'), [['customer_id', ada.id]]],
      [
        office.at('messages', 'read'),
        [
          ['customer', ada.id],
          ['through', message],
        ],
      ],
    ]
    for (const browser of viewers)
      for (const [path, fields] of acts()) assert.equal((await sendForm(browser, path, fields)).status, 404, path)
    assert.equal(await statusAt(viewer, office.at('messages', 'new')), 404)
    assert.equal(load((await viewer.get(withAda())).text)('form[action$="/send"]').length, 0)
    assert.equal(load((await viewer.get(office.at('customers', ada.id))).text)('form[action$="/send"]').length, 0)
    assert.match((await office.browser.get(`${office.at('messages')}?view=unread`)).text, /Do you fix roofs\?/)
    for (const [path, fields] of acts()) assert.equal((await sendForm(office.browser, path, fields)).status, 303, path)
  })
})
