import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Buckets, ROUND_TRIP_BOUNDS } from '../../../src/platform/buckets.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { providerOf } from '../../harness/clients/webhook_calls.ts'
import { startHealth, type Watched } from '../../harness/health.ts'
import { readSample } from '../../harness/monitored_service.ts'

let service: Watched
before(async () => {
  service = await startHealth()
})
after(() => service.stop())

const REQUESTS = 'callout_request_duration_seconds'

describe('request and database durations', () => {
  it('are counted by route pattern, without ids or unknown paths', async () => {
    const tenant = service.company.id
    await service.operator.signIn(service.company.owner.email)
    await service.operator.get(`/${tenant}/customers`)
    await service.operator.get(`/${tenant}/customers?query=Ana`)
    await service.operator.get(`/c/${'x'.repeat(43)}`)
    await service.operator.get('/field')
    for (let i = 0; i < 20; i++) await service.operator.get(`/invented-${i}/page`)
    await providerOf(service).email('/api/webhooks/email/inbound', {})
    await fetch(`${service.origin}/.well-known/oauth-protected-resource/api/mcp`)
    const text = await service.metrics()
    const count = (labels: Record<string, string>): number => readSample(text, `${REQUESTS}_count`, labels)
    assert.equal(count({ edge: 'sign_in', route: '/sign-in' }), 1)
    assert.equal(count({ edge: 'page', route: '/:tenant/customers' }), 2)
    assert.ok(count({ edge: 'link' }) >= 1)
    assert.ok(count({ edge: 'phone' }) >= 1)
    assert.equal(count({ edge: 'page', route: 'other' }), 20)
    assert.equal(count({ edge: 'webhook', route: '/api/webhooks/email/inbound' }), 1)
    assert.ok(count({ edge: 'oauth' }) >= 1)
    assert.ok(!text.includes('invented') && !text.includes(tenant) && !text.includes('xxxx'))
    assert.equal(readSample(text, `${REQUESTS}_bucket`, { le: '+Inf' }), readSample(text, `${REQUESTS}_count`))
    assert.ok(readSample(text, `${REQUESTS}_sum`, { route: '/sign-in' }) > 0)
  })

  it('are counted for database round trips and waits for a connection', async () => {
    const before = await service.metrics()
    await service.operator.get('/sign-in')
    await Promise.all(Array.from({ length: 60 }, () => service.database.send([sql`select pg_sleep(0.01)`])))
    const after = await service.metrics()
    for (const name of ['callout_database_query_seconds', 'callout_database_wait_seconds']) {
      assert.ok(readSample(after, `${name}_count`) > readSample(before, `${name}_count`), name)
      assert.ok(readSample(after, `${name}_sum`) > readSample(before, `${name}_sum`), name)
    }
  })
})

describe('histogram buckets', () => {
  it('count a duration equal to a bound in that bucket, and higher ones in the last', () => {
    const buckets = new Buckets([0.001, 0.01])
    for (const ms of [0, 1, 1.001, 10, 10.1, 5_000]) buckets.observe(ms)
    assert.deepEqual([...buckets.counts], [2, 2, 2])
    assert.ok(Math.abs(buckets.sum - 5.022_101) < 1e-9)
  })

  it('take less than a microsecond per observation', () => {
    const buckets = new Buckets(ROUND_TRIP_BOUNDS)
    const runs = 200_000
    const before = process.threadCpuUsage()
    for (let i = 0; i < runs; i++) buckets.observe(i % 700)
    const { user, system } = process.threadCpuUsage(before)
    const ns = ((user + system) / runs) * 1e3
    assert.ok(ns < 1_000, `${ns} ns each`)
  })
})
