import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { readTenant, sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { MAILBOXES, NUMBERS, addChannel } from '../../src/messaging/inbox/directory.ts'
import { liftSuppression, findSuppression } from '../../src/messaging/opt_out/suppression.ts'
import type { OutgoingMessage } from '../../src/messaging/outbox/outgoing.ts'
import { queueMessage } from '../../src/messaging/outbox/queue.ts'
import { createSenders } from '../../src/messaging/outbox/senders/senders.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { sendingTasks } from '../../src/worker/tasks/sending.ts'
import { enrollAll, runDue } from '../../src/worker/worker.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { startMailServer } from '../harness/messaging/mail_server.ts'
import { MAIL, SMS, type OutboxRow } from '../harness/messaging/outbox_scene.ts'
import { startSmsProvider } from '../harness/messaging/sms_provider.ts'
import { createCompany } from '../harness/web_client.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'
import { captureLines } from '../harness/processes/workers.ts'

let service: TestService
let tenant: string
let webhook: ReturnType<typeof providerOf>
let provider: Awaited<ReturnType<typeof startSmsProvider>>
let server: Awaited<ReturnType<typeof startMailServer>>
let run: () => Promise<unknown>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  webhook = providerOf(service)
  provider = await startSmsProvider()
  server = await startMailServer()
  tenant = (await createCompany(service, 'Alder Plumbing')).id
  await addChannel(service.database, NUMBERS, tenant, '+16175550100')
  await addChannel(service.database, MAILBOXES, tenant, 'office@alder.example')
  const senders = createSenders({
    smsAccount: provider.account,
    smsFrom: null,
    mailServer: server.config,
    baseUrl: service.config.baseUrl,
  })
  const chores = sendingTasks(senders, undefined, { attemptTimeoutMs: 1_000 })
  const { log } = captureLines()
  const context = {
    database: service.database,
    log,
    clock: () => Temporal.Now.instant().add({ seconds: 5 }),
    stopping: new AbortController().signal,
  }
  await enrollAll(context, chores)
  run = () => runDue(context, chores)
})
after(async () => {
  await service.stop()
  await provider.stop()
  await server.stop()
})
beforeEach(() => {
  provider.taken.length = 0
  server.taken.length = 0
  provider.how.answer = () => undefined
})

const queue = async (outgoing: OutgoingMessage): Promise<string> =>
  (
    await writeTenant(service.database, { tenant }, (db) =>
      queueMessage(db, { ...outgoing, body: `${outgoing.body} ${newId()}` }),
    )
  ).id
const text = (to: string): Promise<string> => queue({ ...SMS, to })
const mail = (to: string): Promise<string> => queue({ ...MAIL, to, cause: 'reply' })
const row = async (id: string): Promise<OutboxRow> =>
  readTenant(service.database, { tenant }, (db) =>
    db.one<OutboxRow>(sql`select o.id, o.state, o.reason, o.reply, o.attempts, o.next_at, m.status, m.provider_message_id, m.error_message
      from outbox o join communications m using (tenant_id, id) where o.id = ${id}`),
  )
const state = async (id: string): Promise<[string, string]> => {
  const { state, status } = await row(id)
  return [state, status]
}
const findSuppressionReason = async (channel: 'email' | 'sms', address: string): Promise<string | undefined> =>
  (await readTenant(service.database, { tenant }, (db) => findSuppression(db, channel, address)))?.reason

/** Posts a status to the callback URL that the provider received. */
const post = async (callback: string | null, form: Record<string, string>): Promise<void> => {
  const path = callback!.slice(service.config.baseUrl.length)
  assert.equal((await webhook.sms(path, form)).status, 200)
}

describe('an SMS', () => {
  it("is sent once from the company's number, with the URL for its status callbacks", async () => {
    const id = await text('+16175550201')
    await run()
    const [taken] = provider.taken
    assert.deepEqual(
      [provider.taken.length, taken!.to, taken!.from, taken!.callback],
      [
        1,
        '+16175550201',
        '+16175550100',
        `${service.config.baseUrl}/api/webhooks/sms/sms-status?message=${tenant}.${id}`,
      ],
    )
    const sent = await row(id)
    assert.deepEqual([sent.state, sent.status, sent.provider_message_id], ['handed_over', 'sending', taken!.sid])
  })

  const answers: [what: string, status: number, body: object, state: string, reason: string][] = [
    ['too many requests', 429, { code: 20429, message: 'Too many requests' }, 'queued', 'retry'],
    ['a fault of the provider', 500, { message: 'Internal' }, 'queued', 'retry'],
    ['a wrong password', 401, { code: 20003, message: 'Authenticate' }, 'queued', 'retry'],
    ['a bad number', 400, { code: 21211, message: "The 'To' number is not valid" }, 'failed', 'refused'],
    ['a gateway that lost the answer', 502, {}, 'uncertain', 'no_answer'],
    ['an answer without an id', 201, { status: 'queued' }, 'uncertain', 'no_answer'],
  ]
  for (const [i, [what, status, body, state, reason]] of answers.entries())
    it(`is ${state} after ${what}`, async () => {
      provider.how.answer = () => ({ status, body: JSON.stringify(body) })
      const id = await text(`+1617555021${i}`)
      await run()
      const ended = await row(id)
      assert.deepEqual([ended.state, ended.reason], [state, reason])
      if ('message' in body) assert.match(ended.reply!, new RegExp(`^${status} ${String(body.message).slice(0, 10)}`))
    })

  for (const how of ['hang', 'reset'] as const)
    it(`is uncertain and not retried if the provider's response is lost (${how})`, async () => {
      provider.how.answer = () => how
      const id = await text(how === 'hang' ? '+16175550221' : '+16175550222')
      await run()
      assert.equal((await row(id)).state, 'uncertain')
      await run()
      assert.equal((await row(id)).attempts, 1)
    })

  it('fails if the recipient opted out at the provider, and so does the next one', async () => {
    provider.how.answer = () => ({ status: 400, body: '{"code":21610,"message":"unsubscribed recipient"}' })
    const [contact, customer] = [newId(), newId()]
    await writeTenant(service.database, { tenant }, async (db) => {
      await db.run(sql`insert into customers (tenant_id, id, customer_type, display_name, sort_name, name_words, first_name, status, tax_exempt, do_not_service, fields)
        values (${tenant}, ${customer}, 'individual', 'Ana', 'ana', 'ana', 'Ana', 'active', false, false, '{}')`)
      await db.run(sql`insert into contacts (tenant_id, id, customer_id, first_name, name_folded, phone, is_primary, sms_opt_out, email_opt_out)
        values (${tenant}, ${contact}, ${customer}, 'Ana', 'ana', '+16175550223', true, false, false)`)
    })
    const id = await text('+16175550223')
    await run()
    assert.equal((await row(id)).state, 'failed')
    const stopped = await readTenant(service.database, { tenant }, (db) =>
      db.one<{ at: string | null }>(
        sql`select sms_stopped_at as at from contacts where tenant_id = ${tenant} and id = ${contact}`,
      ),
    )
    assert.notEqual(stopped.at, null, 'the contact opted out')
    assert.equal(await findSuppressionReason('sms', '+16175550223'), 'stopped')
    await assert.rejects(text('+16175550223'), /opted out of texts/)
  })
})

describe('SMS status callbacks', () => {
  it("are kept if they arrive before the provider's response, duplicated and out of order", async () => {
    provider.how.answer = async ({ sid, callback }) => {
      for (const status of ['delivered', 'sent', 'delivered', 'queued', 'sent'])
        await post(callback, { MessageSid: sid, MessageStatus: status })
      return undefined
    }
    const id = await text('+16175550231')
    await run()
    assert.deepEqual(await state(id), ['delivered', 'delivered'])
    assert.equal((await row(id)).provider_message_id, provider.taken[0]!.sid)
  })

  it("are kept if the callback URL doesn't name the message", async () => {
    provider.how.answer = async ({ sid }) => {
      await webhook.smsStatus({
        MessageSid: sid,
        MessageStatus: 'undelivered',
        ErrorCode: '30005',
        ErrorMessage: 'Gone',
      })
      return undefined
    }
    const id = await text('+16175550232')
    await run()
    assert.deepEqual(await state(id), ['failed', 'failed'])
    assert.deepEqual([(await row(id)).reason, (await row(id)).error_message], ['bounced', 'Gone'])
  })

  it('resolve an uncertain message and set its provider id', async () => {
    provider.how.answer = () => 'hang'
    const id = await text('+16175550233')
    await run()
    assert.equal((await row(id)).state, 'uncertain')
    const { sid, callback } = provider.taken[0]!
    await post(callback, { MessageSid: sid, MessageStatus: 'queued' })
    assert.deepEqual([(await row(id)).state, (await row(id)).provider_message_id], ['handed_over', sid])
    await post(callback, { MessageSid: sid, MessageStatus: 'delivered' })
    assert.deepEqual(await state(id), ['delivered', 'delivered'])
  })

  it('stop the retry of a message that the provider sent despite an error response', async () => {
    let sid = ''
    provider.how.answer = (taken) => {
      sid = taken.sid
      return { status: 500, body: '{}' }
    }
    const id = await text('+16175550234')
    await run()
    assert.equal((await row(id)).reason, 'retry')
    await post(`${service.config.baseUrl}/api/webhooks/sms/sms-status?message=${tenant}.${id}`, {
      MessageSid: sid,
      MessageStatus: 'sent',
    })
    assert.deepEqual(await state(id), ['handed_over', 'sending'])
  })

  it('need a signature, and ignore messages that were never attempted', async () => {
    const later = await queue({ ...SMS, to: '+16175550235', notBefore: Temporal.Now.instant().add({ hours: 1 }) })
    const path = `/api/webhooks/sms/sms-status?message=${tenant}.${later}`
    const form = { MessageSid: 'SMx', MessageStatus: 'delivered' }
    await post(`${service.config.baseUrl}${path}`, form)
    assert.deepEqual(await state(later), ['queued', 'queued'])
    const { status } = await webhook.sms(path, form, 'AAAAAAAAAAAAAAAAAAAAAAAAAAA=')
    assert.equal(status, 401)
    for (const odd of ['', 'x', `${tenant}.`, `${tenant}.${newId()}`, `${newId()}.${later}`, `${tenant}.${later}%00`])
      await post(`${service.config.baseUrl}/api/webhooks/sms/sms-status?message=${odd}`, {
        ...form,
        MessageSid: newId(),
      })
    assert.deepEqual(await state(later), ['queued', 'queued'])
  })
})

describe('a bounce', () => {
  const event = async (type: string, data: object): Promise<void> => {
    assert.equal((await webhook.emailEvent({ type, data })).status, 200)
  }
  const sendMail = async (to: string): Promise<{ id: string; message_id: string }> => {
    const id = await mail(to)
    await run()
    return { id, message_id: (await row(id)).provider_message_id! }
  }

  it('fails its email even after delivery, and suppresses the address until a person lifts it', async () => {
    const { id, message_id } = await sendMail('gone@example.com')
    await event('email.delivered', { email_id: newId(), message_id })
    assert.deepEqual(await state(id), ['delivered', 'delivered'])
    await event('email.bounced', {
      email_id: newId(),
      message_id,
      bounce: { type: 'Permanent', message: 'No such user' },
    })
    assert.deepEqual(await state(id), ['failed', 'failed'])
    assert.deepEqual([(await row(id)).reason, (await row(id)).error_message], ['bounced', 'No such user'])
    await assert.rejects(mail('gone@example.com'), /mail bounced from/)
    assert.equal(
      await writeTenant(service.database, { tenant }, (db) => liftSuppression(db, 'email', 'gone@example.com')),
      true,
    )
    await mail('gone@example.com')
  })

  it('suppresses nothing if transient, while a complaint does', async () => {
    const [full, cross] = [await sendMail('full@example.com'), await sendMail('cross@example.com')]
    await event('email.bounced', { message_id: full.message_id, bounce: { type: 'Transient' } })
    await event('email.complained', { message_id: cross.message_id })
    assert.deepEqual(
      [
        await findSuppressionReason('email', 'full@example.com'),
        await findSuppressionReason('email', 'cross@example.com'),
      ],
      [undefined, 'complained'],
    )
  })

  it('stops queued email to the address at sending time', async () => {
    const { message_id } = await sendMail('soon@example.com')
    const waiting = await mail('soon@example.com')
    await event('email.bounced', { message_id })
    await run()
    assert.deepEqual([(await row(waiting)).state, (await row(waiting)).reason], ['failed', 'suppressed'])
    assert.equal(server.taken.length, 1)
  })

  it('with an unknown id is applied once a message has that id', async () => {
    const email_id = newId()
    await event('email.bounced', { email_id })
    const id = await mail('late@example.com')
    await writeTenant(service.database, { tenant }, (db) =>
      db.run(
        sql`update communications set provider_message_id = ${email_id} where tenant_id = ${tenant} and id = ${id}`,
      ),
    )
    assert.equal(await findSuppressionReason('email', 'late@example.com'), 'bounced')
  })
})
