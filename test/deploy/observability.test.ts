import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { parse, stringify } from 'yaml'
import { SERVICE } from '../../src/platform/leases/lease.ts'
import { sql } from '../../src/platform/db/tenant.ts'
import { rpc, toolHeaders } from '../harness/http.ts'
import { makeCompany } from '../harness/harness.ts'
import { startHealth, type Watched } from '../harness/health.ts'
import { asking } from '../harness/processes/deploying.ts'
import { root } from '../harness/repository.ts'

type Rule = { alert?: string; record?: string; expr: string }

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

async function rules(): Promise<Rule[]> {
  const { groups }: { groups: { rules: Rule[] }[] } = parse(await read('deploy/prometheus/rules.yaml'))
  return groups.flatMap((group) => group.rules)
}

async function dashboardQueries(): Promise<string[]> {
  const { panels }: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(await read('deploy/grafana.json'))
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Returns the metrics that a query names, as a scrape describes them. */
const metricsIn = (query: string): string[] =>
  [...query.matchAll(/(?<![\w:])(?:callout|process|nodejs)_\w+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ''),
  )

const isTold = (name: string, text: string): boolean => text.includes(`# TYPE ${name} `)

let service: Watched
before(async () => {
  service = await startHealth()
  await service.nextTurn()
})
after(() => service.stop())

describe('every metric exists', () => {
  it('that a rule or the dashboard asks for, with its labels', async () => {
    const text = await service.metrics()
    const queries = [...(await rules()).map(({ expr }) => expr), ...(await dashboardQueries())]
    assert.ok(queries.length > 50)
    assert.deepEqual(
      [...new Set(queries.flatMap(metricsIn))].filter((name) => !isTold(name, text)),
      [],
    )
    const told = new Set((await rules()).flatMap(({ record = [] }) => record))
    const recorded = queries.flatMap((query) => [...query.matchAll(/callout:[\w:]+/g)].map(([name]) => name))
    assert.deepEqual(
      recorded.filter((name) => !told.has(name)),
      [],
    )
  })

  it('that the page on monitoring has, and has each that a scrape has', async () => {
    const page = await read('docs/operating/monitoring.md')
    const documented = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`((?:callout|process|nodejs)_\w+)`/g)].flatMap(([, name]) => name ?? []),
    )
    const told = [...(await service.metrics()).matchAll(/^# TYPE (\w+) /gm)].flatMap(([, name]) => name ?? [])
    assert.deepEqual(documented.toSorted(), told.toSorted())
  })
})

describe('every alert', () => {
  it('has its section: what you see, why, what to do', async () => {
    const page = await read('docs/operating/incidents.md')
    const sections = [...page.matchAll(/^### (\w+)\n\n- \*\*You see:\*\* .+\n- \*\*Why:\*\* .+\n- \*\*Do:\*\* .+\n/gm)]
    const alerts = (await rules()).flatMap(({ alert = [] }) => alert)
    assert.ok(alerts.length > 15)
    assert.deepEqual(
      sections.map(([, name]) => name),
      alerts,
    )
  })
})

/** Samples of a scrape, by series. */
function samplesOf(text: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

/** Minutes before the fault, and with it. */
const [SOUND, FAULTY] = [360, 60]

/** Writes the two scrapes as series over time: as before, then on the way to what it is after the fault. */
const seriesOf = (before: Map<string, number>, after: Map<string, number>) =>
  [...new Set([...before.keys(), ...after.keys()])].map((series) => {
    const [from, to] = [before.get(series), after.get(series)]
    const sound = from === undefined ? `_x${SOUND}` : `${from}x${SOUND}`
    if (to === undefined) return { series, values: sound }
    const isCounter = /_(?:total|bucket|count|sum)\b/.test(series)
    const faulty = isCounter ? `${from ?? 0}+${(to - (from ?? 0)) / FAULTY}x${FAULTY}` : `${to}x${FAULTY}`
    return { series, values: `${sound} ${faulty}` }
  })

/** Returns the alerts that fire at the end, as promtool evaluates the rules. */
async function firingAt(minute: number, series: { series: string; values: string }[]): Promise<string[]> {
  const alerts = (await rules()).flatMap(({ alert = [] }) => alert)
  const folder = await mkdtemp(join(tmpdir(), 'callout-rules-'))
  const file = join(folder, 'test.yaml')
  const tests = [
    {
      interval: '1m',
      input_series: series,
      promql_expr_test: [
        { expr: 'count by (alertname) (ALERTS{alertstate="firing"})', eval_time: `${minute}m`, exp_samples: [] },
      ],
    },
  ]
  const rule_files = [join(root, 'deploy', 'prometheus', 'rules.yaml')]
  await writeFile(file, stringify({ rule_files, evaluation_interval: '1m', tests }))
  const output = await promisify(execFile)('promtool', ['test', 'rules', file]).then(
    ({ stdout }) => stdout,
    (error: { stdout?: string; stderr?: string }) => `${error.stdout}${error.stderr}`,
  )
  await rm(folder, { recursive: true })
  return alerts.filter((alert) => output.includes(`alertname="${alert}"`))
}

describe('an alert', () => {
  asking('promtool', 'fires by its fault, and none fires before it, by real scrapes', async () => {
    const company = await makeCompany(service)
    const call = () =>
      fetch(service.url, {
        method: 'POST',
        headers: toolHeaders(company.owner.key),
        body: rpc('tools/call', { name: 'tags_list', arguments: {} }),
      })
    const page = () => service.operator.get('/sign-in')
    const webhook = () => fetch(`${service.origin}/api/webhooks/email/inbound`, { method: 'POST', body: '{}' })
    await Promise.all([call(), page()])
    await service.nextTurn()
    const sound = samplesOf(await service.metrics())

    await service.asOwner('alter table tags rename to tags_gone; alter table sessions rename to sessions_gone')
    for (let i = 0; i < 30; i++) {
      await call()
      await service.operator.send('/operator', { headers: { cookie: `session=${'x'.repeat(43)}` } })
      await webhook()
    }
    await service.asOwner('alter table tags_gone rename to tags; alter table sessions_gone rename to sessions')
    for (let i = 0; i < 120; i++) await service.operator.signIn(`nobody-${i}@example.com`)
    await service.database.send([
      sql`insert into chore_leases (tenant_id, chore, due_at) values (${SERVICE}, 'stuck_task', now() - interval '2 hours')`,
      sql`insert into backup_status (kind, succeeded_at) values ('backup', now() - interval '30 hours')`,
    ])
    await service.nextTurn()
    const faulty = samplesOf(await service.metrics())

    const series = seriesOf(sound, faulty)
    assert.deepEqual(await firingAt(SOUND - 1, series), [])
    const firing = await firingAt(SOUND + FAULTY, series)
    console.log(firing)
    assert.deepEqual(firing, ['CalloutToolErrors'])
    assert.deepEqual(await firingAt(SOUND, []), ['CalloutDown'])
  })
})
