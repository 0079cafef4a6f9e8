import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { openDatabase, type Database } from '../../src/platform/db/database.ts'
import { startService, type Service } from '../../src/start/service.ts'
import { makeAttachment } from '../harness/files/files.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { freshId, makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf } from '../harness/clients/webhook_calls.ts'

const FIFTY = Array.from({ length: 50 }, (_, i) => i)

let service: TestService
let pool: Database
let second: Service
let company: Receiver
let providers: ReturnType<typeof providerOf>[]
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  pool = openDatabase(service.login)
  second = await startService(service.config, pool, pino({ level: 'silent' }), null)
  providers = [service, { config: service.config, origin: `http://127.0.0.1:${second.port}` }].map(providerOf)
  company = await makeReceiver(service)
})
after(async () => {
  await second.stop(0)
  await pool.close()
  await service.stop()
})

const of = (i: number) => providers[i % 2]!
const sms = (i: number, form: Record<string, string>) =>
  of(i).sms('/api/webhooks/sms/inbound-sms', { From: '+16175550999', To: company.number, Body: 'Hello', ...form })
const email = (i: number, mail: object) =>
  of(i).email('/api/webhooks/email/inbound', { from: 'ana@example.com', to: company.address, text: 'Hello', ...mail })
const under = async (id: string): Promise<number> =>
  (await company.messages()).filter(({ provider_message_id }) => provider_message_id === id).length

describe('fifty concurrent deliveries to two services', () => {
  it('of one SMS store one message', async () => {
    const MessageSid = freshId()
    const answers = await Promise.all(FIFTY.map((i) => sms(i, { MessageSid })))
    assert.deepEqual(
      [...new Set(answers.map(({ status, text }) => `${status} ${text}`))],
      ['200 <Response></Response>'],
    )
    assert.equal(await under(MessageSid), 1)
    assert.deepEqual(await quarantinedUnder(service.database, MessageSid), [])
  })

  it('of one email store one message and each attachment once', async () => {
    const messageId = freshId('m')
    const attachments = ['a', 'b', 'c'].map((name) => makeAttachment(`${name}.txt`, 'text/plain', Buffer.from(name)))
    const answers = await Promise.all(FIFTY.map((i) => email(i, { messageId, attachments })))
    assert.deepEqual([...new Set(answers.map(({ status, text }) => `${status} ${text}`))], ['200 {"accepted":true}'])
    assert.equal(await under(messageId), 1)
    assert.equal((await company.attachments((await company.message(messageId)).id)).length, 3)
    assert.deepEqual(await quarantinedUnder(service.database, messageId), [])
  })

  it('to an unknown recipient are quarantined once', async () => {
    const [MessageSid, messageId] = [freshId(), freshId('m')]
    await Promise.all(
      FIFTY.flatMap((i) => [
        sms(i, { MessageSid, To: '+16175559999' }),
        email(i, { messageId, to: 'nobody@in.example.com' }),
      ]),
    )
    assert.deepEqual(
      [
        (await quarantinedUnder(service.database, MessageSid)).length,
        (await quarantinedUnder(service.database, messageId)).length,
      ],
      [1, 1],
    )
  })

  it('with one id and two contents store one and quarantine the other', async () => {
    const messageId = freshId('m')
    await Promise.all(FIFTY.map((i) => email(i, { messageId, text: `content ${i % 3 === 0}` })))
    assert.equal(await under(messageId), 1)
    const [waiting, ...more] = await quarantinedUnder(service.database, messageId)
    assert.deepEqual(more, [])
    assert.notEqual(waiting!['excerpt'], (await company.message(messageId)).body)
  })

  it('of different messages store all of them', async () => {
    const ids = FIFTY.map(() => freshId())
    const answers = await Promise.all(ids.map((MessageSid, i) => sms(i, { MessageSid, Body: `No. ${i}` })))
    assert.ok(answers.every(({ status }) => status === 200))
    assert.deepEqual(
      await Promise.all(ids.map(under)),
      ids.map(() => 1),
    )
  })
})
