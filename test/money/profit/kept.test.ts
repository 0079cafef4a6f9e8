import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import {
  PROFIT_DIMENSIONS,
  profitOf,
  type ProfitDimension,
  type ProfitShare,
} from '../../../src/mobile/profit/job_profit.ts'
import { aggregateProfitDays, readProfit } from '../../../src/mobile/profit/profit_report.ts'
import { readDays } from '../../../src/mobile/profit/read_profit.ts'
import { readTenant, sql, type Db } from '../../../src/platform/db/tenant.ts'
import { newId } from '../../../src/platform/validation/id.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { startSite } from '../../harness/web_client.ts'
import { openProfit, type ProfitScene } from './scene.ts'

const RANGE = { from: '2026-01-01', to: '2026-12-31' }
const ZONES = ['America/New_York', 'Pacific/Auckland']

let service: TestService
let scene: ProfitScene
let zone = ZONES[0]!
const people: string[] = []
const items: Result[] = []
const jobs: Result[] = []
const invoices: string[] = []

before(async () => {
  service = await startSite()
  scene = await openProfit(service, 'Alder Plumbing')
  const customers = [await scene.customer('Ann'), await scene.customer('Bo')]
  for (const role of ['tech', 'tech'] as const) people.push((await scene.hire(role)).user_id)
  for (const name of ['Valve', 'Pump'])
    items.push(
      await scene.call('catalog_items_create', { name, kind: 'product', unit_price_cents: 7_500, cost_cents: 2_000 }),
    )
  const kit = await scene.call('catalog_items_create', {
    name: 'Kit',
    kind: 'bundle',
    pricing: 'fixed',
    unit_price_cents: 10_000,
    components: [{ catalog_item_id: items[0]!['id'], quantity: 2 }],
  })
  items.push(kit)
  for (let i = 0; i < 6; i++)
    jobs.push(
      await scene.call('jobs_create', {
        customer_id: customers[i % 2]!['id'],
        title: `Work ${i}`,
        assignees: [people[i % 2]],
        line_items: [{ catalog_item_id: items[i % 3]!['id'], quantity: 1 + i }],
      }),
    )
  for (const [i, job] of jobs.slice(0, 5).entries()) await scene.finish(job, `2026-03-0${1 + i}T0${i}:30:00Z`)
  for (const some of [[jobs[0]!], [jobs[2]!, jobs[4]!]]) invoices.push(String((await scene.bill(...some))['id']))
})
after(() => service.stop())

const read = <T>(work: (db: Db) => Promise<T>): Promise<T> => readTenant(service.database, { tenant: scene.id }, work)

async function keep(): Promise<void> {
  while (await scene.within((db) => aggregateProfitDays(db, zone)));
}

/** Computes profit from all jobs, without the cached days. */
async function whole(by: ProfitDimension): Promise<Map<string | null, number[]>> {
  const rows = new Map<string | null, number[]>()
  const days = await read((db) => readDays(db, zone, { range: RANGE, splits: [by], maxJobs: Infinity }))
  for (const profits of days.values())
    for (const { key, sales_cents, parts_cents, labor_cents } of profits.get(by)?.shares ?? []) {
      const before = rows.get(key) ?? [0, 0, 0]
      rows.set(
        key,
        [sales_cents, parts_cents, labor_cents].map((cents, i) => cents + (before[i] ?? 0)),
      )
    }
  return rows
}

const centsOf = ({ sales_cents, parts_cents, labor_cents }: ProfitShare): number[] => [
  sales_cents,
  parts_cents,
  labor_cents,
]

async function requireSame(when: string): Promise<void> {
  for (const by of PROFIT_DIMENSIONS) {
    const {
      rows,
      sums,
      jobs: count,
    } = await read((db) => readProfit(db, { range: RANGE, timezone: zone, by, maxRows: 100 }))
    const all = await whole(by)
    assert.deepEqual(new Map(rows.map((row) => [row.key, centsOf(row)])), all, `${by} ${when}`)
    const [sales = 0, parts = 0, labor = 0] = [0, 1, 2].map((i) =>
      [...all.values()].reduce((sum, cents) => sum + (cents[i] ?? 0), 0),
    )
    assert.equal(profitOf(sums), sales - parts - labor, `the sum by ${by} ${when}`)
    assert.ok(count >= 0)
  }
}

const job = fc.nat(5)
const cents = fc.integer({ min: 1, max: 9_999 })
const step = fc.oneof(
  fc.record({ do: fc.constant('finish' as const), job, day: fc.integer({ min: 1, max: 28 }) }),
  fc.record({ do: fc.constant('reopen' as const), job }),
  fc.record({ do: fc.constant('lines' as const), job, item: fc.nat(2), cents }),
  fc.record({ do: fc.constant('crew' as const), job, people: fc.subarray([0, 1]) }),
  fc.record({ do: fc.constant('work' as const), job, person: fc.nat(1), minutes: fc.integer({ min: 1, max: 300 }) }),
  fc.record({ do: fc.constant('bill' as const), jobs: fc.uniqueArray(job, { minLength: 1, maxLength: 2 }) }),
  fc.record({ do: fc.constant('void' as const), invoice: fc.nat(5) }),
  fc.record({ do: fc.constant('cost' as const), item: fc.nat(1), cents }),
  fc.record({ do: fc.constant('rate' as const), person: fc.nat(1), cents, day: fc.integer({ min: 1, max: 28 }) }),
  fc.record({ do: fc.constant('parts' as const), quantity: fc.integer({ min: 1, max: 5 }) }),
  fc.record({ do: fc.constant('zone' as const), zone: fc.constantFrom(...ZONES) }),
  fc.record({ do: fc.constant('keep' as const) }),
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

const dayOf = (day: number): string => `2026-03-${String(day).padStart(2, '0')}`

/** Applies a step. A step that the service rejects changes nothing. */
async function take(one: Step): Promise<unknown> {
  const idOf = (at: number): string => String(jobs[at]?.['id'])
  const change = (tool: string, fields: object): Promise<Result | null> => scene.call(tool, fields).catch(() => null)
  switch (one.do) {
    case 'finish':
      return scene.finish(jobs[one.job]!, `${dayOf(one.day)}T03:15:00Z`).catch(() => null)
    case 'reopen':
      return change('jobs_update', { id: idOf(one.job), status: 'unscheduled' })
    case 'lines':
      return change('jobs_update', {
        id: idOf(one.job),
        line_items: [
          { catalog_item_id: items[one.item]!['id'], quantity: 2 },
          { name: 'x', unit_price_cents: one.cents },
        ],
      })
    case 'crew':
      return change('jobs_update', { id: idOf(one.job), assignees: one.people.map((i) => people[i]) })
    case 'work':
      return scene.work(
        jobs[one.job]!,
        people[one.person]!,
        '2026-03-02T14:00:00Z',
        new Date(Date.UTC(2026, 2, 2, 14, one.minutes)).toISOString(),
      )
    case 'bill': {
      const invoice = await scene.bill(...one.jobs.map((at) => jobs[at]!)).catch(() => null)
      return invoice && invoices.push(String(invoice['id']))
    }
    case 'void':
      return change('invoices_void', { id: invoices[one.invoice % invoices.length] })
    case 'cost':
      return change('catalog_items_update', { id: items[one.item]!['id'], cost_cents: one.cents })
    case 'rate':
      return scene.setRate(people[one.person]!, dayOf(one.day), String(one.cents / 100))
    case 'parts':
      return change('catalog_items_update', {
        id: items[2]!['id'],
        components: [{ catalog_item_id: items[1]!['id'], quantity: one.quantity }],
      })
    case 'zone':
      zone = one.zone
      return scene.within((db) => db.run(sql`update tenants set timezone = ${zone} where id = ${db.tenant}`))
    case 'keep':
      return keep()
  }
}

describe('profit cached by day', () => {
  it('equals the profit of all jobs after any changes', async () => {
    for (const [i, one] of fc.sample(step, { numRuns: 60, seed: 20_267 }).entries()) {
      await take(one)
      if (i % 3 === 0) await keep()
      await requireSame(`after ${i}: ${JSON.stringify(one)}`)
    }
    await keep()
    await requireSame('at the end')
    const { days } = await read((db) =>
      db.one<{ days: number }>(
        sql`select count(*)::integer as days from report_days where tenant_id = ${db.tenant} and report = 'profit'`,
      ),
    )
    assert.ok(days > 0)
  })

  it('is read from the cache if nothing changed', async () => {
    await keep()
    await scene.within((db) =>
      db.run(sql`update report_days set records = 1000 where tenant_id = ${db.tenant} and split = 'month'`),
    )
    const { jobs: count } = await read((db) => readProfit(db, { range: RANGE, timezone: zone, by: 'job', maxRows: 1 }))
    assert.ok(count >= 1000)
  })

  it('is read from the jobs while a timer runs on one of them', async () => {
    await scene.setRate(people[0]!, '2026-03-01', '30')
    await scene.finish(jobs[0]!, '2026-03-09T15:00:00Z')
    await scene.within((db) =>
      db.run(sql`insert into time_entries (tenant_id, id, user_id, job_id, started_at)
        values (${db.tenant}, ${newId()}, ${people[0]}, ${String(jobs[0]!['id'])}, '2026-03-09T14:00:00Z')`),
    )
    await keep()
    const laborOf = async (): Promise<number> =>
      (await read((db) => readProfit(db, { range: RANGE, timezone: zone, by: 'month', maxRows: 1 }))).sums.labor_cents
    await scene.within((db) =>
      db.run(sql`update report_days set sums[3] = -1 where tenant_id = ${db.tenant}
      and day = (timestamptz '2026-03-09T15:00:00Z' at time zone ${zone})::date`),
    )
    const running = await laborOf()
    await scene.within((db) =>
      db.run(sql`update time_entries set ended_at = started_at, ended_by = 'end'
        where tenant_id = ${db.tenant} and ended_at is null`),
    )
    await keep()
    assert.ok(running > (await laborOf()))
  })
})
