import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const of = (env: Record<string, string>) => readConfig(env).webhooks

describe('payments mode', () => {
  const modes: [key: string, mode: 'test' | 'live' | null][] = [
    ['sk_test_1', 'test'], ['rk_test_1', 'test'], ['sk_live_1', 'live'], ['rk_live_1', 'live'], ['', null], ['  ', null],
  ]
  for (const [key, mode] of modes) it(`'${key}' is ${mode}`, () => assert.equal(of({ PAYMENTS_SECRET_KEY: key }).payments.mode, mode))

  it('of any other key stops the start, without showing the key', () => {
    for (const key of ['pk_test_1', 'sk_1', 'SK_TEST_1', 'secret']) {
      assert.throws(() => of({ PAYMENTS_SECRET_KEY: key }), (error: unknown) => error instanceof ConfigError && error.message.startsWith('PAYMENTS_SECRET_KEY') && !error.message.includes(key))
    }
  })
})

describe('payments secrets', () => {
  const all = {
    PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST: 'ct', PAYMENTS_WEBHOOK_SECRET_CONNECT_LIVE: 'cl', PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST: 'pt',
    PAYMENTS_WEBHOOK_SECRET_PLATFORM_LIVE: 'pl', PAYMENTS_WEBHOOK_SECRET_TEST: 't', PAYMENTS_WEBHOOK_SECRET_LIVE: 'l', PAYMENTS_WEBHOOK_SECRET: 's',
  }
  const secrets = (mode: 'test' | 'live', without: (keyof typeof all)[] = []) => {
    const { platform, connect } = of({ PAYMENTS_SECRET_KEY: `sk_${mode}_1`, ...all, ...Object.fromEntries(without.map((name) => [name, ' '])) }).payments
    return [platform, connect]
  }

  it('are those of the mode', () => {
    assert.deepEqual(secrets('test'), ['pt', 'ct'])
    assert.deepEqual(secrets('live'), ['pl', 'cl'])
  })

  it('of connect fall back along the chain, blank names passed over', () => {
    assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST']), ['pt', 't'])
    assert.deepEqual(secrets('live', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_LIVE']), ['pl', 'l'])
    assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST', 'PAYMENTS_WEBHOOK_SECRET_TEST']), ['pt', 's'])
    assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST', 'PAYMENTS_WEBHOOK_SECRET_TEST', 'PAYMENTS_WEBHOOK_SECRET']), ['pt', null])
  })

  it('of platform don\'t fall back', () => assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST']), [null, 'ct']))

  it('are none without a mode', () => assert.deepEqual(of(all).payments, { mode: null, platform: null, connect: null }))
})

describe('lists', () => {
  it('of SMS secrets have commas, of e-mail secrets spaces', () => {
    assert.deepEqual(of({ SMS_WEBHOOK_SECRET: ' a, b ,,c' }).sms, ['a', 'b', 'c'])
    assert.deepEqual(of({ EMAIL_WEBHOOK_SECRET: '  a  b\tc ' }).email, ['a', 'b', 'c'])
    assert.deepEqual([of({}).sms, of({ EMAIL_WEBHOOK_SECRET: ' ' }).email], [[], []])
  })
})

describe('strict signatures', () => {
  it('are asked for with 1', () => assert.deepEqual(['1', '0', ''].map((WEBHOOK_STRICT_SIGNATURES) => of({ WEBHOOK_STRICT_SIGNATURES }).strictSignatures), [true, false, false]))
  it('with anything else stop the start', () => assert.throws(() => of({ WEBHOOK_STRICT_SIGNATURES: 'yes' }), ConfigError))
})

describe('trusted proxies', () => {
  it('are loopback and private ranges until others are named', () => {
    assert.ok(readConfig({}).trustedProxies.includes('10.0.0.0/8'))
    assert.deepEqual(readConfig({ TRUSTED_PROXIES: '203.0.113.7' }).trustedProxies, ['203.0.113.7'])
  })
})
