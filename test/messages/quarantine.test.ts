import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { MAILBOXES, NUMBERS, addChannel, listChannels, removeChannel } from '../../src/messaging/inbox/directory.ts'
import { COMMAND_LINE, reviewScopeOf, type ReviewScope } from '../../src/identity/people/review_scope.ts'
import { findQuarantined, listQuarantined } from '../../src/messaging/inbox/quarantine/quarantine.ts'
import {
  assignQuarantined,
  discardQuarantined,
  openQuarantined,
  replayQuarantined,
} from '../../src/messaging/inbox/quarantine/quarantine_review.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { makeAttachment } from '../harness/files/files.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

let service: TestService
let company: Receiver
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeReceiver(service)
})
after(() => service.stop())

const operator: ReviewScope = { by: { user: newId() }, tenant: null }
const unknownAddress = (): string => `${freshId('x')}@in.example.com`

/** Quarantines an email and returns its row id. */
async function waitingMail(
  given: { to?: string; messageId?: string; text?: string } = {},
): Promise<{ id: string; messageId: string; to: string }> {
  const { to = unknownAddress(), messageId = freshId('m'), text = 'Hello' } = given
  await provider.email('/api/webhooks/email/inbound', {
    from: 'ana@example.com',
    to,
    messageId,
    text,
    attachments: [makeAttachment('a.txt', 'text/plain', Buffer.from('a'))],
  })
  return { id: String((await quarantinedUnder(service.database, messageId)).at(-1)!['id']), messageId, to }
}

async function waitingSms(): Promise<{ id: string; sid: string; number: string }> {
  const [sid, number] = [freshId(), `+1202555${String(Math.floor(Math.random() * 10_000)).padStart(4, '0')}`]
  await provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: sid, From: '+16175550999', To: number, Body: 'Hi' })
  return { id: String((await quarantinedUnder(service.database, sid))[0]!['id']), sid, number }
}

const reviews = async (id: string) =>
  (
    await service.database.send([
      sql`select user_id, act, record_type, changed from reviews where record_id = ${id} order by id`,
    ])
  )[0]!.rows
const row = async (id: string) =>
  (await service.database.send([sql`select state, assigned_to, raw from quarantined_messages where id = ${id}`]))[0]!
    .rows[0]

describe('the quarantine', () => {
  it('lists messages newest first, with paging and filters by channel and reason', async () => {
    const first = await waitingMail()
    const second = await waitingSms()
    const {
      rows: [newest, older],
      next,
    } = await listQuarantined(service.database, operator, { limit: 2 })
    assert.deepEqual([newest!.id, older!.id], [second.id, first.id])
    assert.deepEqual(
      (await listQuarantined(service.database, operator, { before: second.id, limit: 1 })).rows.map(({ id }) => id),
      [first.id],
    )
    assert.ok(!('raw' in newest!))
    const total = (await listQuarantined(service.database, operator, { limit: 1_000 })).rows.length
    assert.equal(next, total > 2 ? first.id : null)
    assert.equal((await listQuarantined(service.database, operator, { limit: total })).next, null)
    assert.equal((await listQuarantined(service.database, operator, { channel: 'email' })).rows[0]!.id, first.id)
    assert.deepEqual(
      (await listQuarantined(service.database, operator, { channel: 'sms', reason: 'other_content' })).rows,
      [],
    )
    assert.match((await findQuarantined(service.database, operator, first.id)).raw.toString(), /"messageId"/)
  })

  it('shows a message in full', async () => {
    const { id } = await waitingMail({ text: 'x'.repeat(2_000) })
    const { excerpt, body, attachments, recipients } = await openQuarantined(service.database, operator, id)
    assert.deepEqual(
      [excerpt.length, body.length, attachments, recipients.length],
      [500, 2_000, [{ file_name: 'a.txt', content_type: 'text/plain', size_bytes: 1, reason: null }], 1],
    )
    const { body: text, dmarc } = await openQuarantined(service.database, operator, (await waitingSms()).id)
    assert.deepEqual([text, dmarc], ['Hi', null])
  })
})

describe('an owner', () => {
  it('sees and decides only the messages of their own company', async () => {
    const { database } = service
    const owner = (await reviewScopeOf(database, company.owner.id, company.tenant))!
    const other = await makeReceiver(service)
    const theirs = (await reviewScopeOf(database, other.owner.id, other.tenant))!
    const taken = freshId('m')
    for (const text of ['first', 'second', 'third', 'fourth'])
      await provider.email('/api/webhooks/email/inbound', {
        from: 'ana@example.com',
        to: company.address,
        messageId: taken,
        text,
      })
    const [second, third, fourth] = (await quarantinedUnder(database, taken)).map(({ id }) => String(id)) as [
      string,
      string,
      string,
    ]
    const nobodys = await waitingMail()
    assert.deepEqual(
      (await listQuarantined(database, owner)).rows.map(({ id }) => id),
      [fourth, third, second],
    )
    assert.deepEqual((await listQuarantined(database, theirs)).rows, [])
    for (const [desk, id] of [
      [owner, nobodys.id],
      [theirs, second],
    ] as const) {
      await assert.rejects(openQuarantined(database, desk, id), /quarantined message not found/)
      await assert.rejects(assignQuarantined(database, desk, id, desk.tenant!), /quarantined message not found/)
      await assert.rejects(replayQuarantined(database, desk, id), /quarantined message not found/)
      await assert.rejects(discardQuarantined(database, desk, id), /quarantined message not found/)
    }
    await assert.rejects(assignQuarantined(database, owner, second, other.tenant), /tenant not found/)
    await assignQuarantined(database, owner, second, company.tenant)
    await discardQuarantined(database, owner, third)
    await assert.rejects(replayQuarantined(database, owner, fourth), /assign this one to it too, or discard it/)
    assert.deepEqual(
      (await company.messages())
        .filter(({ provider_message_id }) => provider_message_id.startsWith(taken))
        .map(({ body }) => body)
        .sort(),
      ['first', 'second'],
    )
    assert.deepEqual(
      (await reviews(second)).map(({ user_id }) => user_id),
      [company.owner.id],
    )
    assert.deepEqual(
      (await listQuarantined(database, owner)).rows.map(({ id }) => id),
      [fourth],
    )
  })
})

describe('assigning a quarantined message', () => {
  it('stores it in the company with its attachments and adds an audit entry', async () => {
    const { id, messageId } = await waitingMail()
    await assignQuarantined(service.database, operator, id, company.tenant)
    const message = await company.message(messageId)
    assert.deepEqual(
      [message.body, (await company.attachments(message.id)).map(({ state }) => state)],
      ['Hello', ['pending']],
    )
    assert.deepEqual(await row(id), { state: 'assigned', assigned_to: [company.tenant], raw: null })
    assert.deepEqual(await reviews(id), [
      {
        user_id: operator.by!.user,
        act: 'quarantine.assign',
        record_type: 'quarantine',
        changed: { reason: 'no_tenant', channel: 'email', message: messageId, tenants: [company.tenant] },
      },
    ])
    assert.equal(
      (await listQuarantined(service.database, operator)).rows.find((one) => one.id === id),
      undefined,
    )
  })

  it('works for an SMS', async () => {
    const { id, sid } = await waitingSms()
    await assignQuarantined(service.database, COMMAND_LINE, id, company.tenant)
    assert.equal((await company.message(sid)).body, 'Hi')
  })

  it('stores a message with a known id next to the first one', async () => {
    const taken = freshId('m')
    await provider.email('/api/webhooks/email/inbound', {
      from: 'ana@example.com',
      to: company.address,
      messageId: taken,
      text: 'first',
    })
    const { id } = await waitingMail({ to: company.address, messageId: taken, text: 'second' })
    await assignQuarantined(service.database, operator, id, company.tenant)
    const texts = (await company.messages())
      .filter(({ provider_message_id }) => provider_message_id.startsWith(taken))
      .map(({ body }) => body)
    assert.deepEqual(texts.sort(), ['first', 'second'])
  })

  it("happens once for concurrent calls, and a redelivery isn't quarantined again", async () => {
    const { id, messageId, to } = await waitingMail()
    const done = await Promise.allSettled(
      [1, 2, 3].map(() => assignQuarantined(service.database, operator, id, company.tenant)),
    )
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected', 'rejected'])
    assert.equal((await reviews(id)).length, 1)
    await waitingMail({ to, messageId })
    assert.equal((await quarantinedUnder(service.database, messageId)).length, 1)
  })

  it('refuses an unknown company and an unknown message', async () => {
    const { id } = await waitingMail()
    await assert.rejects(assignQuarantined(service.database, operator, id, newId()), /tenant not found/)
    for (const unknown of [newId(), 'x'])
      await assert.rejects(
        assignQuarantined(service.database, operator, unknown, company.tenant),
        /quarantined message not found/,
      )
    assert.equal((await row(id))!['state'], 'open')
  })
})

describe('replaying a quarantined message', () => {
  it('delivers it to the company that owns the address or number by now', async () => {
    const mail = await waitingMail()
    const sms = await waitingSms()
    for (const { id } of [mail, sms])
      await assert.rejects(replayQuarantined(service.database, operator, id), /no company has/)
    await addChannel(service.database, MAILBOXES, company.tenant, mail.to.toLowerCase())
    await addChannel(service.database, NUMBERS, company.tenant, sms.number)
    for (const { id } of [mail, sms]) await replayQuarantined(service.database, operator, id)
    assert.ok((await company.message(mail.messageId)) && (await company.message(sms.sid)))
    assert.deepEqual(
      (await reviews(mail.id)).map(({ act }) => act),
      ['quarantine.replay'],
    )
  })

  it('stores nothing twice if the message was redelivered in the meantime', async () => {
    const { id, messageId, to } = await waitingMail()
    await addChannel(service.database, MAILBOXES, company.tenant, to.toLowerCase())
    await provider.email('/api/webhooks/email/inbound', {
      from: 'ana@example.com',
      to,
      messageId,
      text: 'Hello',
      attachments: [makeAttachment('a.txt', 'text/plain', Buffer.from('a'))],
    })
    await replayQuarantined(service.database, operator, id)
    assert.equal(
      (await company.messages()).filter(({ provider_message_id }) => provider_message_id.startsWith(messageId)).length,
      1,
    )
  })

  it('refuses a message whose id is taken', async () => {
    const taken = freshId('m')
    await provider.email('/api/webhooks/email/inbound', {
      from: 'ana@example.com',
      to: company.address,
      messageId: taken,
      text: 'first',
    })
    const { id } = await waitingMail({ to: company.address, messageId: taken })
    await assert.rejects(replayQuarantined(service.database, operator, id), /assign this one to it too, or discard it/)
  })
})

describe('discarding a quarantined message', () => {
  it('is permanent and audited once', async () => {
    const { id, messageId, to } = await waitingMail()
    const done = await Promise.allSettled([1, 2].map(() => discardQuarantined(service.database, operator, id)))
    assert.deepEqual(done.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
    assert.deepEqual(await row(id), { state: 'discarded', assigned_to: [], raw: null })
    assert.deepEqual(
      (await reviews(id)).map(({ act }) => act),
      ['quarantine.discard'],
    )
    await provider.email('/api/webhooks/email/inbound', {
      from: 'ana@example.com',
      to,
      messageId,
      text: 'Hello',
      attachments: [makeAttachment('a.txt', 'text/plain', Buffer.from('a'))],
    })
    assert.equal((await quarantinedUnder(service.database, messageId)).length, 1)
    await assert.rejects(discardQuarantined(service.database, operator, id), /not found/)
  })
})

describe('a number or mailbox', () => {
  it('belongs to one company until it is removed', async () => {
    const address = unknownAddress()
    await addChannel(service.database, MAILBOXES, company.tenant, address)
    await assert.rejects(
      addChannel(service.database, MAILBOXES, company.tenant, address),
      /a company has this address already/,
    )
    assert.deepEqual(
      (await listChannels(service.database, MAILBOXES, company.tenant)).filter((channel) => channel.address === address)
        .length,
      1,
    )
    await removeChannel(service.database, MAILBOXES, address)
    await assert.rejects(removeChannel(service.database, MAILBOXES, address), /mailbox not found/)
    await assert.rejects(
      addChannel(service.database, NUMBERS, company.tenant, company.number),
      /a company has this number already/,
    )
  })
})
