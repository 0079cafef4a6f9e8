import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import type { TestService } from '../harness/harness.ts'
import { freshId, messagesOf, type Stored } from '../harness/messaging/inbound.ts'
import { openOffice, pageTextOf, sendForm, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

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

const findMessage = async (id: string): Promise<Stored> =>
  (await messagesOf(service.database, office.id)).find((one) => one.provider_message_id === id)!
async function text(From: string, Body = 'Hello'): Promise<Stored> {
  const MessageSid = freshId()
  assert.equal(
    (await provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid, From, To: NUMBER, Body })).status,
    200,
  )
  return findMessage(MessageSid)
}
async function mail(from: string, more: object = {}): Promise<Stored> {
  const messageId = `<${freshId('m')}@example.com>`
  assert.equal(
    (await provider.email('/api/webhooks/email/inbound', { from, to: ADDRESS, messageId, text: 'Hello', ...more }))
      .status,
    200,
  )
  return findMessage(messageId)
}
const link = (thread: Stored, customer: string, more: [string, string][] = []) =>
  sendForm(office.browser, office.at('messages', thread.conversation_id, 'link'), [['customer_id', customer], ...more])

describe('a message whose sender matches no contact', () => {
  it('is linked to the customer of the conversation with that number', async () => {
    const { id } = await office.customer('Ana')
    const first = await text('+16175550201')
    assert.equal(first.customer_id, null)
    assert.equal((await link(first, id)).status, 303)
    const next = await text('+16175550201')
    assert.deepEqual([next.customer_id, next.contact_id, next.conversation_id], [id, null, first.conversation_id])
  })

  it('is linked to the customer of the email it answers, unless DMARC failed', async () => {
    const { id } = await office.customer('Bea', { email: 'bea@example.com' })
    const asked = await mail('bea@example.com')
    assert.equal(asked.customer_id, id)
    const answer = await mail('bea.home@example.com', { inReplyTo: asked.provider_message_id, dmarc: 'none' })
    assert.deepEqual([answer.customer_id, answer.contact_id, answer.conversation_id], [id, null, asked.conversation_id])
    const forged = await mail('bea.office@example.com', { inReplyTo: asked.provider_message_id, dmarc: 'fail' })
    assert.deepEqual([forged.customer_id, forged.conversation_id === asked.conversation_id], [null, false])
  })

  it("isn't linked if two customers had conversations with the number, or the only one is archived", async () => {
    const [one, two] = [await office.customer('Cy', { phone: '617 555 0202' }), await office.customer('Di')]
    const first = await text('+16175550202')
    assert.equal(first.customer_id, one.id)
    await office.call('contacts_archive', { id: one.contacts[0].id })
    await office.call('contacts_create', { customer_id: two.id, phone: '617 555 0202' })
    const moved = await text('+16175550202')
    assert.equal(moved.customer_id, two.id)
    const { contacts } = await office.call('customers_get', { id: two.id })
    await office.call('contacts_archive', { id: contacts[0].id })
    assert.equal((await text('+16175550202')).customer_id, null)
    await office.call('customers_archive', { id: two.id })
    assert.equal((await text('+16175550202')).customer_id, one.id)
    await office.call('customers_archive', { id: one.id })
    assert.equal((await text('+16175550202')).customer_id, null)
  })

  it('is linked to the contact with the number, whoever had the conversation, unless two have it', async () => {
    const [old, now] = [await office.customer('Eve'), await office.customer('Flo')]
    await link(await text('+16175550203'), old.id)
    const made = await office.call('contacts_create', { customer_id: now.id, phone: '617 555 0203' })
    const next = await text('+16175550203')
    assert.deepEqual([next.customer_id, next.contact_id], [now.id, made['id']])
    await office.customer('Gus', { phone: '617 555 0203' })
    assert.equal((await text('+16175550203')).customer_id, null)
  })
})

describe('linking a conversation by hand', () => {
  it('offers to add the number or address to the contact, and does so on request', async () => {
    const { id } = await office.customer('Hal', { email: 'hal@example.com' })
    const first = await text('+16175550204')
    const page = await office.browser.get(office.at('messages', first.conversation_id, 'link') + '?customer=Hal')
    assert.ok(pageTextOf(page).includes("Add (617) 555-0204 to the customer's contacts"))
    assert.ok(!/name="add"[^>]*checked/.test(page.text) && page.text.includes('form="link"'))
    await link(first, id, [['add', 'yes']])
    const contactsOf = async (customer: string): Promise<[string | null, string | null][]> =>
      (await office.call('customers_get', { id: customer })).contacts.map(
        ({ phone, email }: { phone: string | null; email: string | null }) => [phone, email],
      )
    assert.deepEqual(await contactsOf(id), [['+16175550204', 'hal@example.com']])
    const next = await text('+16175550204')
    assert.notEqual(next.contact_id, null)
    await link(await mail('Hal Two <Hal.Two@example.com>'), id, [['add', 'yes']])
    assert.deepEqual((await contactsOf(id))[1], [null, 'hal.two@example.com'])
    await link(await mail('hal.three@example.com'), id)
    assert.equal((await contactsOf(id)).length, 2)
  })

  it('offers no contact for a short code', async () => {
    const { id } = await office.customer('Ida')
    const short = await text('72345')
    const page = await office.browser.get(office.at('messages', short.conversation_id, 'link'))
    assert.ok(!page.text.includes('name="add"'))
    assert.equal((await link(short, id, [['add', 'yes']])).location, office.at('customers', id))
    assert.equal((await office.call('customers_get', { id })).contacts.length, 0)
  })
})
