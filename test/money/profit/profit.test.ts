import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql, writeTenant } from '../../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../../harness/harness.ts'
import { pageTextOf, sendForm } from '../../harness/identity/people_pages.ts'
import { startSite } from '../../harness/web_client.ts'
import { openProfit, type ProfitScene } from './scene.ts'

let service: TestService
let scene: ProfitScene
let luis: string
let mia: string
let valve: Result
let kit: Result
let ann: Result
const jobs: Result[] = []

/**
 * A valve costs $20 until March 1 and $25 from then on. An hour of Luis costs $36, and $40 from March 2. Mia has no
 * rate. January: two valves and an hour of labor, invoiced at $245. Luis worked 1.5 h. March: a kit of two valves,
 * invoiced at $100. Luis worked 2 h and Mia 1 h. Two more March jobs share an invoice of $1,000.01, and one isn't
 * invoiced.
 */
before(async () => {
  service = await startSite()
  scene = await openProfit(service, 'Alder Plumbing')
  luis = (await scene.hire('tech')).user_id
  mia = (await scene.hire('tech')).user_id
  ann = await scene.customer('Ann')
  valve = await scene.call('catalog_items_create', {
    name: 'Valve',
    kind: 'product',
    unit_price_cents: 7_500,
    cost_cents: 2_000,
  })
  await scene.call('catalog_items_update', { id: valve['id'], cost_cents: 2_500 })
  await scene.datedCosts(valve, ['1970-01-01T00:00:00Z', '2026-03-01T00:00:00Z'])
  kit = await scene.call('catalog_items_create', {
    name: 'Kit',
    kind: 'bundle',
    pricing: 'fixed',
    unit_price_cents: 10_000,
    components: [{ catalog_item_id: valve['id'], quantity: 2 }],
  })
  await scene.setRate(luis, '2026-01-01', '36')
  await scene.setRate(luis, '2026-03-02', '40')
  const book = (title: string, line_items: object[], assignees = [luis]): Promise<Result> =>
    scene.call('jobs_create', { customer_id: ann['id'], title, assignees, line_items })
  const january = await book('January', [
    { catalog_item_id: valve['id'], quantity: 2 },
    { name: 'Labor', kind: 'labor', unit_price_cents: 9_500 },
  ])
  await scene.work(january, luis, '2026-01-10T14:00:00Z', '2026-01-10T15:30:00Z')
  await scene.finish(january, '2026-01-10T16:00:00Z')
  await scene.bill(january)
  const march = await book('March', [{ catalog_item_id: kit['id'], quantity: 1 }], [luis, mia])
  await scene.work(march, luis, '2026-03-05T14:00:00Z', '2026-03-05T16:00:00Z')
  await scene.work(march, mia, '2026-03-05T14:00:00Z', '2026-03-05T15:00:00Z')
  await scene.finish(march, '2026-03-05T17:00:00Z')
  await scene.bill(march)
  const both = [
    await book('One', [{ name: 'A', unit_price_cents: 100 }]),
    await book('Two', [{ name: 'B', unit_price_cents: 200 }]),
  ]
  for (const one of both) await scene.finish(one, '2026-03-20T17:00:00Z')
  await scene.bill(...both)
  const free = await book('Unbilled', [{ catalog_item_id: valve['id'], quantity: 1 }])
  await scene.finish(free, '2026-03-31T23:30:00Z')
  jobs.push(january, march, ...both, free)
})
after(() => service.stop())

const DAYS = 'from=2026-01-01&to=2026-12-31'

/** Returns the rows of the CSV file without its header. */
async function rowsBy(by: string, days = DAYS): Promise<string[][]> {
  const { text } = await scene.browser.get(`${scene.at('reports')}/profit.csv?by=${by}&${days}`)
  return text
    .replace(/^\uFEFF/, '')
    .trim()
    .split('\r\n')
    .slice(1)
    .map((line) => line.split(','))
}

describe('job profit', () => {
  it('uses the part and labor costs of the day', async () => {
    assert.deepEqual(await rowsBy('month'), [
      ['2026-01', '245.00', '40.00', '54.00', '151.00'],
      ['2026-03', '1100.01', '75.00', '80.00', '945.01'],
    ])
  })

  it('splits an invoice for several jobs by the totals of their lines', async () => {
    const rows = new Map((await rowsBy('job')).map(([name, sales]) => [name?.split(' · ')[1], sales]))
    assert.deepEqual(
      ['January', 'March', 'One', 'Two', 'Unbilled'].map((title) => rows.get(title)),
      ['245.00', '100.00', '333.33', '666.68', '0.00'],
    )
  })

  it('is split by time worked per technician and by line total per service', async () => {
    const people = (await rowsBy('technician')).map(([, ...amounts]) => amounts)
    assert.deepEqual(people, [
      ['1311.68', '98.33', '134.00', '1079.35'],
      ['33.33', '16.67', '0.00', '16.66'],
    ])
    const services = new Map((await rowsBy('service')).map(([name, ...amounts]) => [name, amounts]))
    assert.deepEqual(services.get('Kit'), ['100.00', '50.00', '80.00', '-30.00'])
    assert.deepEqual(services.get('Valve')?.slice(0, 2), ['150.00', '65.00'])
  })

  it('adds up to the same total for every grouping and date range', async () => {
    for (const days of [DAYS, 'from=2026-03-01&to=2026-03-31', 'from=2026-03-06&to=2026-03-30']) {
      const sums = []
      for (const by of ['month', 'job', 'customer', 'technician', 'service'])
        sums.push(
          (await rowsBy(by, days))
            .map((row) => row.slice(-4).map((amount) => Math.round(Number(amount) * 100)))
            .reduce((all, row) => all.map((sum, at) => sum + row[at]!), [0, 0, 0, 0]),
        )
      assert.deepEqual(sums, Array(5).fill(sums[0]))
    }
  })

  it('is shown with a chart and warnings about missing data', async () => {
    const page = await scene.browser.get(`${scene.at('reports')}/profit?${DAYS}`)
    const text = pageTextOf(page)
    for (const words of [
      '$1,345.01',
      '$1,096.01',
      'One job isn’t billed yet.',
      'One job has a part without a cost or a member without a rate.',
    ])
      assert.ok(text.includes(words), words)
    assert.match(page.text, /<figure class="chart/)
    assert.match(pageTextOf(await scene.browser.get(`${scene.at('reports')}?${DAYS}`)), /Profit: CSV|Profit/)
  })

  it("is shown on the job's page", async () => {
    const text = pageTextOf(await scene.browser.get(scene.at('jobs', String(jobs[1]!['id']))))
    assert.match(text, /Sales \$100\.00 Parts -\$50\.00 Labor: .*2:00 -\$80\.00.*1:00 without a rate/)
    assert.match(text, /Profit -\$30\.00 -30%/)
  })
})

describe('labor rates', () => {
  it('are added, replaced and removed by owners', async () => {
    const rates = scene.at('settings', 'rates')
    const rateText = async () => pageTextOf(await scene.browser.get(rates))
    await scene.setRate(mia, '2026-02-01', '31.25')
    assert.match(await rateText(), /\$31\.25/)
    await scene.setRate(mia, '2026-02-01', '32.50')
    assert.ok(!(await rateText()).includes('$31.25'))
    assert.deepEqual((await rowsBy('month'))[1]?.slice(2), ['75.00', '112.50', '912.51'])
    await sendForm(scene.browser, rates, [
      ['act', 'remove'],
      ['member', mia],
      ['from_day', '2026-02-01'],
    ])
    assert.deepEqual((await rowsBy('month'))[1]?.slice(2), ['75.00', '80.00', '945.01'])
  })

  it('are rejected without a valid date, rate or member', async () => {
    const send = async (member: string, day: string, rate: string) => pageTextOf(await scene.setRate(member, day, rate))
    assert.match(await send(luis, '1999-12-31', '10'), /Choose the day from which it holds\./)
    assert.match(await send(luis, '2026-01-01', ''), /Enter what an hour costs/)
    assert.match(await send('nobody', '2026-01-01', '10'), /Choose a member\./)
  })
  it('are limited to 60 per member, even when added concurrently', async () => {
    const { user_id } = await scene.hire('tech')
    const rates = (): Promise<{ count: number }> =>
      writeTenant(service.database, { tenant: scene.id }, (db) =>
        db.one(
          sql`select count(*)::int as count from labor_rates where tenant_id = ${scene.id} and user_id = ${user_id}`,
        ),
      )
    await writeTenant(service.database, { tenant: scene.id }, (db) =>
      db.run(sql`insert into labor_rates (tenant_id, user_id, from_day, cost_cents, created_by)
        select ${scene.id}::uuid, ${user_id}::uuid, date '2010-01-01' + n, 100, ${user_id}::uuid
        from generate_series(1, 58) n`),
    )
    await Promise.all(Array.from({ length: 8 }, (_, i) => scene.setRate(user_id, `2026-01-0${i + 1}`, '10')))
    assert.deepEqual(await rates(), { count: 60 })
  })
})
