import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../harness/harness.ts'
import { asOwner, freshId, makeReceiver, quarantinedUnder, type Receiver } from '../harness/messaging/inbound.ts'
import { WEBHOOK_ENV, providerOf, smsSignature } from '../harness/clients/webhook_calls.ts'

const PATH = '/api/webhooks/sms/inbound-sms'
const ANSWER = '<Response></Response>'

let service: TestService
let company: Receiver
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
  company = await makeReceiver(service)
})
after(() => service.stop())

const sms = (form: Record<string, string | string[]>) =>
  provider.sms(PATH, { To: company.number, From: '+16175550999', Body: 'Hello', ...form })

describe('an inbound SMS', () => {
  it('is stored as an inbound message and gets an empty response', async () => {
    const sid = freshId()
    const { status, text, headers } = await sms({ MessageSid: sid, Body: 'Is 3pm ok? é😀' })
    assert.deepEqual([status, text, headers.get('content-type')], [200, ANSWER, 'text/xml'])
    const {
      channel,
      direction,
      status: state,
      sender_address,
      recipients,
      body,
      customer_id,
    } = await company.message(sid)
    assert.deepEqual(
      [channel, direction, state, sender_address, recipients, body, customer_id],
      ['sms', 'inbound', 'received', '+16175550999', [company.number], 'Is 3pm ok? é😀', null],
    )
  })

  it('has an empty body if Body is missing or empty', async () => {
    const [without, empty] = [freshId(), freshId()]
    const form = { MessageSid: without, From: '+16175550999', To: company.number }
    assert.equal((await provider.sms(PATH, form)).status, 200)
    assert.equal((await provider.sms(PATH, { ...form, MessageSid: empty, Body: '' })).status, 200)
    assert.deepEqual([(await company.message(without)).body, (await company.message(empty)).body], ['', ''])
  })

  it('is linked to the customer and contact with the number', async () => {
    const customer = await company.customer({ phone: '617 555 0101' })
    const sid = freshId()
    await sms({ MessageSid: sid, From: '+16175550101' })
    const message = await company.message(sid)
    assert.deepEqual([message.customer_id, message.contact_id], [customer['id'], customer['contacts'][0].id])
  })

  it('is linked to the customer only if two of its contacts share the number', async () => {
    const customer = await company.customer({ phone: '+16175550102' })
    await company.call('contacts_create', { customer_id: customer['id'], first_name: 'Bo', phone: '+16175550102' })
    const sid = freshId()
    await sms({ MessageSid: sid, From: '+16175550102' })
    const message = await company.message(sid)
    assert.deepEqual([message.customer_id, message.contact_id], [customer['id'], null])
  })

  it("isn't linked if the number is shared, archived or another company's", async () => {
    await company.customer({ phone: '+16175550103' })
    await company.customer({ phone: '+16175550103' })
    const archived = await company.customer({ phone: '+16175550104' })
    await company.call('customers_archive', { id: archived['id'] })
    await (await makeReceiver(service)).customer({ phone: '+16175550105' })
    for (const From of ['+16175550103', '+16175550104', '+16175550105']) {
      const sid = freshId()
      assert.equal((await sms({ MessageSid: sid, From })).status, 200)
      const message = await company.message(sid)
      assert.deepEqual([message.customer_id, message.contact_id, message.sender_address], [null, null, From])
    }
  })

  it('accepts short codes, sender names, no sender and NUL characters', async () => {
    for (const From of ['72345', 'ACME', '']) {
      const sid = freshId()
      assert.equal((await sms({ MessageSid: sid, From, Body: 'a\0b' })).status, 200)
      assert.deepEqual([(await company.message(sid)).sender, (await company.message(sid)).body], [From, 'ab'])
    }
  })

  it('shares a conversation with other messages of its sender and customer', async () => {
    const [first, second, other] = [freshId(), freshId(), freshId()]
    await sms({ MessageSid: first, From: '+16175550106' })
    await sms({ MessageSid: second, From: '+16175550106' })
    await sms({ MessageSid: other, From: '+16175550107' })
    const [a, b, c] = await Promise.all([first, second, other].map(company.message))
    assert.equal(a!.conversation_id, b!.conversation_id)
    assert.notEqual(a!.conversation_id, c!.conversation_id)
    assert.ok(a!.conversation_id)
    await company.customer({ phone: '+16175550106' })
    const later = freshId()
    await sms({ MessageSid: later, From: '+16175550106' })
    assert.notEqual((await company.message(later)).conversation_id, a!.conversation_id)
  })

  it('shares one conversation with concurrent messages of its sender', async () => {
    const sids = Array.from({ length: 12 }, () => freshId())
    await Promise.all(sids.map((MessageSid) => sms({ MessageSid, From: '+16175550108' })))
    const messages = await Promise.all(sids.map(company.message))
    assert.equal(new Set(messages.map(({ conversation_id }) => conversation_id)).size, 1)
  })
})

describe('a redelivered inbound SMS', () => {
  it('is acknowledged and not stored twice', async () => {
    const sid = freshId()
    for (let i = 0; i < 3; i++)
      assert.deepEqual(await sms({ MessageSid: sid }).then(({ status, text }) => [status, text]), [200, ANSWER])
    assert.equal((await company.messages()).filter(({ provider_message_id }) => provider_message_id === sid).length, 1)
    assert.deepEqual(await quarantinedUnder(service.database, sid), [])
  })

  it('is stored for each company that received it', async () => {
    const other = await makeReceiver(service)
    const sid = freshId()
    await sms({ MessageSid: sid })
    await sms({ MessageSid: sid, To: other.number })
    assert.ok((await company.message(sid)) && (await other.message(sid)))
  })

  it('goes to quarantine once if its content differs', async () => {
    const sid = freshId()
    await sms({ MessageSid: sid, Body: 'first' })
    for (let i = 0; i < 2; i++) assert.equal((await sms({ MessageSid: sid, Body: 'second' })).status, 200)
    assert.equal((await company.message(sid)).body, 'first')
    assert.deepEqual(
      (await quarantinedUnder(service.database, sid)).map(({ reason, tenant_id, excerpt }) => [
        reason,
        tenant_id,
        excerpt,
      ]),
      [['other_content', company.tenant, 'second']],
    )
  })
})

describe('an inbound SMS in quarantine', () => {
  it('was sent to an unknown number, and is listed once', async () => {
    const sid = freshId()
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await sms({ MessageSid: sid, To: '+16175559999' }).then(({ status, text }) => [status, text]), [
        200,
        ANSWER,
      ])
    assert.deepEqual(
      (await quarantinedUnder(service.database, sid)).map(({ reason, tenant_id, state, excerpt }) => [
        reason,
        tenant_id,
        state,
        excerpt,
      ]),
      [['no_tenant', null, 'open', 'Hello']],
    )
  })

  it('has no recipient or several', async () => {
    const [without, several] = [freshId(), freshId()]
    assert.equal((await provider.sms(PATH, { MessageSid: without, From: '+16175550999' })).status, 200)
    assert.equal((await sms({ MessageSid: several, To: [company.number, '+16175559999'] })).status, 200)
    assert.equal((await quarantinedUnder(service.database, without)).length, 1)
    assert.equal((await quarantinedUnder(service.database, several)).length, 1)
  })
})

describe('an inbound SMS with a bad message id', () => {
  it('returns 400 if it is missing, empty, repeated or malformed, and stores nothing', async () => {
    const before = (await company.messages()).length
    for (const given of [
      {},
      { MessageSid: '' },
      { MessageSid: ['SM1', 'SM2'] },
      { MessageSid: 'S'.repeat(129) },
      { MessageSid: 'SM 1' },
      { MessageSid: 'SM\0' },
      { MessageSid: 'SMé' },
    ]) {
      assert.equal((await sms(given)).status, 400, JSON.stringify(given))
    }
    assert.equal((await company.messages()).length, before)
  })
})

describe('an inbound SMS with a bad signature', () => {
  it('returns 401 if it is for another key, form or URL, or malformed, and stores nothing', async () => {
    const form = { MessageSid: freshId(), From: '+16175550999', To: company.number, Body: 'x' }
    const url = service.config.baseUrl + PATH
    for (const signature of [
      smsSignature(url, form, 'another0token0of032characters0000'),
      smsSignature(url, { ...form, Body: 'y' }),
      smsSignature(`${url}?a=b`, form),
      'x',
    ]) {
      assert.equal((await provider.sms(PATH, form, signature)).status, 401)
    }
    assert.equal(await company.message(form.MessageSid), undefined)
  })
})

describe('an inbound SMS during a database failure', () => {
  it('returns 500 if a table is missing, and is stored on redelivery', async () => {
    const sid = freshId()
    await asOwner(service, 'alter table communications rename to communications_away')
    try {
      assert.equal((await sms({ MessageSid: sid })).status, 500)
    } finally {
      await asOwner(service, 'alter table communications_away rename to communications')
    }
    assert.equal((await sms({ MessageSid: sid })).status, 200)
    assert.ok(await company.message(sid))
  })

  it('returns 500 while a table is locked, and is stored on redelivery', async () => {
    const sid = freshId()
    const { Client } = await import('pg')
    const holder = new Client(service.owner)
    await holder.connect()
    await holder.query('begin; lock table communications in access exclusive mode')
    const { status } = await sms({ MessageSid: sid })
    await holder.query('rollback')
    await holder.end()
    assert.equal(status, 500)
    assert.equal((await sms({ MessageSid: sid })).status, 200)
  })
})
