import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { freePort } from '../../harness/web_client.ts'
import { startMonitoredService } from '../../harness/monitored_service.ts'
import { CANARY, SECRETS, findSecrets, hidden } from './canary.ts'
import { sendEverything } from './send_everything.ts'

let watched: { lines: readonly object[]; spans: string; metrics: string; names: string[] }

before(async () => {
  const port = await freePort()
  const service = await startMonitoredService(
    {
      PORT: String(port),
      BASE_URL: `http://localhost:${port}`,
      OTEL_EXPORTER_OTLP_HEADERS: `x-key=${CANARY}`,
      PAYMENTS_SECRET_KEY: `sk_test_${CANARY}`,
      PAYMENTS_WEBHOOK_SECRET: SECRETS.payments,
      PAYMENTS_WEBHOOK_SECRET_PLATFORM_TEST: SECRETS.payments,
      SMS_WEBHOOK_SECRET: SECRETS.sms,
      EMAIL_WEBHOOK_SECRET: SECRETS.email,
    },
    { outside: { fetchDocument: () => Promise.reject(new Error(CANARY)) } },
  )
  const metrics = await sendEverything(service).finally(service.stop)
  watched = {
    lines: service.lines,
    metrics,
    names: service.collector.spans().map(({ name }) => name),
    spans: service.collector.sent.map(({ body }) => body.toString('latin1')).join(''),
  }
})

const countLogs = (fields: Record<string, unknown>): number =>
  watched.lines.filter((line) =>
    Object.entries(fields).every(([name, value]) => (line as Record<string, unknown>)[name] === value),
  ).length

describe('the requests under test', () => {
  it('include every kind of success and failure', () => {
    for (const outcome of [
      null,
      'invalid_input',
      'not_found',
      'conflict',
      'insufficient_scope',
      'internal',
      'invalid_token',
      'wrong_tenant',
      'wrong_origin',
      -32700,
      -32600,
      -32602,
    ]) {
      assert.ok(countLogs({ msg: 'mcp', errorCode: outcome }) > 0, `none ended with ${outcome}`)
    }
    for (const fault of ['fault', 'webhook fault', 'task failed', 'status not stored'])
      assert.ok(countLogs({ msg: fault }) > 0, `there was no ${fault}`)
    for (const status of [200, 400, 401, 500])
      assert.ok(countLogs({ msg: 'webhook', status }) > 0, `no webhook was answered ${status}`)
    assert.ok(
      countLogs({ msg: 'oauth', path: '/auth/v1/oauth/token', status: 200 }) >= 2 &&
        countLogs({ msg: 'oauth', status: 503 }) > 0,
    )
    assert.ok(
      countLogs({ msg: 'page', path: '/sign-in', status: 303 }) > 0 && countLogs({ msg: 'page', status: 500 }) > 0,
    )
    assert.ok(
      hidden.length >= 14 &&
        watched.names.includes('tools/call customers_create') &&
        watched.names.includes('postgresql'),
    )
  })

  it("show the client's name in logs and spans, so a leak would be visible", () => {
    assert.ok(countLogs({ client: 'desk-agent' }) > 0 && watched.spans.includes('desk-agent'))
  })
})

describe('no argument, form, message, password, key, token, code or secret', () => {
  it('is in the log', () =>
    assert.deepEqual(
      watched.lines.flatMap((line) => findSecrets(JSON.stringify(line))),
      [],
    ))
  it('is in a span', () => assert.deepEqual(findSecrets(watched.spans), []))
  it('is in the metrics', () => assert.deepEqual(findSecrets(watched.metrics), []))
})
