import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { startHealth, type Watched } from '../harness/health.ts'
import { rules } from '../harness/promtool.ts'
import { root } from '../harness/repository.ts'

const read = (path: string): Promise<string> => readFile(join(root, path), 'utf8')

async function dashboardQueries(): Promise<string[]> {
  const { panels }: { panels: { targets?: { expr: string }[] }[] } = JSON.parse(await read('deploy/grafana.json'))
  return panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
}

/** Returns the metrics in a query by their base names. */
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

describe('every metric', () => {
  it('in an alert rule or on the dashboard exists in a scrape', async () => {
    const text = await service.metrics()
    const queries = [...(await rules()).map(({ expr }) => expr), ...(await dashboardQueries())]
    assert.ok(queries.length > 50)
    assert.deepEqual(
      [...new Set(queries.flatMap(metricsIn))].filter((name) => !isTold(name, text)),
      [],
    )
    const ruleNames = new Set((await rules()).flatMap(({ record = [] }) => record))
    const recorded = queries.flatMap((query) => [...query.matchAll(/callout:[\w:]+/g)].map(([name]) => name))
    assert.deepEqual(
      recorded.filter((name) => !ruleNames.has(name)),
      [],
    )
  })

  it('in the monitoring docs exists in a scrape, and the reverse', async () => {
    const page = await read('docs/operating/monitoring.md')
    const documented = [...page.matchAll(/^\| ((?:`\w+`(?:, )?)+) \|/gm)].flatMap(([, names = '']) =>
      [...names.matchAll(/`((?:callout|process|nodejs)_\w+)`/g)].flatMap(([, name]) => name ?? []),
    )
    const scraped = [...(await service.metrics()).matchAll(/^# TYPE (\w+) /gm)].flatMap(([, name]) => name ?? [])
    assert.deepEqual(documented.toSorted(), scraped.toSorted())
  })
})

describe('every alert', () => {
  it('has a section in incidents.md that says why it fires and what to do', async () => {
    const page = await read('docs/operating/incidents.md')
    const sections = [...page.matchAll(/^### (\w+)\n\n- \*\*Why:\*\* .+\n- \*\*Do:\*\* .+\n/gm)]
    const alerts = (await rules()).flatMap(({ alert = [] }) => alert)
    assert.ok(alerts.length > 15)
    assert.deepEqual(
      sections.map(([, name]) => name),
      alerts,
    )
  })
})
