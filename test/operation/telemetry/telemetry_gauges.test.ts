import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { every } from '../../../src/worker/schedule.ts'
import type { PeriodicTask } from '../../../src/worker/periodic_task.ts'
import { makeCompany } from '../../harness/harness.ts'
import { readSample, startMonitoredService } from '../../harness/monitored_service.ts'

type Watched = Awaited<ReturnType<typeof startMonitoredService>>

const chores: PeriodicTask[] = [
  { name: 'good_chore', of: 'service', next: every({ hours: 1 }), run: async () => {} },
  { name: 'bad_chore', of: 'service', next: every({ hours: 1 }), run: () => Promise.reject(new Error('broken')) },
]

let service: Watched
before(async () => {
  service = await startMonitoredService({ DATA_DIR: tmpdir() }, { chores, level: 'silent' })
})
after(() => service.stop())

describe('periodic tasks', () => {
  it('counts by task and outcome', async () => {
    const runs = async (task: string, outcome: string): Promise<number> =>
      readSample(await service.metrics(), 'callout_task_runs_total', { task, outcome })
    while ((await runs('good_chore', 'done')) + (await runs('bad_chore', 'failed')) < 2)
      await new Promise((resolve) => {
        setTimeout(resolve, 20)
      })
    assert.deepEqual([await runs('good_chore', 'failed'), await runs('bad_chore', 'done')], [0, 0])
  })
})

describe('the database gauges', () => {
  it('show used connections and waiting callers', async () => {
    // Without periodic tasks, whose statements would wait too.
    const quiet = await startMonitoredService()
    const { promise: freed, resolve: free } = Promise.withResolvers<void>()
    try {
      const held = Array.from({ length: 12 }, (_, i) =>
        quiet.database.hold(() => freed, { of: ['service', 'one', 'other'][i % 3]!, writes: false }),
      )
      const readGauges = async (): Promise<number[]> => {
        const text = await quiet.metrics()
        return [
          readSample(text, 'callout_database_connections', { state: 'used' }),
          readSample(text, 'callout_database_connections_max'),
          readSample(text, 'callout_database_waiting'),
        ]
      }
      while ((await readGauges())[0] !== 10 || (await readGauges())[2]! < 2);
      assert.deepEqual(await readGauges(), [10, 10, 2])
      free()
      await Promise.all(held)
      while ((await readGauges())[0] !== 0);
      assert.deepEqual(await readGauges(), [0, 10, 0])
    } finally {
      free()
      await quiet.stop()
    }
  })
})

describe('the disk gauges', () => {
  it('show free space and size of the data and temporary disks', async () => {
    const text = await service.metrics()
    for (const disk of ['data', 'temporary']) {
      const [free, size] = [
        readSample(text, 'callout_disk_free_bytes', { disk }),
        readSample(text, 'callout_disk_size_bytes', { disk }),
      ]
      assert.ok(free > 0 && size >= free, `${disk}: ${free} of ${size}`)
    }
  })
})

describe('the metrics text', () => {
  it('is valid Prometheus text without duplicate heads or samples', async () => {
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
    assert.ok(readSample(lines.join('\n'), 'process_resident_memory_bytes') > 1e6)
    assert.ok(readSample(lines.join('\n'), 'process_cpu_user_seconds_total') > 0)
    assert.equal(readSample(lines.join('\n'), 'callout_build_info'), 1)
  })
})

describe('the operating guide', () => {
  it('lists exactly the served metrics', async () => {
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

describe('the metrics port', () => {
  const ask = async (path: string, method = 'GET'): Promise<number> =>
    (await fetch(service.metricsOrigin + path, { method })).status

  it('answers GET and HEAD of /metrics only', async () => {
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

  it("differs from the service's port, which has no /metrics", async () => {
    assert.notEqual(service.metricsOrigin, service.origin)
    const response = await fetch(`${service.origin}/metrics`, { headers: { host: 'callout.test' } })
    assert.ok(response.status >= 400 && !(await response.text()).includes('callout_mcp'))
  })

  it("isn't open without METRICS_PORT, and no spans are sent without an endpoint", async () => {
    const plain = await startMonitoredService({ METRICS_PORT: '', OTEL_EXPORTER_OTLP_ENDPOINT: '' })
    const { owner } = await makeCompany(plain)
    await owner.call('tags_list')
    await plain.stop()
    assert.deepEqual(
      [plain.metricsPort, plain.collector.sent.length, plain.lines.filter(({ msg }) => msg === 'mcp').length],
      [null, 0, 1],
    )
  })
})
