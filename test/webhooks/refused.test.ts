import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pino from 'pino'
import { readConfig } from '../../src/platform/config/config.ts'
import { sql } from '../../src/platform/db/database.ts'
import { startService } from '../../src/start/service.ts'
import { newId } from '../../src/platform/validation/id.ts'
import { startTestService, type TestService } from '../harness/harness.ts'
import {
  CONNECT_SECRET,
  EMAIL_SECRET,
  PLATFORM_SECRET,
  SMS_SECRET,
  WEBHOOK_ENV,
  emailHeaders,
  hmac,
  nowSeconds,
  paymentsHeader,
  post,
  providerOf,
  rawRequest,
  smsSignature,
  encodeForm,
} from '../harness/clients/webhook_calls.ts'

let service: TestService
let provider: ReturnType<typeof providerOf>
before(async () => {
  service = await startTestService(WEBHOOK_ENV)
  provider = providerOf(service)
})
after(() => service.stop())

const JSON_TYPE = { 'content-type': 'application/json' }
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' }
const PATHS = {
  platform: '/api/webhooks/payments/platform',
  connect: '/api/webhooks/payments/connect',
  smsStatus: '/api/webhooks/sms/sms-status',
  emailEvents: '/api/webhooks/email/email-events',
}
const eventCount = async (): Promise<number> =>
  (await service.database.send([sql`select count(*) as n from payment_events`]))[0]!.rows[0]!['n'] as number

describe('a payments webhook returns 400 for a signature header:', () => {
  const body = JSON.stringify({ id: `evt_${newId()}` })
  const own = paymentsHeader(body)
  const headers: [name: string, header: string | undefined][] = [
    ['missing', undefined],
    ['empty', ''],
    ['no signature at all', 'nonsense'],
    ['of another body', paymentsHeader(`${body} `)],
    ['of another secret', paymentsHeader(body, `${CONNECT_SECRET}x`)],
    ['of the other endpoint', paymentsHeader(body, PLATFORM_SECRET)],
    ['too old', paymentsHeader(body, CONNECT_SECRET, nowSeconds() - 310)],
    ['too new', paymentsHeader(body, CONNECT_SECRET, nowSeconds() + 400)],
    ['twice', `${own},${own}`],
  ]
  for (const [name, header] of headers) {
    it(name, async () => {
      const before = await eventCount()
      const { status, text, headers } = await post(service.origin + PATHS.connect, body, {
        ...JSON_TYPE,
        ...(header === undefined ? {} : { 'payments-signature': header }),
      })
      assert.deepEqual(
        [status, text, headers.get('content-type')],
        [400, '{"error":"Invalid signature"}', 'application/json'],
      )
      assert.equal(await eventCount(), before)
    })
  }

  it('but accepts the literal forms by default', async () => {
    const digest = hmac('sha256', CONNECT_SECRET, body).digest('hex')
    for (const header of [digest, `sha256=${digest}`, `v1=${digest}`, `t=${nowSeconds()},v1=${digest}`]) {
      assert.equal((await provider.payments('connect', body, header)).status, 200, header)
    }
  })
})

describe('SMS and email webhooks return 401 for a bad signature', () => {
  const form = { MessageSid: 'SM1', MessageStatus: 'sent' }
  const url = `http://callout.test${PATHS.smsStatus}`
  const sms: [name: string, signature: string | undefined][] = [
    ['missing', undefined],
    ['of another address', smsSignature(`${url}x`, form)],
    ['of other fields', smsSignature(url, { ...form, x: 'y' })],
    ['of another token', smsSignature(url, form, 'another token of 32 characters!!')],
  ]
  for (const [name, signature] of sms) {
    it(`SMS, ${name}`, async () => {
      const { status } = await post(service.origin + PATHS.smsStatus, encodeForm(form), {
        ...FORM_TYPE,
        ...(signature === undefined ? {} : { 'x-sms-signature': signature }),
      })
      assert.equal(status, 401)
    })
  }

  it("SMS, but not for a forwarded URL, a hex signature or the service's own URL", async () => {
    const forwarded = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'public.example.org' }
    const signature = smsSignature(`https://public.example.org${PATHS.smsStatus}?a=b%20c`, form)
    assert.equal(
      (
        await post(`${service.origin}${PATHS.smsStatus}?a=b%20c`, encodeForm(form), {
          ...FORM_TYPE,
          ...forwarded,
          'x-sms-signature': signature,
        })
      ).status,
      200,
    )
    assert.equal(
      (await provider.sms(PATHS.smsStatus, form, Buffer.from(smsSignature(url, form), 'base64').toString('hex')))
        .status,
      200,
    )
    const own = smsSignature(`${service.origin}${PATHS.smsStatus}`, form)
    assert.equal((await provider.sms(PATHS.smsStatus, form, own)).status, 200)
  })

  const body = JSON.stringify({ type: 'email.sent', data: { email_id: 'x' } })
  const { 'msgsig-id': id = '', 'msgsig-timestamp': time = '', 'msgsig-signature': signature = '' } = emailHeaders(body)
  const email: [name: string, headers: Record<string, string>][] = [
    ['none of the headers', {}],
    ['no id', { 'msgsig-timestamp': time, 'msgsig-signature': signature }],
    ['no time', { 'msgsig-id': id, 'msgsig-signature': signature }],
    ['no signature', { 'msgsig-id': id, 'msgsig-timestamp': time }],
    ['another id', { ...emailHeaders(body), 'msgsig-id': 'msg_2' }],
    ['of another body', emailHeaders(`${body} `)],
    ['too old', emailHeaders(body, { at: new Date(Date.now() - 310_000) })],
    ['too new', emailHeaders(body, { at: new Date(Date.now() + 400_000) })],
    [
      'of another secret',
      emailHeaders(body, { secret: `whsec_${Buffer.from('another secret of 24 byt').toString('base64')}` }),
    ],
  ]
  for (const [name, headers] of email) {
    it(`email, ${name}`, async () => assert.equal((await provider.email(PATHS.emailEvents, body, headers)).status, 401))
  }
})

describe('webhook method, content type and size limits', () => {
  for (const [name, path] of Object.entries(PATHS)) {
    const type = name === 'smsStatus' ? FORM_TYPE : JSON_TYPE
    const cap = name === 'smsStatus' ? 64 * 1024 : name === 'emailEvents' ? 256 * 1024 : 1024 * 1024
    const headers = (body: string): Record<string, string> => ({
      ...type,
      'payments-signature': paymentsHeader(body, name === 'platform' ? PLATFORM_SECRET : CONNECT_SECRET),
      ...emailHeaders(body),
      'x-sms-signature': smsSignature(`http://callout.test${path}`, Object.fromEntries(new URLSearchParams(body))),
    })
    const whole = (length: number): string => (name === 'smsStatus' ? 'a='.padEnd(length, 'x') : '{}'.padEnd(length))

    it(`${name}: returns 405 for GET, 415 for another content type or an encoding`, async () => {
      assert.equal((await fetch(service.origin + path)).status, 405)
      const other = name === 'smsStatus' ? JSON_TYPE : FORM_TYPE
      assert.equal((await post(service.origin + path, 'a=b', { ...headers('a=b'), ...other })).status, 415)
      assert.equal(
        (await post(service.origin + path, whole(2), { ...headers(whole(2)), 'content-encoding': 'gzip' })).status,
        415,
      )
    })

    it(`${name}: returns 413 above the limit, with or without Content-Length`, async () => {
      assert.equal((await post(service.origin + path, whole(cap), headers(whole(cap)))).status, 200)
      assert.equal((await post(service.origin + path, whole(cap + 1), headers(whole(cap + 1)))).status, 413)
      const chunks = await rawRequest(service.origin + path, headers(whole(cap + 1)), (write, end) => {
        write(Buffer.from(whole(cap + 1)))
        end()
      })
      assert.equal(chunks.status, 413)
    })
  }

  it('inbound messages: return 413 above the limit', async () => {
    const mail = (length: number) => provider.email('/api/webhooks/email/inbound', '{}'.padEnd(length))
    assert.deepEqual(
      [(await mail(40 * 2 ** 20)).text, (await mail(40 * 2 ** 20 + 1)).status],
      ['{"accepted":false}', 413],
    )
    const sms = (length: number) => provider.sms('/api/webhooks/sms/inbound-sms', { a: 'x'.repeat(length - 2) })
    assert.deepEqual([(await sms(64 * 2 ** 10)).status, (await sms(64 * 2 ** 10 + 1)).status], [400, 413])
  })

  it('reject other paths with 403 or 404', async () => {
    for (const path of [
      '/api/webhooks',
      '/api/webhooks/payments',
      '/api/webhooks/payments/connect/',
      '/api/webhooks/payments/Connect',
    ]) {
      assert.ok([403, 404].includes((await post(service.origin + path, '{}', JSON_TYPE)).status), path)
    }
  })
})

describe('strict webhook signatures', () => {
  it("reject the literal forms at every endpoint and accept the providers' signatures", async () => {
    const config = {
      ...readConfig({ BASE_URL: 'http://callout.test', ...WEBHOOK_ENV, WEBHOOK_STRICT_SIGNATURES: '1' }),
      port: 0,
    }
    const other = await startService(config, service.database, pino({ level: 'silent' }), null)
    const at = providerOf({ config, origin: `http://127.0.0.1:${other.port}` })
    const event = JSON.stringify({ id: `evt_${newId()}` })
    const form = { MessageSid: 'SM1', MessageStatus: 'sent' }
    const hex = Buffer.from(smsSignature(`http://callout.test${PATHS.smsStatus}`, form), 'base64').toString('hex')
    const mail = {
      ...emailHeaders('{}'),
      'msgsig-signature': `v1,${hmac('sha256', Buffer.from(EMAIL_SECRET.slice(6), 'base64'), '{}').digest('base64')}`,
    }
    const literal = [
      () => at.payments('connect', event, hmac('sha256', CONNECT_SECRET, event).digest('hex')),
      () => at.payments('platform', event, hmac('sha256', PLATFORM_SECRET, event).digest('hex')),
      () => at.sms(PATHS.smsStatus, form, hex),
      () => at.email(PATHS.emailEvents, '{}', mail),
      () => at.email('/api/webhooks/email/inbound', '{}', mail),
    ]
    const own = [
      () => at.payments('connect', event),
      () => at.payments('platform', event),
      () => at.sms(PATHS.smsStatus, form),
      () => at.email(PATHS.emailEvents, '{}'),
      () => at.email('/api/webhooks/email/inbound', '{}'),
    ]
    const statuses = (calls: (() => Promise<{ status: number }>)[]) =>
      Promise.all(calls.map(async (call) => (await call()).status))
    assert.deepEqual(
      [await statuses(literal), await statuses(own)],
      [
        [400, 400, 401, 401, 401],
        [200, 200, 200, 200, 200],
      ],
    )
    await other.stop(0)
  })
})

describe('webhooks return 500 misconfigured for any signature header, configured with:', () => {
  const { PAYMENTS_SECRET_KEY, ...withoutMode } = WEBHOOK_ENV
  const missing: [name: string, env: Record<string, string>, paths: string[]][] = [
    ['nothing', {}, Object.values(PATHS)],
    ['no mode', { ...withoutMode, PAYMENTS_WEBHOOK_SECRET: CONNECT_SECRET }, [PATHS.platform, PATHS.connect]],
    ['the other mode', { ...WEBHOOK_ENV, PAYMENTS_SECRET_KEY: 'rk_live_1' }, [PATHS.platform, PATHS.connect]],
    [
      'the platform without its own secret',
      { PAYMENTS_SECRET_KEY, PAYMENTS_WEBHOOK_SECRET_TEST: CONNECT_SECRET, PAYMENTS_WEBHOOK_SECRET: CONNECT_SECRET },
      [PATHS.platform],
    ],
    [
      'secrets that are too short',
      {
        PAYMENTS_SECRET_KEY,
        PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST: 'whsec_12345678',
        PAYMENTS_WEBHOOK_SECRET: CONNECT_SECRET,
        SMS_WEBHOOK_SECRET: 'short,',
        EMAIL_WEBHOOK_SECRET: 'whsec_c2hvcnQ=',
      },
      Object.values(PATHS),
    ],
  ]
  for (const [name, env, paths] of missing) {
    it(name, async () => {
      const other = await startService(
        { ...readConfig({ BASE_URL: 'http://callout.test', ...env }), port: 0 },
        service.database,
        pino({ level: 'silent' }),
        null,
      )
      for (const path of paths) {
        for (const header of [{}, { 'payments-signature': paymentsHeader('{}') }]) {
          const { status, text } = await post(`http://127.0.0.1:${other.port}${path}`, '{}', {
            ...(path === PATHS.smsStatus ? FORM_TYPE : JSON_TYPE),
            ...header,
          })
          assert.deepEqual([status, text], [500, '{"error":"misconfigured"}'], path)
        }
      }
      await other.stop(0)
    })
  }

  it("but work if one name in the secret's lookup chain is set", async () => {
    const env = {
      PAYMENTS_SECRET_KEY: 'sk_live_1',
      PAYMENTS_WEBHOOK_SECRET: CONNECT_SECRET,
      SMS_WEBHOOK_SECRET: `old,${SMS_SECRET}`,
      EMAIL_WEBHOOK_SECRET: `short ${EMAIL_SECRET}`,
    }
    const config = { ...readConfig({ BASE_URL: 'http://callout.test', ...env }), port: 0 }
    const other = await startService(config, service.database, pino({ level: 'silent' }), null)
    const at = providerOf({ config, origin: `http://127.0.0.1:${other.port}` })
    assert.equal((await at.event({ id: `evt_${newId()}`, livemode: true })).text, '{"received":true,"ingested":1}')
    assert.equal(
      (await at.event({ id: `evt_${newId()}`, livemode: false })).text,
      '{"received":true,"parked":true,"reason":"mode_mismatch"}',
    )
    assert.equal((await at.smsStatus({ MessageSid: 'x' })).status, 200)
    assert.equal((await at.emailEvent({})).status, 200)
    await other.stop(0)
  })
})
