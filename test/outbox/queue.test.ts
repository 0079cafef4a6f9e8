import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { resendMessage } from '../../src/messaging/outbox/decisions.ts'
import type { OutgoingMessage } from '../../src/messaging/outbox/outgoing.ts'
import { SENDING_TASKS, queueMessage } from '../../src/messaging/outbox/queue.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { TestService } from '../harness/harness.ts'
import { freshId } from '../harness/messaging/inbound.ts'
import { openOffice, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

const NUMBER = '+16175550100'
const MAILBOX = 'office@alder.example'

let service: TestService
let office: Office
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startSite(WEBHOOK_ENV)
  provider = providerOf(service)
  office = await openOffice(service, 'Alder Plumbing')
  await addChannel(service.database, NUMBERS, office.id, NUMBER)
  await addChannel(service.database, MAILBOXES, office.id, MAILBOX)
})
after(() => service.stop())

const mail: OutgoingMessage = {
  channel: 'email',
  to: 'ana@example.com',
  subject: 'Your invoice',
  body: 'Thank you.',
  about: null,
  customerId: null,
  cause: 'sent',
  by: null,
}
const sms: OutgoingMessage = { ...mail, channel: 'sms', to: '(617) 555-0142', body: 'On my way' }

const queue = (outgoing: OutgoingMessage) =>
  writeTenant(service.database, { tenant: office.id }, (db) => queueMessage(db, outgoing))
const rows = <Row extends object>(query: ReturnType<typeof sql>): Promise<Row[]> =>
  readTenant(service.database, { tenant: office.id }, (db) => db.all<Row>(query))
const message = async (id: string) =>
  (
    await rows<Record<string, unknown>>(
      sql`select m.*, o.state, o.recipient, o.reason, o.queued_by, o.cause from communications m join outbox o using (tenant_id, id) where id = ${id}`,
    )
  )[0]!
const countOutbox = async (): Promise<number> => (await rows(sql`select id from outbox`)).length
const assertRefused = async (outgoing: OutgoingMessage, message: RegExp): Promise<void> => {
  const before = await countOutbox()
  await assert.rejects(queue(outgoing), { name: 'Refusal', message })
  assert.equal(await countOutbox(), before)
}

describe('a queued message', () => {
  it('appears in its conversation, the outbox and the audit log, and schedules the sending task', async () => {
    const { id } = await queue({ ...mail, by: office.owner.user_id, toName: 'Ana' })
    const row = await message(id)
    assert.deepEqual(
      [row['status'], row['direction'], row['state'], row['recipients'], row['sender'], row['sender_address']],
      ['queued', 'outbound', 'queued', ['ana@example.com'], 'Alder Plumbing', MAILBOX],
    )
    assert.notEqual(row['conversation_id'], null)
    const [audit] = await rows<{ user_id: string; changed: { to: unknown } }>(
      sql`select user_id, changed from audit where record_id = ${id}`,
    )
    assert.deepEqual([audit!.user_id, audit!.changed.to], [office.owner.user_id, [null, 'ana@example.com']])
    assert.equal(
      (await rows(sql`select from chore_leases where chore = ${SENDING_TASKS.email} and due_at is not null`)).length,
      1,
    )
  })

  it('joins the conversation of the message it answers', async () => {
    await provider.email('/api/webhooks/email/inbound', {
      from: 'ben@example.com',
      to: MAILBOX,
      messageId: '<q1@example.com>',
      text: 'When?',
    })
    const [asked] = await rows<{ id: string; conversation_id: string }>(
      sql`select id, conversation_id from communications where provider_message_id = '<q1@example.com>'`,
    )
    const { id } = await queue({ ...mail, to: 'ben@example.com', cause: 'reply', inReplyTo: asked!.id })
    const row = await message(id)
    assert.deepEqual([row['conversation_id'], row['in_reply_to']], [asked!.conversation_id, '<q1@example.com>'])
  })

  it('keeps its conversation and sender when it is resent after a failure, by email and SMS', async () => {
    const [box, number] = ['second@alder.example', '+16175550101']
    await addChannel(service.database, MAILBOXES, office.id, box)
    await addChannel(service.database, NUMBERS, office.id, number)
    const from = 'dora@example.com'
    const messageId = '<q2@example.com>'
    await provider.email('/api/webhooks/email/inbound', { from, to: box, messageId, text: 'And when?' })
    const sid = freshId()
    const asking = { MessageSid: sid, From: '+16175550143', To: number, Body: 'Where are you?' }
    await provider.sms('/api/webhooks/sms/inbound-sms', asking)
    for (const [asked, outgoing] of [
      [messageId, { ...mail, to: from }],
      [sid, { ...sms, to: '+16175550143' }],
    ] as const) {
      const [{ id: inReplyTo } = { id: '' }] = await rows<{ id: string }>(
        sql`select id from communications where provider_message_id = ${asked}`,
      )
      const { id } = await queue({ ...outgoing, cause: 'reply', inReplyTo })
      const again = await writeTenant(service.database, { tenant: office.id }, async (db) => {
        await db.run(
          sql`update outbox set state = 'failed', reason = 'gave_up' where tenant_id = ${office.id} and id = ${id}`,
        )
        return resendMessage(db, office.owner.user_id, id)
      })
      const threadOf = ({ conversation_id, in_reply_to, sender_address, cause }: Record<string, unknown>) => [
        conversation_id,
        in_reply_to,
        sender_address,
        cause,
      ]
      assert.notEqual(again, id)
      assert.deepEqual(threadOf(await message(again)), threadOf(await message(id)))
      assert.equal((await message(again))['sender_address'], outgoing.channel === 'email' ? box : number)
    }
  })

  it('is resent once after a failure, whoever does it, and again after that one fails', async () => {
    const fail = (id: string) =>
      writeTenant(service.database, { tenant: office.id }, (db) =>
        db.run(
          sql`update outbox set state = 'failed', reason = 'gave_up' where tenant_id = ${db.tenant} and id = ${id}`,
        ),
      )
    const press = (by: string, id: string) =>
      writeTenant(service.database, { tenant: office.id }, (db) => resendMessage(db, by, id))
    const other = (await office.signInMember('office')).user_id
    const { id } = await queue({ ...mail, to: 'twice@example.com', subject: 'Twice' })
    await fail(id)
    const [again, too] = await Promise.all([press(office.owner.user_id, id), press(other, id)])
    assert.notEqual(again, id)
    assert.equal(too, again)
    await fail(again)
    assert.ok(![id, again].includes(await press(other, id)))
  })

  it('shares the conversation of its two numbers with inbound texts', async () => {
    const { id, contacts } = await office.customer('Cleo', { phone: '+16175550142' })
    const { id: sent } = await queue({ ...sms, customerId: id })
    await provider.sms('/api/webhooks/sms/inbound-sms', {
      MessageSid: freshId(),
      From: '+16175550142',
      To: NUMBER,
      Body: 'Fine',
    })
    const [came] = await rows<{ conversation_id: string }>(
      sql`select conversation_id from communications where body = 'Fine'`,
    )
    const row = await message(sent)
    assert.deepEqual(
      [row['recipient'], row['conversation_id'], row['contact_id']],
      ['+16175550142', came!.conversation_id, contacts[0].id],
    )
  })

  it('waits until its notBefore time', async () => {
    const notBefore = Temporal.Instant.from('2030-01-01T08:00:00Z')
    const { id } = await queue({ ...mail, to: 'later@example.com', notBefore })
    const [row] = await rows<{ next_at: string; reason: string }>(
      sql`select next_at, reason from outbox where id = ${id}`,
    )
    assert.deepEqual([row!.next_at, row!.reason], ['2030-01-01T08:00:00.000Z', 'later'])
  })

  it('is created once for concurrent duplicate requests', async () => {
    const twice = { ...mail, to: 'twice@example.com', by: office.owner.user_id }
    const [a, b] = await Promise.all([queue(twice), queue(twice)])
    assert.equal(a.id, b.id)
    assert.notEqual((await queue({ ...twice, body: 'Another' })).id, a.id)
  })
})

describe('a rejected message', () => {
  const bad: [why: string, outgoing: OutgoingMessage, words: RegExp][] = [
    ['no address', { ...mail, to: 'ana' }, /^to must be an email address/],
    ['a list in one address', { ...mail, to: 'a@example.com,b@example.com' }, /^to /],
    ['a list by semicolon', { ...mail, to: 'a@example.com;b@example.com' }, /^to /],
    ['a name around the address', { ...mail, to: '"Ana" <ana@example.com>' }, /^to /],
    ['a header in the address', { ...mail, to: 'a@example.com\r\nBcc: b@example.com' }, /^to /],
    ['a quoted local part', { ...mail, to: '"a b"@example.com' }, /^to /],
    ['a header in the subject', { ...mail, subject: 'Hi\r\nBcc: b@example.com' }, /^subject must not contain control/],
    ['a header in the name', { ...mail, toName: 'Ana\nBcc: b@example.com' }, /^toName must not contain control/],
    ['no subject', { ...mail, subject: '' }, /^subject must not be empty/],
    ['no text', { ...mail, body: ' \n' }, /^body must not be empty/],
    ['a text of 10 MB', { ...mail, body: 'x'.repeat(10_000_000) }, /^body must be at most 100000/],
    ['a long SMS', { ...sms, body: 'x'.repeat(1_601) }, /^body must be at most 1600/],
    ['NUL', { ...mail, body: 'a\0b' }, /^body must not contain control/],
    ['no number', { ...sms, to: 'call me' }, /^to must be a phone number/],
    [
      'six attachments',
      { ...mail, attachments: Array.from({ length: 6 }, () => ({ document: 'jobs', id: newId() })) },
      /^attachments /,
    ],
    ['an answer to nothing', { ...mail, inReplyTo: newId() }, /^message not found/],
    ['a robot by itself', { ...mail, to: 'no-reply@example.com' }, /^to is a mailbox that nobody reads/],
    ['a robot with a tag', { ...mail, to: 'mailer-daemon+x@example.com' }, /nobody reads/],
  ]
  for (const [why, outgoing, words] of bad) it(`has ${why}`, () => assertRefused(outgoing, words))

  it('is addressed to a contact who opted out of the channel', async () => {
    await office.customer('Dee', {
      contacts: [{ email: 'dee@example.com', phone: '+16175550143', email_opt_out: true, sms_opt_out: true }],
    })
    await assertRefused({ ...mail, to: 'dee@example.com' }, /^to belongs to a contact who doesn't want email/)
    await assertRefused({ ...sms, to: '+16175550143' }, /^to belongs to a contact who doesn't want texts/)
  })

  it('is addressed to a number that replied STOP, until it replies START', async () => {
    const text = (Body: string) =>
      provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), From: '+16175550144', To: NUMBER, Body })
    await text('STOP')
    await assertRefused({ ...sms, to: '+16175550144' }, /^to opted out of texts/)
    await text('START')
    await queue({ ...sms, to: '+16175550144' })
  })
})
