import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, readTenant, writeTenant } from '../../src/platform/db/tenant.ts'
import { NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import type { TestService } from '../harness/harness.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { freshId } from '../harness/messaging/inbound.ts'
import { openOffice, pageTextOf, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

const NUMBER = '+16175550100'

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
})
after(() => service.stop())

async function text(From: string, Body: string, MessageSid = freshId()): Promise<void> {
  const { status, text } = await provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid, From, To: NUMBER, Body })
  assert.deepEqual([status, text], [200, '<Response></Response>'])
}
const readStopTime = async (contact: string): Promise<string | null> =>
  (
    await readTenant(service.database, { tenant: office.id }, (db) =>
      db.one<{ at: string | null }>(
        sql`select sms_stopped_at as at from contacts where tenant_id = ${office.id} and id = ${contact}`,
      ),
    )
  ).at

let serial = 0
const addCustomer = async () => {
  const phone = `+1617556${String(++serial).padStart(4, '0')}`
  const { id, contacts } = await office.customer(`Ana ${serial}`, { phone })
  return { phone, id: id as string, contact: contacts[0].id as string }
}

describe('STOP and START replies', () => {
  it('are recognized by each keyword in any case, but not within a sentence', async () => {
    const { phone, contact } = await addCustomer()
    for (const stop of ['STOP', 'stopall', ' Unsubscribe\n', 'cancel', 'End', 'quit']) {
      await text(phone, stop)
      assert.notEqual(await readStopTime(contact), null, stop)
      for (const odd of ['please start', 'YES!', 'No']) await text(phone, odd)
      assert.notEqual(await readStopTime(contact), null, stop)
      const start = ['START', 'yes', 'Unstop'][serial++ % 3]!
      await text(phone, start)
      assert.equal(await readStopTime(contact), null, start)
    }
    for (const odd of ['stop it', 'STOPP', '', 'the end', 'We will stop by']) await text(phone, odd)
    assert.equal(await readStopTime(contact), null)
  })

  it('apply to every contact of the company with the number, and to no other company', async () => {
    const { phone, id, contact } = await addCustomer()
    const [twin, other] = [
      await office.call('contacts_create', { customer_id: id, first_name: 'Bo', phone }),
      await addCustomer(),
    ]
    const stranger = await openOffice(service, 'North Cleaning')
    const theirs = (await stranger.customer('Ana', { phone })).contacts[0].id
    await text(phone, 'STOP')
    assert.deepEqual(
      [await readStopTime(contact), await readStopTime(twin['id'])].map((at) => at !== null),
      [true, true],
    )
    assert.equal(await readStopTime(other.contact), null)
    const [, { rows }] = (await service.database.send([
      sql`select enter_tenant(${stranger.id}, null, 0)`,
      sql`select sms_stopped_at from contacts where tenant_id = ${stranger.id} and id = ${theirs}`,
    ])) as [unknown, { rows: unknown[] }]
    assert.deepEqual(rows, [{ sms_stopped_at: null }])
  })

  it('are applied once: a redelivery changes nothing, and a second STOP keeps the first time', async () => {
    const { phone, contact } = await addCustomer()
    const sid = freshId()
    await text(phone, 'STOP', sid)
    const first = await readStopTime(contact)
    await text(phone, 'Stop')
    assert.equal(await readStopTime(contact), first)
    await text(phone, 'START')
    await text(phone, 'STOP', sid)
    assert.equal(await readStopTime(contact), null)
  })

  it("are shown on the contact's page, but not by tools", async () => {
    const { phone, contact } = await addCustomer()
    const before = await office.call('contacts_get', { id: contact })
    await text(phone, 'STOP')
    assert.deepEqual(await office.call('contacts_get', { id: contact }), before)
    assert.match(
      pageTextOf(await office.browser.get(office.at('contacts', contact))),
      /Replied STOP .*No texts to this number/,
    )
    await text(phone, 'START')
    assert.ok(!pageTextOf(await office.browser.get(office.at('contacts', contact))).includes('Replied STOP'))
  })
})

const send = (to: string, body: string) =>
  writeTenant(service.database, { tenant: office.id }, (db) =>
    queueMessage(db, { channel: 'sms', to, body, about: null, customerId: null, cause: 'reply', by: null }),
  )

describe('an opt-out in other words', () => {
  it('is recognized with punctuation, quotes or "please", by FCC keywords and in Spanish', async () => {
    const { phone, contact } = await addCustomer()
    for (const words of ['STOP.', 'Stop all', '“STOP”', 'stop please', 'REVOKE', 'OPTOUT', 'opt out', 'ALTO', 'BAJA']) {
      await text(phone, words)
      assert.notEqual(await readStopTime(contact), null, words)
      await assert.rejects(send(phone, 'Hello'), /opted out of texts/, words)
      await text(phone, 'START')
    }
    assert.equal(await readStopTime(contact), null)
  })

  it('waits for review if it is unclear, and blocks texts until then', async () => {
    const { phone, id, contact } = await addCustomer()
    await text(phone, 'Stop texting me about this')
    assert.equal(await readStopTime(contact), null)
    await assert.rejects(send(phone, 'Hello'), /may have opted out of texts/)
    const page = pageTextOf(await office.browser.get(office.at('messages', 'with', id)))
    assert.match(page, /Did they ask you to stop texting\? They wrote “Stop texting me about this”/)
    assert.match(pageTextOf(await office.browser.get(office.at('messages'))), /Asked to stop\?/)
    const decide = (decision: string) =>
      office.browser.post(office.at('outbox', 'suppressed'), { channel: 'sms', address: phone, decision })
    await decide('keep')
    await send(phone, 'Hello again')
    await text(phone, 'Cancel it please')
    await decide('stop')
    assert.notEqual(await readStopTime(contact), null)
    await assert.rejects(send(phone, 'Hello'), /opted out of texts/)
    await decide('stop')
    await text(phone, 'START')
    assert.equal(await readStopTime(contact), null)
    await decide('stop')
    assert.equal(await readStopTime(contact), null, 'nothing waits for a decision')
  })

  it("isn't detected in ordinary conversation", async () => {
    const { phone } = await addCustomer()
    await text(phone, 'Stop by whenever you like today, somebody is always at home')
    await send(phone, 'See you then')
  })
})
