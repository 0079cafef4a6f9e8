import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { every } from '../../../src/worker/schedule.ts'
import type { PeriodicTask } from '../../../src/worker/periodic_task.ts'
import { makeCompany, type Company } from '../../harness/harness.ts'
import { rpc, toolHeaders } from '../../harness/http.ts'
import { PASSWORD, foundCompany } from '../../harness/visiting.ts'
import { sampled, startWatched } from '../../harness/watching.ts'
import { WEBHOOK_ENV, providerOf, rawRequest } from '../../harness/clients/webhook_calls.ts'

type Watched = Awaited<ReturnType<typeof startWatched>>

const chores: PeriodicTask[] = [
  { name: 'good_chore', of: 'service', next: every({ hours: 1 }), run: async () => {} },
  { name: 'bad_chore', of: 'service', next: every({ hours: 1 }), run: () => Promise.reject(new Error('broken')) },
]

let service: Watched
let company: Company
before(async () => {
  const { EMAIL_WEBHOOK_SECRET: _, ...secrets } = WEBHOOK_ENV
  service = await startWatched({ ...secrets, DATA_DIR: tmpdir() }, { chores, level: 'silent' })
  company = await makeCompany(service)
})
after(() => service.stop())

const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(service.url, { method: 'POST', headers: { ...toolHeaders(company.owner.key), ...headers }, body })
const requests = async (labels: Record<string, string>): Promise<number> =>
  sampled(await service.metrics(), 'callout_mcp_requests_total', labels)
const stateless = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
  'io.modelcontextprotocol/clientInfo': { name: 'invented-client', version: '1' },
}

/** Returns how much a sample grows while something is done. */
async function growth(name: string, labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> {
  const earlier = sampled(await service.metrics(), name, labels)
  await work()
  return sampled(await service.metrics(), name, labels) - earlier
}

describe('requests to the tool endpoint', () => {
  it('count by method, tool, era and outcome', async () => {
    await company.call('tags_create', { name: 'counted' })
    await company.call('tags_list')
    await company.call('tags_list')
    await company.refusal('tags_create', { name: 'counted' })
    await company.refusal('tags_create', {})
    await company.refusal('tags_get', { id: company.tenant })
    await post(rpc('tools/list'))
    await post(rpc('tools/list', { _meta: stateless }), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/list',
    })
    const counted = await Promise.all(
      [
        { tool: 'tags_create', outcome: 'ok', method: 'tools/call', era: 'handshake' },
        { tool: 'tags_create', outcome: 'conflict' },
        { tool: 'tags_create', outcome: 'invalid_input' },
        { tool: 'tags_list', outcome: 'ok' },
        { tool: 'tags_get', outcome: 'not_found' },
        { method: 'tools/list', tool: '', era: 'handshake', outcome: 'ok' },
        { method: 'tools/list', tool: '', era: 'stateless', outcome: 'ok' },
      ].map(requests),
    )
    assert.deepEqual(counted, [1, 1, 1, 2, 1, 1, 1])
  })

  it('turned away count by what they were told', async () => {
    const outcomes = ['invalid_token', 'wrong_tenant', 'wrong_origin', '-32700', '-32601', '-32000'].map((outcome) => ({
      outcome,
    }))
    const before = await Promise.all(outcomes.map(requests))
    await post(rpc('ping'), { authorization: 'Bearer svc_uk_nobody' })
    await post(rpc('ping'), { 'x-tenant-id': 'another' })
    await post(rpc('ping'), { origin: 'https://elsewhere.example' })
    await post('{')
    await post(rpc('tags/invent'))
    await post(rpc('ping'), { 'content-type': 'text/plain' })
    assert.deepEqual(
      await Promise.all(outcomes.map(requests)),
      before.map((count) => count + 1),
    )
  })

  it('have a duration each', async () => {
    const text = await service.metrics()
    const all = sampled(text, 'callout_mcp_requests_total')
    assert.ok(all > 0)
    assert.equal(sampled(text, 'callout_mcp_request_duration_seconds_count'), all)
    assert.equal(sampled(text, 'callout_mcp_request_duration_seconds_bucket', { le: '+Inf' }), all)
    assert.ok(sampled(text, 'callout_mcp_request_duration_seconds_sum', { tool: 'tags_list' }) > 0)
  })

  it('are in flight until they are answered', async () => {
    const { promise: body, resolve: send } = Promise.withResolvers<void>()
    const answered = rawRequest(service.url, toolHeaders(company.owner.key), (write, end) => {
      write(Buffer.from('{'))
      void body.then(end)
    })
    while (sampled(await service.metrics(), 'callout_mcp_requests_in_flight') !== 1);
    send()
    await answered
    assert.equal(sampled(await service.metrics(), 'callout_mcp_requests_in_flight'), 0)
  })
})

describe('a label', () => {
  it('is no name that a client invented', async () => {
    const names = Array.from({ length: 20 }, (_, i) => `invented_${i}`)
    for (const name of names) {
      await post(rpc('tools/call', { name, arguments: { [name]: name } }))
      await post(rpc(name))
      await post(rpc('tools/list', { _meta: stateless }), {
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/list',
        'user-agent': name,
      })
      await fetch(`${service.origin}/${name}`)
      await fetch(`${service.origin}/.well-known/${name}`)
    }
    const text = await service.metrics()
    assert.ok(!text.includes('invented'))
    assert.ok((await requests({ method: 'tools/call', tool: 'other', outcome: '-32602' })) >= 20)
    assert.ok((await requests({ method: 'other', tool: '', outcome: '-32601' })) >= 20)
  })

  it('is a method or a tool as it is served', async () => {
    const { result } = (await (await post(rpc('tools/list'))).json()) as { result: { tools: { name: string }[] } }
    for (const { name } of result.tools) await post(rpc('tools/call', { name, arguments: { no_such: 1 } }))
    const text = await service.metrics()
    for (const { name } of result.tools)
      assert.equal(
        sampled(text, 'callout_mcp_requests_total', { tool: name, outcome: 'invalid_input' }) > 0,
        true,
        name,
      )
    await post(rpc('prompts/get', { name: 'plan-my-day' }))
    assert.equal(await requests({ method: 'prompts/get', tool: 'plan-my-day' }), 1)
    for (const method of [
      'initialize',
      'ping',
      'notifications/initialized',
      'server/discover',
      'resources/list',
      'resources/templates/list',
      'resources/read',
      'prompts/list',
      'completion/complete',
    ]) {
      assert.equal(
        await growth('callout_mcp_requests_total', { method }, () =>
          post(method.startsWith('notifications') ? JSON.stringify({ jsonrpc: '2.0', method }) : rpc(method)),
        ),
        1,
        method,
      )
    }
  })
})

describe('the other doors', () => {
  it('count webhooks by endpoint and outcome', async () => {
    const provider = providerOf(service)
    const deliveries = (labels: Record<string, string>, work: () => Promise<unknown>): Promise<number> =>
      growth('callout_webhook_deliveries_total', labels, work)
    assert.equal(
      await deliveries({ endpoint: 'payments/platform', outcome: 'accepted' }, () =>
        provider.event({ id: 'evt_1' }, 'platform'),
      ),
      1,
    )
    assert.equal(
      await deliveries({ endpoint: 'payments/connect', outcome: 'refused' }, () =>
        provider.payments('connect', '{}', 'no signature'),
      ),
      1,
    )
    assert.equal(
      await deliveries({ endpoint: 'sms/sms-status', outcome: 'refused' }, () =>
        provider.sms('/api/webhooks/sms/sms-status', {}, 'no signature'),
      ),
      1,
    )
    assert.equal(
      await deliveries({ endpoint: 'email/inbound', outcome: 'failed' }, () =>
        provider.email('/api/webhooks/email/inbound', {}),
      ),
      1,
    )
  })

  it('count answers by status', async () => {
    const requests = (edge: string, status: string, path: string): Promise<number> =>
      growth('callout_requests_total', { edge, status }, () => fetch(service.origin + path))
    assert.equal(await requests('oauth', '200', '/.well-known/oauth-protected-resource'), 1)
    assert.equal(await requests('oauth', '405', '/auth/v1/oauth/token'), 1)
    assert.equal(await requests('oauth', '404', '/.well-known/nothing'), 1)
    assert.equal(await requests('page', '200', '/sign-in'), 1)
    assert.equal(await requests('mcp', '401', '/api/mcp'), 1)
    assert.equal(await requests('webhook', '405', '/api/webhooks/payments/platform'), 1)
  })
})

describe('signing in', () => {
  it('counts how a try ended', async () => {
    const { owner } = await foundCompany(service, 'Alder Plumbing')
    const tries = (outcome: string, fields: Record<string, string>): Promise<number> =>
      growth('callout_sign_ins_total', { outcome }, () =>
        fetch(`${service.origin}/sign-in`, {
          method: 'POST',
          redirect: 'manual',
          body: new URLSearchParams(fields),
          headers: { origin: service.config.baseUrl, accept: 'text/html' },
        }),
      )
    assert.equal(await tries('failed', { email: 'nobody@example.com', password: 'not the password at all' }), 1)
    assert.equal(await tries('signed_in', { email: 'nobody@example.com', password: 'not the password at all' }), 0)
    assert.equal(await tries('signed_in', { email: owner.email, password: PASSWORD }), 1)
  })
})

describe('a rate limit', () => {
  it('counts whom it turns away', async () => {
    const limited = await startWatched({ RATE_LIMIT_PER_CREDENTIAL: '1' })
    try {
      const { owner } = await makeCompany(limited)
      const statuses: number[] = []
      for (let i = 0; i < 5; i++)
        statuses.push(
          (await fetch(limited.url, { method: 'POST', headers: toolHeaders(owner.key), body: rpc('ping') })).status,
        )
      const turnedAway = statuses.filter((status) => status === 429).length
      assert.ok(turnedAway >= 3)
      const text = await limited.metrics()
      assert.equal(sampled(text, 'callout_rate_limited_total', { edge: 'mcp' }), turnedAway)
      assert.equal(sampled(text, 'callout_mcp_requests_total', { outcome: 'rate_limited' }), turnedAway)
      assert.equal(sampled(text, 'callout_requests_total', { edge: 'mcp', status: '429' }), turnedAway)
      const [line] = limited.lines.filter(({ errorCode }) => errorCode === 'rate_limited')
      assert.deepEqual([line!['credential'], line!['status']], [owner.credential, 429])
    } finally {
      await limited.stop()
    }
  })
})

describe('the periodic work', () => {
  it('counts by chore and outcome', async () => {
    const runs = async (chore: string, outcome: string): Promise<number> =>
      sampled(await service.metrics(), 'callout_chore_runs_total', { chore, outcome })
    while ((await runs('good_chore', 'done')) + (await runs('bad_chore', 'failed')) < 2)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    assert.deepEqual([await runs('good_chore', 'failed'), await runs('bad_chore', 'done')], [0, 0])
  })
})

describe('the database', () => {
  it('shows connections in use and callers that wait', async () => {
    // Without periodic work, whose statements would wait among these.
    const quiet = await startWatched()
    const { promise: freed, resolve: free } = Promise.withResolvers<void>()
    try {
      const held = Array.from({ length: 12 }, (_, i) =>
        quiet.database.hold(() => freed, { of: ['service', 'one', 'other'][i % 3]!, writes: false }),
      )
      const used = async (): Promise<number[]> => {
        const text = await quiet.metrics()
        return [
          sampled(text, 'callout_database_connections', { state: 'used' }),
          sampled(text, 'callout_database_connections_max'),
          sampled(text, 'callout_database_waiting'),
        ]
      }
      while ((await used())[0] !== 10 || (await used())[2]! < 2);
      assert.deepEqual(await used(), [10, 10, 2])
      free()
      await Promise.all(held)
      while ((await used())[0] !== 0);
      assert.deepEqual(await used(), [0, 10, 0])
    } finally {
      free()
      await quiet.stop()
    }
  })
})

describe('the disks', () => {
  it('tells the room on the disks of the data and of the temporary folder', async () => {
    const text = await service.metrics()
    for (const disk of ['data', 'temporary']) {
      const [free, size] = [
        sampled(text, 'callout_disk_free_bytes', { disk }),
        sampled(text, 'callout_disk_size_bytes', { disk }),
      ]
      assert.ok(free > 0 && size >= free, `${disk}: ${free} of ${size}`)
    }
  })
})

describe('the text', () => {
  it('is what Prometheus reads: heads once, lines of one form, no sample twice', async () => {
    const response = await fetch(`${service.metricsOrigin}/metrics`)
    assert.equal(response.headers.get('content-type'), 'text/plain; version=0.0.4; charset=utf-8')
    const lines = (await response.text()).split('\n')
    assert.equal(lines.pop(), '')
    const samples = lines.filter((line) => line !== '' && !line.startsWith('#'))
    for (const line of samples)
      assert.match(line, /^[a-z_0-9]+(\{[a-z]+="[^"\\\n]*"(,[a-z]+="[^"\\\n]*")*\})? -?(\d+(\.\d+)?(e-?\d+)?|\+Inf)$/)
    const keys = samples.map((line) => line.slice(0, line.lastIndexOf(' ')))
    assert.equal(new Set(keys).size, keys.length)
    const heads = lines.filter((line) => line.startsWith('# TYPE'))
    assert.equal(new Set(heads).size, heads.length)
    assert.ok(sampled(lines.join('\n'), 'process_resident_memory_bytes') > 1e6)
    assert.ok(sampled(lines.join('\n'), 'process_cpu_user_seconds_total') > 0)
    assert.equal(sampled(lines.join('\n'), 'callout_build_info'), 1)
  })
})

describe('the operating guide', () => {
  it('lists every metric and no other', async () => {
    const guide = await readFile(
      join(import.meta.dirname, '..', '..', '..', 'docs', 'operating', 'monitoring.md'),
      'utf8',
    )
    const rows = guide.split('\n').filter((line) => line.startsWith('| `') && line.split('|')[1]!.includes('_'))
    const listed = rows.flatMap((row) =>
      [...row.split('|')[1]!.matchAll(/`((?:callout|process|nodejs)_\w+)`/g)].map(([, name]) => name!),
    )
    const served = [...(await service.metrics()).matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name!)
    assert.deepEqual(listed.sort(), served.sort())
  })
})

describe('the port for metrics', () => {
  const ask = async (path: string, method = 'GET'): Promise<number> =>
    (await fetch(service.metricsOrigin + path, { method })).status

  it('answers GET and HEAD of /metrics and nothing else', async () => {
    assert.deepEqual([await ask('/metrics'), await ask('/metrics?x=1'), await ask('/metrics', 'HEAD')], [200, 200, 200])
    assert.deepEqual(
      [
        await ask('/'),
        await ask('/metrics/'),
        await ask('/api/mcp', 'POST'),
        await ask('/sign-in'),
        await ask('/health/live'),
      ],
      [404, 404, 404, 404, 404],
    )
    assert.deepEqual([await ask('/metrics', 'POST'), await ask('/metrics', 'DELETE')], [405, 405])
  })

  it("is another than the service's, which has no /metrics", async () => {
    assert.notEqual(service.metricsOrigin, service.origin)
    const response = await fetch(`${service.origin}/metrics`, { headers: { host: 'callout.test' } })
    assert.ok(response.status >= 400 && !(await response.text()).includes('callout_mcp'))
  })

  it('is not there unless it is asked for', async () => {
    const plain = await startWatched({ METRICS_PORT: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    const { owner } = await makeCompany(plain)
    await owner.call('tags_list')
    await plain.stop()
    assert.deepEqual(
      [plain.metricsPort, plain.collector.sent.length, plain.lines.filter(({ msg }) => msg === 'mcp').length],
      [null, 0, 1],
    )
  })
})
