import assert from 'node:assert/strict'
import { availableParallelism } from 'node:os'
import { describe, it } from 'node:test'
import { ConfigError, readConfig } from './config.ts'

const of = (env: Record<string, string>) => readConfig(env).webhooks

describe('the payments mode', () => {
  const modes: [key: string, mode: 'test' | 'live' | null][] = [
    ['sk_test_1', 'test'],
    ['rk_test_1', 'test'],
    ['sk_live_1', 'live'],
    ['rk_live_1', 'live'],
    ['', null],
    ['  ', null],
  ]
  for (const [key, mode] of modes)
    it(`of key '${key}' is ${mode}`, () => assert.equal(of({ PAYMENTS_SECRET_KEY: key }).payments.mode, mode))

  it('of any other key throws ConfigError without showing the key', () => {
    for (const key of ['pk_test_1', 'sk_1', 'SK_TEST_1', 'secret']) {
      assert.throws(
        () => of({ PAYMENTS_SECRET_KEY: key }),
        (error: unknown) =>
          error instanceof ConfigError &&
          error.message.startsWith('PAYMENTS_SECRET_KEY') &&
          !error.message.includes(key),
      )
    }
  })
})

describe('webhook secrets of payments', () => {
  const all = {
    PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST: 'ct',
    PAYMENTS_WEBHOOK_SECRET_CONNECT_LIVE: 'cl',
    PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST: 'pt',
    PAYMENTS_WEBHOOK_SECRET_PLATFORM_LIVE: 'pl',
    PAYMENTS_WEBHOOK_SECRET_TEST: 't',
    PAYMENTS_WEBHOOK_SECRET_LIVE: 'l',
    PAYMENTS_WEBHOOK_SECRET: 's',
  }
  const secrets = (mode: 'test' | 'live', without: (keyof typeof all)[] = []) => {
    const { platform, connect } = of({
      PAYMENTS_SECRET_KEY: `sk_${mode}_1`,
      ...all,
      ...Object.fromEntries(without.map((name) => [name, ' '])),
    }).payments
    return [platform, connect]
  }

  it('are those of the mode', () => {
    assert.deepEqual(secrets('test'), ['pt', 'ct'])
    assert.deepEqual(secrets('live'), ['pl', 'cl'])
  })

  it('for connect fall back to more general names and skip blank ones', () => {
    assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST']), ['pt', 't'])
    assert.deepEqual(secrets('live', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_LIVE']), ['pl', 'l'])
    assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST', 'PAYMENTS_WEBHOOK_SECRET_TEST']), [
      'pt',
      's',
    ])
    assert.deepEqual(
      secrets('test', [
        'PAYMENTS_WEBHOOK_SECRET_CONNECT_TEST',
        'PAYMENTS_WEBHOOK_SECRET_TEST',
        'PAYMENTS_WEBHOOK_SECRET',
      ]),
      ['pt', null],
    )
  })

  it("for platform don't fall back", () =>
    assert.deepEqual(secrets('test', ['PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST']), [null, 'ct']))

  it('are null without a mode', () => assert.deepEqual(of(all).payments, { mode: null, platform: null, connect: null }))
})

describe('lists of webhook secrets', () => {
  it('are separated by commas for SMS and by spaces for email', () => {
    assert.deepEqual(of({ SMS_WEBHOOK_SECRET: ' a, b ,,c' }).sms, ['a', 'b', 'c'])
    assert.deepEqual(of({ EMAIL_WEBHOOK_SECRET: '  a  b\tc ' }).email, ['a', 'b', 'c'])
    assert.deepEqual([of({}).sms, of({ EMAIL_WEBHOOK_SECRET: ' ' }).email], [[], []])
  })
})

describe('WEBHOOK_STRICT_SIGNATURES', () => {
  it('is on for 1, and off for 0 or empty', () =>
    assert.deepEqual(
      ['1', '0', ''].map((WEBHOOK_STRICT_SIGNATURES) => of({ WEBHOOK_STRICT_SIGNATURES }).strictSignatures),
      [true, false, false],
    ))
  it('throws ConfigError for any other value', () =>
    assert.throws(() => of({ WEBHOOK_STRICT_SIGNATURES: 'yes' }), ConfigError))
})

describe('the database URLs', () => {
  const both = {
    DATABASE_URL: 'postgres://owner@localhost/callout',
    DATABASE_APP_URL: 'postgresql://service:secret@localhost/callout',
  }
  it('are read separately, and null by default', () => {
    const { databaseUrl, databaseAppUrl } = readConfig(both)
    assert.deepEqual([databaseUrl, databaseAppUrl], Object.values(both))
    assert.deepEqual([readConfig({}).databaseUrl, readConfig({}).databaseAppUrl], [null, null])
  })
  it('are rejected when malformed or when the app URL stands alone, without showing the password', () => {
    assert.throws(() => readConfig({ ...both, DATABASE_APP_URL: 'mysql://service:secret@localhost' }), {
      name: 'Error',
      message: 'DATABASE_APP_URL must start with postgres:// or postgresql://',
    })
    assert.throws(() => readConfig({ DATABASE_APP_URL: both.DATABASE_APP_URL }), {
      message: "DATABASE_APP_URL needs DATABASE_URL, the owner's connection to the same database",
    })
  })
})

describe('the base URL', () => {
  const baseUrl = (BASE_URL: string) => readConfig({ BASE_URL }).baseUrl
  it('is normalized to an origin', () => {
    assert.deepEqual(
      ['https://Callout.Example.com/', 'https://callout.example.com:443', 'http://localhost:3000', ''].map(baseUrl),
      ['https://callout.example.com', 'https://callout.example.com', 'http://localhost:3000', 'http://localhost:3000'],
    )
    assert.equal(
      readConfig({ BASE_URL: 'https://callout.example.com/' }).authUrl,
      'https://callout.example.com/auth/v1',
    )
  })
  it('is rejected in one line when it has a path', () => {
    for (const url of ['https://example.com/callout', 'https://example.com/callout/', 'https://example.com//x']) {
      assert.throws(
        () => baseUrl(url),
        (error: unknown) =>
          error instanceof ConfigError &&
          /^BASE_URL must have no path: .*\(got 'https:\/\/example\.com\/[^\n]*\)$/.test(error.message),
        url,
      )
    }
  })
  it('is rejected with a query, a fragment, a user or another scheme', () => {
    for (const url of [
      'https://example.com?x',
      'https://example.com/#x',
      'https://a@example.com',
      'ftp://example.com',
      'example.com',
    ])
      assert.throws(() => baseUrl(url), /^Error: BASE_URL must be an http/, url)
  })
})

describe('trusted proxies', () => {
  it('default to loopback and private ranges', () => {
    assert.ok(readConfig({}).trustedProxies.includes('10.0.0.0/8'))
    assert.deepEqual(readConfig({ TRUSTED_PROXIES: '203.0.113.7' }).trustedProxies, ['203.0.113.7'])
  })
})

describe('telemetry settings', () => {
  const telemetry = (env: Record<string, string>) => readConfig(env).telemetry
  const assertRefused = (env: Record<string, string>, name: string): void =>
    assert.throws(
      () => telemetry(env),
      (error: unknown) =>
        error instanceof ConfigError &&
        error.message.startsWith(`${name} `) &&
        !error.message.includes('\n') &&
        !error.message.includes('s3cret'),
    )
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }

  it('are off by default', () => {
    assert.deepEqual(telemetry({}), { metricsPort: null, traces: null })
    assert.deepEqual(
      telemetry({
        METRICS_PORT: ' ',
        OTEL_EXPORTER_OTLP_ENDPOINT: ' ',
        OTEL_SERVICE_NAME: 'x',
        OTEL_EXPORTER_OTLP_HEADERS: 'bad',
      }),
      { metricsPort: null, traces: null },
    )
  })

  it("send traces to the signal's path with the service name and headers", () => {
    assert.deepEqual(telemetry(ENDPOINT).traces, {
      url: 'http://127.0.0.1:4318/v1/traces',
      headers: {},
      serviceName: 'callout',
    })
    assert.deepEqual(
      telemetry({
        OTEL_EXPORTER_OTLP_ENDPOINT: 'https://otel.example.com/base/',
        OTEL_SERVICE_NAME: 'office',
        OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Basic%20eA==, x-team = a b ,x-empty=',
      }).traces,
      {
        url: 'https://otel.example.com/base/v1/traces',
        headers: { Authorization: 'Basic eA==', 'x-team': 'a b', 'x-empty': '' },
        serviceName: 'office',
      },
    )
  })

  it('are rejected when unusable, without showing a secret', () => {
    for (const url of [
      'otel',
      'grpc://127.0.0.1:4317',
      'http://127.0.0.1:4318?key=1',
      'http://user:s3cret@127.0.0.1:4318',
    ])
      assertRefused({ OTEL_EXPORTER_OTLP_ENDPOINT: url }, 'OTEL_EXPORTER_OTLP_ENDPOINT')
    for (const headers of [
      's3cret',
      '=s3cret',
      'a b=s3cret',
      'x=s3cret%',
      'x=s3cret%0a',
      'x=s3cret\u00e9',
      'x=1,s3cret',
    ])
      assertRefused({ ...ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS: headers }, 'OTEL_EXPORTER_OTLP_HEADERS')
    for (const protocol of ['grpc', 'http/json'])
      assertRefused({ ...ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: protocol }, 'OTEL_EXPORTER_OTLP_PROTOCOL')
    for (const port of ['x', '65536', '-1', '3000']) assertRefused({ METRICS_PORT: port }, 'METRICS_PORT')
    assert.equal(telemetry({ METRICS_PORT: '3000', PORT: '3001' }).metricsPort, 3000)
  })
})

describe('DATABASE_CONNECTIONS', () => {
  const connections = (given?: string): number =>
    readConfig(given === undefined ? {} : { DATABASE_CONNECTIONS: given }).databaseConnections

  it('defaults to 10 and accepts 3 to 200', () => {
    assert.deepEqual([connections(), connections('3'), connections(' 200 ')], [10, 3, 200])
  })

  for (const given of ['0', '2', '201', '-5', '7.5', 'ten']) {
    it(`rejects '${given}'`, () =>
      assert.throws(
        () => connections(given),
        new ConfigError(`DATABASE_CONNECTIONS must be a whole number from 3 to 200 (got '${given}')`),
      ))
  }
})

describe('PROCESSES', () => {
  const processes = (env: Record<string, string>): number => readConfig(env).processes
  const DATABASE_URL = 'postgres://localhost/callout'

  it('defaults to 1, and accepts a number or "max" for one per core', () => {
    assert.deepEqual(
      [{}, { PROCESSES: '3' }, { PROCESSES: '256', DATABASE_URL }, { PROCESSES: 'max', DATABASE_URL }].map(processes),
      [1, 3, 256, availableParallelism()],
    )
  })

  it('is limited by the connections of the embedded server', () => {
    assert.equal(processes({ PROCESSES: '8' }), 8)
    assert.equal(processes({ PROCESSES: 'max', DATABASE_CONNECTIONS: '80' }), 1)
    assert.equal(processes({ DATABASE_CONNECTIONS: '200' }), 1)
    assert.throws(
      () => processes({ PROCESSES: '9' }),
      new ConfigError(
        "PROCESSES must be at most 8 with the embedded database and 10 connections each: lower DATABASE_CONNECTIONS, or set DATABASE_URL (got '9')",
      ),
    )
  })

  for (const given of ['0', '257', '-1', 'all', '1.5']) {
    it(`rejects '${given}'`, () =>
      assert.throws(
        () => processes({ PROCESSES: given, DATABASE_URL }),
        new ConfigError(`PROCESSES must be a whole number from 1 to 256 (got '${given}')`),
      ))
  }
})
