import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../../src/messaging/inbox/directory.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import { makeAttachment } from '../../harness/files/files.ts'
import type { TestService } from '../../harness/harness.ts'
import { freshId } from '../../harness/messaging/inbound.ts'
import { openOffice, pageTextOf, sendForm, submit, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, newBrowser, type BrowserResponse } from '../../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../../harness/clients/webhook_calls.ts'

const [NUMBER, ADDRESS] = ['+16175550100', 'jobs@in.example.com']

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  await addChannel(service.database, MAILBOXES, office.id, ADDRESS)
})
after(() => service.stop())

const text = (From: string, Body: string) =>
  provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), From, To: NUMBER, Body })
const mail = (more: object) =>
  provider.email('/api/webhooks/email/inbound', {
    from: 'Ana <ana@example.com>',
    to: ADDRESS,
    messageId: freshId('m'),
    text: 'Hello',
    ...more,
  })
const messages = (query = ''): string => `${office.at('messages')}${query}`
const FORM = Buffer.from('the form')

/** Opens an unknown sender's conversation by the text of its last message. */
async function openConversation(last: string): Promise<BrowserResponse> {
  const $ = load((await office.browser.get(messages('?view=unknown'))).text)
  const row = $('.conversations a').filter((_, one) => $(one).find('.excerpt').text().includes(last))
  return office.browser.get(row.attr('href')!)
}

describe("a customer's messages", () => {
  it("are shown newest first, escaped, with attachments and the reason why one wasn't stored", async () => {
    const { id } = await office.customer('Ana', { phone: '617 555 0101', email: 'ana@example.com' })
    await text('+16175550101', 'First <img src=x onerror=alert(1)>\nsecond line')
    await mail({
      subject: 'Re: <b>boiler</b>',
      text: 'Third',
      attachments: [
        makeAttachment('a form.txt', 'text/plain', FORM),
        makeAttachment('run.exe', 'application/x-msdownload', Buffer.from('MZ')),
      ],
    })
    const page = await office.browser.get(office.at('customers', id))
    assert.ok(!page.text.includes('<img src=x') && page.text.includes('onerror=alert(1)&gt;\nsecond line'))
    assert.match(
      pageTextOf(page),
      /2 unread messages .* Mark as read Activity .*Ana Email from Ana <ana@example\.com> Unread .*Re: <b>boiler<\/b> Third a form\.txt 8 bytes, being stored run\.exe not kept: a type that isn't accepted Ana Text from \(617\) 555-0101 Unread .* First <img /,
    )
    const [, path] = /href="(\/[0-9a-f-]+\/attachments\/[0-9a-f-]+)"/.exec(page.text)!
    const file = await office.browser.get(path!)
    assert.deepEqual(
      [
        file.status,
        file.text,
        file.headers.get('content-disposition')?.startsWith('attachment;'),
        file.headers.get('x-content-type-options'),
      ],
      [200, FORM.toString(), true, 'nosniff'],
    )
    assert.match(file.headers.get('content-security-policy') ?? '', /sandbox/)
  })

  it('show the delivery status and error of an outbound message', async () => {
    const { id } = await office.customer('Outgoing')
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`insert into communications
      (tenant_id, id, channel, direction, status, provider, sender, sender_address, recipients, customer_id, body, error_message, error_code)
      values (${office.id}, ${newId()}, 'sms', 'outbound', 'failed', 'sms', ${NUMBER}, ${NUMBER}, ${['+16175550102']}, ${id}, 'On our way', 'Unreachable', '30003')`),
    )
    assert.match(
      pageTextOf(await office.browser.get(office.at('customers', id))),
      /To \(617\) 555-0102 Text message Failed Unreachable 30003 .* On our way/,
    )
  })

  it('are marked as read up to the one shown, by members who can edit customers', async () => {
    const { id } = await office.customer('Ben', { phone: '617 555 0103' })
    await text('+16175550103', 'One')
    await text('+16175550103', 'Two')
    const [page, read] = [office.at('customers', id), office.at('messages', 'read')]
    const shown = await office.browser.get(page)
    const fields = ['customer', 'through', 'back'].map((name): [string, string] => [
      name,
      new RegExp(`name="${name}" value="([^"]+)"`).exec(shown.text)![1]!,
    ])
    const tech = await office.signInMember('tech')
    assert.ok(!pageTextOf(await tech.browser.get(page)).includes('Mark as read'))
    assert.equal((await sendForm(tech.browser, read, fields)).status, 404)
    const stranger = await openOffice(service, 'North Cleaning')
    assert.equal((await sendForm(stranger.browser, read, fields)).status, 404)
    assert.equal(
      (
        await office.browser.post(read, Object.fromEntries(fields), {
          origin: 'https://evil.example',
          'sec-fetch-site': 'cross-site',
        })
      ).status,
      403,
    )
    await text('+16175550103', 'Three')
    assert.equal((await sendForm(office.browser, read, fields)).location, page)
    assert.match(pageTextOf(await office.browser.get(page)), /Unread [^A-Z]*.* Three .*Read .* Two .*Read .* One /)
    assert.equal((await office.browser.get(read)).status, 405)
    assert.equal(
      (
        await sendForm(office.browser, read, [
          ['customer', 'x'],
          ['through', 'y'],
        ])
      ).status,
      404,
    )
    assert.equal(
      (
        await sendForm(
          office.browser,
          read,
          fields.map(([name, value]) => [name, name === 'back' ? '//evil.example/' : value]),
        )
      ).location,
      office.at('messages'),
    )
  })

  it('link to earlier messages after the first 25', async () => {
    const { id } = await office.customer('Cyd', { phone: '617 555 0104' })
    for (let i = 1; i <= 27; i++) await text('+16175550104', `Message-${i}.`)
    const page = await office.browser.get(`${office.at('customers', id)}?show=messages`)
    assert.ok(!page.text.includes('Message-2.') && page.text.includes('Message-3.'))
    const earlier = load(page.text)('.story [rel=next]').attr('href')!
    const before = pageTextOf(await office.browser.get(earlier.split('#')[0]!))
    assert.match(before, /Message-2\. .*Message-1\./)
    assert.ok(!before.includes('Message-3.'))
  })
})

describe('an attachment', () => {
  it('returns 404 without access to customers, in another company and for an unknown ID', async () => {
    const { id } = await office.customer('Dot', { email: 'dot@example.com' })
    await mail({ from: 'dot@example.com', attachments: [makeAttachment('x.txt', 'text/plain', FORM)] })
    const [, path] = /href="(\/[0-9a-f-]+\/attachments\/[0-9a-f-]+)"/.exec(
      (await office.browser.get(office.at('customers', id))).text,
    )!
    const [blind, stranger] = [
      await office.signInMember('office', { 'Customers & contacts': 'none' }),
      await openOffice(service, 'North Cleaning'),
    ]
    assert.equal((await blind.browser.get(path!)).status, 404)
    assert.equal((await stranger.browser.get(path!)).status, 404)
    assert.equal((await stranger.browser.get(path!.replace(office.id, stranger.id))).status, 404)
    assert.equal((await newBrowser(service).get(path!)).status, 303)
    for (const path of [
      office.at('attachments', newId()),
      office.at('attachments', '-'.repeat(36)),
      office.at('messages', '-'.repeat(36), 'link'),
      office.at('customers', '-'.repeat(36), 'merge'),
    ]) {
      assert.equal((await office.browser.get(path)).status, 404, path)
    }
  })
})

describe('the messages page', () => {
  it('lists conversations newest first, filtered by unread and unknown sender', async () => {
    const { id } = await office.customer('Eve', { phone: '617 555 0105' })
    await text('+16175550105', 'From a customer')
    await text('+16175550106', 'From a stranger')
    const all = await office.browser.get(messages())
    assert.match(
      pageTextOf(all),
      /\(617\) 555-0106 1 one unread .*From a stranger .*Eve 1 one unread .*From a customer/,
    )
    const conversation = office.at('messages', 'with', id)
    assert.ok(
      all.text.includes(`href="${conversation}"`) &&
        all.text.includes(`href="${office.at('messages')}" data-key="m" aria-current="page"`),
    )
    const unknown = pageTextOf(await office.browser.get(messages('?view=unknown')))
    assert.ok(unknown.includes('From a stranger') && !unknown.includes('From a customer'))
    const opened = await office.browser.get(conversation)
    assert.ok(pageTextOf(opened).includes('From a customer') && !pageTextOf(opened).includes('From a stranger'))
    assert.equal((await submit(office.browser, conversation, {}, office.at('messages', 'read'))).location, conversation)
    const unread = pageTextOf(await office.browser.get(messages('?view=unread')))
    assert.ok(unread.includes('From a stranger') && !unread.includes('From a customer'))
    assert.equal((await office.browser.get(messages(`?customer_id=${id}`))).location, conversation)
  })

  it('returns 404 without access to customers', async () => {
    const blind = await office.signInMember('office', { 'Customers & contacts': 'none' })
    assert.equal((await blind.browser.get(messages())).status, 404)
    assert.ok(!(await blind.browser.get(office.at())).text.includes('>Messages'))
    assert.equal((await newBrowser(service).get(messages())).status, 303)
  })

  it("links an unknown sender's messages to one of the customers with that number", async () => {
    const [one, two] = [
      await office.customer('Twin one', { phone: '617 555 0107' }),
      await office.customer('Twin two', { phone: '617 555 0107' }),
    ]
    await text('+16175550107', 'Which of us?')
    const [, linking] = /href="([^"]+\/link)"/.exec((await openConversation('Which of us?')).text)!
    const choice = await office.browser.get(linking!)
    assert.match(pageTextOf(choice), /Which of us\? .*Twin one .*Twin two/)
    assert.ok(!pageTextOf(choice).includes('Eve'))
    const tech = await office.signInMember('tech')
    assert.equal((await tech.browser.get(linking!)).status, 404)
    assert.equal((await sendForm(tech.browser, linking!, [['customer_id', one.id]])).status, 404)
    const stranger = await openOffice(service, 'North Cleaning')
    const foreign = await stranger.customer('Foreign')
    for (const customer of [foreign.id, 'nobody'])
      assert.equal((await sendForm(office.browser, linking!, [['customer_id', customer]])).status, 404)
    assert.equal(
      (await sendForm(stranger.browser, linking!.replace(office.id, stranger.id), [['customer_id', foreign.id]]))
        .status,
      404,
    )
    assert.equal(
      (await sendForm(office.browser, linking!, [['customer_id', two.id]])).location,
      office.at('customers', two.id),
    )
    assert.match(
      pageTextOf(await office.browser.get(office.at('customers', two.id))),
      /Ana Ruiz linked messages .*Which of us\?/,
    )
    assert.equal((await office.browser.get(linking!)).status, 404)
    assert.equal((await sendForm(office.browser, linking!, [['customer_id', one.id]])).status, 409)
  })

  it("warns when an email fails DMARC, and doesn't link it to the customer", async () => {
    await office.customer('Fay', { email: 'fay@example.com' })
    await mail({ from: 'fay@example.com', text: 'Send me the keys', dmarc: 'fail' })
    const [message] = (
      await service.database.send([
        sql`select enter_tenant(${office.id}, null, 0)`,
        sql`select dmarc, customer_id from communications where tenant_id = ${office.id} and body = 'Send me the keys'`,
      ])
    )[1]!.rows
    assert.deepEqual(message, { dmarc: 'fail', customer_id: null })
    assert.match(
      pageTextOf(await openConversation('Send me the keys')),
      /The sender may not be who they claim to be .*Send me the keys/,
    )
  })
})

describe('messages of merged customers', () => {
  it('move to one thread of the kept customer, including those that arrive during the merge', async () => {
    const [gone, kept] = [await office.customer('Mover', { phone: '617 555 0110' }), await office.customer('Stayer')]
    await text('+16175550110', 'To be moved')
    const [merged] = await Promise.all([
      submit(
        office.browser,
        `${office.at('customers', kept.id, 'merge')}?with=${gone.id}`,
        {},
        office.at('customers', kept.id, 'merge'),
      ),
      ...Array.from({ length: 6 }, (_, i) => text('+16175550110', `Meanwhile ${i}`)),
    ])
    assert.equal(merged.location, office.at('customers', kept.id))
    await text('+16175550110', 'Afterwards')
    const [answer] = (
      await service.database.send([
        sql`select enter_tenant(${office.id}, null, 0)`,
        sql`select customer_id, count(*) as n, count(distinct conversation_id) as threads
      from communications where tenant_id = ${office.id} and sender_address = '+16175550110' group by 1`,
      ])
    ).slice(1)
    assert.deepEqual(answer!.rows, [{ customer_id: kept.id, n: 8, threads: 1 }])
  })

  it('become one thread when both customers have the same number', async () => {
    const [gone, kept] = [await office.customer('Old', { phone: '617 555 0111' }), await office.customer('New')]
    await text('+16175550111', 'On the old')
    await office.call('contacts_archive', { id: gone.contacts[0].id })
    await office.call('contacts_create', { customer_id: kept.id, phone: '617 555 0111' })
    await text('+16175550111', 'On the new')
    await submit(
      office.browser,
      `${office.at('customers', kept.id, 'merge')}?with=${gone.id}`,
      {},
      office.at('customers', kept.id, 'merge'),
    )
    assert.match(
      pageTextOf(await office.browser.get(office.at('customers', kept.id))),
      /Arrived with it: .*1 message .*On the new .*On the old /,
    )
    await text('+16175550111', 'And on')
    const [answer] = (
      await service.database.send([
        sql`select enter_tenant(${office.id}, null, 0)`,
        sql`select count(distinct conversation_id) as threads, count(*) as n from communications
      where tenant_id = ${office.id} and customer_id = ${kept.id}`,
      ])
    ).slice(1)
    assert.deepEqual(answer!.rows, [{ threads: 1, n: 3 }])
  })
})
