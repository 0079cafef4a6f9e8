import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../src/platform/db/database.ts'
import { readTenant, writeTenant } from '../../src/platform/db/tenant.ts'
import { openAttachment } from '../../src/files/download.ts'
import {
  countUnread,
  listMessages,
  markRead,
  type Message,
  type MessageFilter,
} from '../../src/messaging/inbox/inbox.ts'
import { linkConversation } from '../../src/messaging/inbox/linking.ts'
import { openStorage } from '../../src/platform/storage/open_storage.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { FILES, makeAttachment } from '../harness/files/files.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, type Receiver } from '../harness/messaging/inbound.ts'
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

const read = async (which: MessageFilter, page: { before?: string; limit?: number } = {}, { tenant } = company) =>
  readTenant(service.database, { tenant }, (db) => listMessages(db, which, page))
const unread = ({ tenant } = company): Promise<number> => readTenant(service.database, { tenant }, countUnread)
const mark = (which: MessageFilter, through: string, { tenant } = company): Promise<number> =>
  writeTenant(service.database, { tenant }, (db) => markRead(db, which, through))
const link = (conversation: string, customer: string, { tenant } = company): Promise<number> =>
  writeTenant(service.database, { tenant }, (db) =>
    linkConversation(db, { user: company.owner.id }, conversation, customer),
  )

let serial = 0
const freshNumber = (): string => `+1617556${String(++serial).padStart(4, '0')}`

/** Makes a customer with a unique number and email address. */
async function correspondent() {
  const [phone, email] = [freshNumber(), `${freshId('c')}@example.com`]
  const { id } = await company.customer({ phone, email })
  const sms = async (Body: string, From = phone): Promise<void> => {
    assert.equal(
      (await provider.sms('/api/webhooks/sms/inbound-sms', { MessageSid: freshId(), From, To: company.number, Body }))
        .status,
      200,
    )
  }
  const mail = async (text: string, more: object = {}): Promise<void> => {
    assert.equal(
      (
        await provider.email('/api/webhooks/email/inbound', {
          from: email,
          to: company.address,
          messageId: freshId('m'),
          subject: 'Boiler',
          text,
          ...more,
        })
      ).status,
      200,
    )
  }
  const addOutboundSms = (body: string, status = 'delivered'): Promise<number> =>
    writeTenant(service.database, { tenant: company.tenant }, (db) =>
      db.run(sql`
    insert into communications (tenant_id, id, channel, direction, status, provider, provider_message_id, sender, sender_address, recipients, customer_id, body, error_message)
    values (${company.tenant}, ${newId()}, 'sms', 'outbound', ${status}, 'sms', ${freshId()}, ${company.number}, ${company.number}, array[${phone}], ${id}, ${body}, ${status === 'failed' ? 'Unreachable' : null})`),
    )
  return { id: id as string, phone, email, sms, mail, addOutboundSms }
}

const bodies = (rows: readonly Message[]): string[] => rows.map(({ body }) => body)

describe('the messages of a customer', () => {
  it('include all channels and both directions, newest last', async () => {
    const { id, sms, mail, addOutboundSms, phone } = await correspondent()
    await sms('Is 3pm ok?')
    await addOutboundSms('Yes, see you then.')
    await addOutboundSms('Are you at home?', 'failed')
    await mail('See below')
    const { rows, earlier } = await read({ customer: id })
    assert.equal(earlier, null)
    assert.deepEqual(
      rows.map(({ channel, direction, status, body, subject, customer_name, contact_name, error_message }) => [
        channel,
        direction,
        status,
        body,
        subject,
        customer_name,
        contact_name,
        error_message,
      ]),
      [
        ['sms', 'inbound', 'received', 'Is 3pm ok?', null, 'Ana', null, null],
        ['sms', 'outbound', 'delivered', 'Yes, see you then.', null, 'Ana', null, null],
        ['sms', 'outbound', 'failed', 'Are you at home?', null, 'Ana', null, 'Unreachable'],
        ['email', 'inbound', 'received', 'See below', 'Boiler', 'Ana', null, null],
      ],
    )
    assert.deepEqual([rows[0]!.sender, rows[0]!.recipients, 'html' in rows[3]!], [phone, [company.number], false])
  })

  it('are paged, newest page first', async () => {
    const { id, sms } = await correspondent()
    for (const body of ['1', '2', '3', '4', '5']) await sms(body)
    const newest = await read({ customer: id }, { limit: 2 })
    const older = await read({ customer: id }, { limit: 2, before: newest.earlier! })
    const oldest = await read({ customer: id }, { limit: 2, before: older.earlier! })
    assert.deepEqual(
      [newest, older, oldest].map(({ rows }) => bodies(rows)),
      [['4', '5'], ['2', '3'], ['1']],
    )
    assert.equal(oldest.earlier, null)
    assert.deepEqual((await read({ customer: id }, { before: newId() })).rows, [])
  })

  it('list attachments with a path, or the reason for their rejection', async () => {
    const { id, mail } = await correspondent()
    await mail('See below', {
      attachments: [
        makeAttachment('plan.pdf', 'application/pdf', FILES['application/pdf']!),
        makeAttachment('page.html', 'text/html', Buffer.from('<p>')),
      ],
    })
    const [plan, page] = (await read({ customer: id })).rows[0]!.attachments
    assert.deepEqual(
      { ...plan },
      {
        id: plan!.id,
        file_name: 'plan.pdf',
        content_type: 'application/pdf',
        size_bytes: FILES['application/pdf']!.length,
        state: 'pending',
        reason: null,
        path: `/${company.tenant}/attachments/${plan!.id}`,
      },
    )
    assert.deepEqual([page!.state, page!.reason, page!.path], ['rejected', "a type that isn't accepted", null])
    const { body } = await openAttachment(
      service.database,
      openStorage({ kind: 'directory', directory: '/nonexistent' }),
      company.tenant,
      plan!.id,
    )
    assert.ok(Buffer.from(await new Response(body).arrayBuffer()).equals(FILES['application/pdf']!))
  })

  it("aren't visible to other companies", async () => {
    const [{ id, sms }, other] = [await correspondent(), await makeReceiver(service)]
    await sms('Hello')
    const [message] = (await read({ customer: id })).rows
    for (const which of [{ customer: id }, { conversation: message!.conversation_id! }, {}])
      assert.deepEqual((await read(which, {}, other)).rows, [])
    assert.deepEqual([await unread(other), await mark({ customer: id }, message!.id, other)], [0, 0])
  })

  it('can be filtered by conversation', async () => {
    const { id, sms, mail } = await correspondent()
    await sms('by phone')
    await mail('by mail')
    const [first, second] = (await read({ customer: id })).rows
    assert.notEqual(first!.conversation_id, second!.conversation_id)
    assert.deepEqual(bodies((await read({ conversation: first!.conversation_id! })).rows), ['by phone'])
  })
})

describe('unread messages', () => {
  it('are inbound ones until they are marked as read, up to the last one shown', async () => {
    const [{ id, sms, addOutboundSms }, before] = [await correspondent(), await unread()]
    await sms('one')
    await sms('two')
    await addOutboundSms('ours')
    assert.equal(await unread(), before + 2)
    const shown = (await read({ customer: id })).rows.at(-1)!
    await sms('three')
    assert.equal(await mark({ customer: id }, shown.id), 2)
    assert.equal(await mark({ customer: id }, shown.id), 0)
    assert.equal(await unread(), before + 1)
    assert.deepEqual(bodies((await read({ customer: id, unread: true })).rows), ['three'])
    assert.deepEqual(
      (await read({ customer: id })).rows.map(({ read_at }) => read_at !== null),
      [true, true, false, false],
    )
    assert.equal(await mark({ customer: id }, newId()), 0)
  })

  it('of all customers can be marked as read together', async () => {
    for (let i = 0; i < 2; i++) await (await correspondent()).sms('Hello')
    const [before, newest] = [await unread(), (await read({}, { limit: 1 })).rows[0]!]
    assert.ok(before >= 2)
    assert.deepEqual([await mark({}, newest.id), await unread()], [before, 0])
  })
})

describe('an unlinked conversation', () => {
  it("is listed, and moves to a customer's history when linked by a person", async () => {
    const [{ id }, { sms }] = [await correspondent(), await correspondent()]
    const stranger = freshNumber()
    await sms('Who am I?', stranger)
    await sms('And again', stranger)
    const { rows } = await read({ unlinked: true })
    assert.deepEqual(bodies(rows.slice(-2)), ['Who am I?', 'And again'])
    const conversation = rows.at(-1)!.conversation_id!
    assert.equal(await link(conversation, id), 2)
    assert.deepEqual(bodies((await read({ customer: id })).rows), ['Who am I?', 'And again'])
    assert.equal((await read({ unlinked: true })).rows.filter((row) => row.conversation_id === conversation).length, 0)
    const written = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.all(
        sql`select tool, user_id, changed from audit where tenant_id = ${company.tenant} and record_id = ${id} and tool = 'customers.link_messages'`,
      ),
    )
    assert.deepEqual(written, [
      {
        tool: 'customers.link_messages',
        user_id: company.owner.id,
        changed: { messages: [null, 2], conversation: [null, conversation] },
      },
    ])
    assert.equal(await link(conversation, id), 0)
  })

  it("joins the customer's existing conversation between the same numbers", async () => {
    const [stranger, { sms }] = [freshNumber(), await correspondent()]
    await sms('before', stranger)
    const { id } = await company.customer({ phone: stranger })
    await sms('after', stranger)
    const [before, after] = (await read({})).rows.slice(-2)
    assert.notEqual(before!.conversation_id, after!.conversation_id)
    assert.equal(await link(before!.conversation_id!, id), 1)
    assert.deepEqual(bodies((await read({ conversation: after!.conversation_id! })).rows), ['before', 'after'])
    await sms('later', stranger)
    assert.deepEqual(bodies((await read({ conversation: after!.conversation_id! })).rows), ['before', 'after', 'later'])
  })

  it("can't be linked if it is another customer's or company's, or to an unknown customer", async () => {
    const [one, two, other] = [await correspondent(), await correspondent(), await makeReceiver(service)]
    await one.sms('Hello')
    const conversation = (await read({ customer: one.id })).rows[0]!.conversation_id!
    await assert.rejects(link(conversation, two.id), /belongs to another customer/)
    await assert.rejects(link(conversation, newId()), /customer not found/)
    await assert.rejects(link(newId(), one.id), /conversation not found/)
    await assert.rejects(link(conversation, one.id, other), /not found/)
  })
})
