import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { openDatabase, sql } from '../../src/platform/db/database.ts'
import { startService } from '../../src/start/service.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import { WEBHOOK_ENV, paymentsHeader, post, providerOf } from '../harness/clients/webhook_calls.ts'

let service: TestService
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
})
after(() => service.stop())

type Stored = {
  id: string
  event_id: string
  endpoint: string
  type: string | null
  account_id: string | null
  livemode: boolean | null
  state: string
  reason: string | null
  raw: Buffer
}
const listEvents = async (id: string): Promise<Stored[]> =>
  (await service.database.send([sql`select * from payment_events where event_id = ${id} order by id`]))[0]!
    .rows as Stored[]
const count = async (): Promise<number> =>
  (await service.database.send([sql`select count(*) as n from payment_events`]))[0]!.rows[0]!['n'] as number

let serial = 0
const eventId = (): string => `evt_${++serial}_${newId()}`
const INGESTED = '{"received":true,"ingested":1}'
const REPEATED = '{"received":true,"deduped":true}'
const PARKED = '{"received":true,"parked":true,"reason":"mode_mismatch"}'
const NOTHING = '{"received":true,"ingested":0}'

describe('a payments webhook event', () => {
  for (const endpoint of ['platform', 'connect'] as const) {
    it(`is stored byte for byte at ${endpoint}`, async () => {
      const id = eventId()
      const text = JSON.stringify(
        { id, type: 'charge.succeeded', account: 'acct_1', livemode: false, text: 'é€😀' },
        null,
        2,
      )
      const { status, text: body, headers } = await provider.payments(endpoint, text)
      assert.deepEqual([status, body, headers.get('content-type')], [200, INGESTED, 'application/json'])
      const [row] = await listEvents(id)
      assert.deepEqual(
        [row!.endpoint, row!.type, row!.account_id, row!.livemode, row!.state, row!.raw.toString()],
        [endpoint, 'charge.succeeded', 'acct_1', false, 'pending', text],
      )
    })
  }

  it('gets the account from the transfer destination of a platform charge', async () => {
    const id = eventId()
    await provider.event(
      { id, type: 'charge.succeeded', data: { object: { transfer_data: { destination: 'acct_2' } } } },
      'platform',
    )
    assert.equal((await listEvents(id))[0]!.account_id, 'acct_2')
  })

  it('counts as the right mode if livemode is missing or not a boolean', async () => {
    for (const livemode of [undefined, null, 'true', 1])
      assert.equal((await provider.event({ id: eventId(), livemode })).text, INGESTED)
  })

  const hostile: [name: string, make: (id: string) => string][] = [
    ['a NUL escape', (id) => `{"id":"${id}","type":"a\\u0000b","account":"\\u0000","x":"\\u0000"}`],
    ['a lone surrogate', (id) => `{"id":"${id}","type":"\\ud800","account":"\\udfff","x":"\\ud800"}`],
    ['a number past every range', (id) => `{"id":"${id}","x":1e400000,"created":-1e400000}`],
    ['20,000 nested arrays', (id) => `{"id":"${id}","x":${'['.repeat(20_000)}${']'.repeat(20_000)}}`],
    ['300,000 nested arrays', (id) => `{"id":"${id}","x":${'['.repeat(300_000)}${']'.repeat(300_000)}}`],
    ['a name twice', (id) => `{"id":"other","id":"${id}"}`],
    ['__proto__', (id) => `{"id":"${id}","__proto__":{"id":"evil"},"constructor":1}`],
    ['very long texts', (id) => `{"id":"${id}","type":"${'t'.repeat(300_000)}","account":"${'😀'.repeat(100_000)}"}`],
    ['fields of other types', (id) => `{"id":"${id}","type":[],"account":{},"data":[null],"livemode":{}}`],
  ]
  for (const [name, make] of hostile) {
    it(`with ${name} is stored once`, async () => {
      const id = eventId()
      const text = make(id)
      assert.deepEqual(await provider.payments('connect', text).then(({ status, text }) => [status, text]), [
        200,
        INGESTED,
      ])
      assert.equal((await provider.payments('connect', text)).text, REPEATED)
      assert.equal((await listEvents(id))[0]!.raw.toString(), text)
    })
  }

  it("keeps distinct ids apart even if PostgreSQL text can't hold them", async () => {
    const ids = [
      '"a\\u0000"',
      '"\\ud800"',
      '"\\ud801"',
      '"a"',
      `"${'x'.repeat(500_000)}"`,
      `"${'x'.repeat(500_001)}"`,
      '" "',
    ]
    for (const id of ids)
      assert.equal((await provider.payments('connect', `{"id":${id}}`)).text, INGESTED, id.slice(0, 20))
    for (const id of ids)
      assert.equal((await provider.payments('connect', `{"id":${id}}`)).text, REPEATED, id.slice(0, 20))
  })

  it("is stored if its bytes aren't UTF-8", async () => {
    const id = eventId()
    const bytes = Buffer.concat([
      Buffer.from(`{"id":"${id}","x":"`),
      Buffer.from([0xff, 0xfe, 0x80]),
      Buffer.from('"}'),
    ])
    const t = Math.floor(Date.now() / 1000)
    const { hmac, CONNECT_SECRET } = await import('../harness/clients/webhook_calls.ts')
    const { text } = await provider.payments(
      'connect',
      bytes,
      `t=${t},v1=${hmac('sha256', CONNECT_SECRET, `${t}.`, bytes).digest('hex')}`,
    )
    assert.equal(text, INGESTED)
    assert.deepEqual((await listEvents(id))[0]!.raw, bytes)
  })

  it('is accepted at exactly 1 MiB', async () => {
    const id = eventId()
    const text = `{"id":"${id}"}`.padEnd(2 ** 20)
    assert.equal((await provider.payments('connect', text)).text, INGESTED)
  })
})

describe('a duplicate payments webhook event', () => {
  it('is ignored if the id is known, whatever its content or endpoint', async () => {
    const id = eventId()
    assert.equal((await provider.event({ id, x: 1 })).text, INGESTED)
    assert.equal((await provider.event({ id, x: 2 })).text, REPEATED)
    assert.equal((await provider.event({ id, x: 3 }, 'platform')).text, REPEATED)
    assert.equal((await listEvents(id)).length, 1)
    assert.equal(JSON.parse((await listEvents(id))[0]!.raw.toString()).x, 1)
  })

  it('is stored once for fifty concurrent deliveries to two services', async () => {
    const second = openDatabase(service.login)
    const other = await startService(service.config, second, pino({ level: 'silent' }), null)
    const id = eventId()
    const origins = [service.origin, `http://127.0.0.1:${other.port}`]
    const text = JSON.stringify({ id })
    const header = paymentsHeader(text)
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        post(`${origins[i % 2]}/api/webhooks/payments/connect`, text, {
          'content-type': 'application/json',
          'payments-signature': header,
        }),
      ),
    )
    await other.stop(0)
    await second.close()
    assert.deepEqual(
      answers.map(({ status }) => status),
      Array.from({ length: 50 }, () => 200),
    )
    assert.equal(answers.filter(({ text }) => text === INGESTED).length, 1)
    assert.equal(answers.filter(({ text }) => text === REPEATED).length, 49)
    assert.equal((await listEvents(id)).length, 1)
  })
})

describe('a payments webhook event of the other mode', () => {
  it('is parked once as mode_mismatch, with the same response on redelivery', async () => {
    const id = eventId()
    for (let i = 0; i < 2; i++)
      assert.deepEqual(await provider.event({ id, livemode: true }).then(({ status, text }) => [status, text]), [
        200,
        PARKED,
      ])
    const rows = await listEvents(id)
    assert.deepEqual(
      rows.map(({ state, reason, livemode }) => [state, reason, livemode]),
      [['review', 'mode_mismatch', true]],
    )
  })

  it("doesn't block the same id in the right mode", async () => {
    const id = eventId()
    await provider.event({ id, livemode: true })
    assert.equal((await provider.event({ id, livemode: false })).text, INGESTED)
    assert.equal((await provider.event({ id, livemode: false })).text, REPEATED)
  })
})

describe('a payments webhook body without an event id returns ingested 0', () => {
  const bodies = [
    '',
    'no json',
    '[]',
    'null',
    '"evt_1"',
    '7',
    '{}',
    '{"id":null}',
    '{"id":7}',
    '{"id":""}',
    '{"id":["evt_1"]}',
    '{"id":"evt_1"',
    '\ufeff{}',
  ]
  for (const body of bodies) {
    it(JSON.stringify(body), async () => {
      const before = await count()
      assert.deepEqual(await provider.payments('connect', body).then(({ status, text }) => [status, text]), [
        200,
        NOTHING,
      ])
      assert.equal(await count(), before)
    })
  }
})
