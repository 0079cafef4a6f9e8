import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import fc from 'fast-check'
import { SALES_BY } from '../../src/records/invoices/index.ts'
import type { Result } from '../harness/harness.ts'
import { pageTextOf } from '../harness/identity/people_pages.ts'
import { FIRST, cents, sourceOf, table, openReportScene, type Reported } from './report_scene.ts'

let { service, office, invoices, people, jobs, categories, items } = {} as Reported
before(async () => {
  ;({ service, office, invoices, people, jobs, categories, items } = await openReportScene())
})
after(() => service.stop())

type Row = { key: string; invoices: number; cents: number[] }

/** Computes the expected rows from each invoice as the tools return it. */
function computeRows(by: string, from: string, to: string): Row[] {
  const rows = new Map<string, { ids: Set<string>; cents: number[] }>()
  const add = (key: string, id: string, cents: number[]): void => {
    const row = rows.get(key) ?? { ids: new Set(), cents: [0, 0, 0, 0, 0] }
    row.ids.add(id)
    row.cents = row.cents.map((sum, i) => sum + cents[i]!)
    rows.set(key, row)
  }
  for (const one of invoices) {
    if (one['status'] === 'draft' || one['status'] === 'void') continue
    if (one['issue_date'] < from || one['issue_date'] > to) continue
    const net = one['subtotal_cents'] - one['discount_cents'] + one['deducted']
    const sale = one['is_deposit'] === true ? 0 : net
    const deposit = one['is_deposit'] === true ? net : -one['deducted']
    const amounts = [sale, deposit, one['taxable_cents'], one['tax_cents'], one['total_cents']]
    if (by === 'month') add(one['issue_date'].slice(0, 7), one['id'], amounts)
    if (by === 'day') add(one['issue_date'], one['id'], amounts)
    if (by === 'week') {
      const day = Temporal.PlainDate.from(one['issue_date'])
      add(day.subtract({ days: day.dayOfWeek - 1 }).toString(), one['id'], amounts)
    }
    if (by === 'source') add(sourceOf(one['customer_name']).lead_source ?? 'Unknown source', one['id'], amounts)
    if (by === 'customer') add(one['customer_name'], one['id'], amounts)
    if (by === 'technician') {
      const crew = [
        ...new Set(
          jobs
            .filter(({ id }) => one['job_ids'].includes(id))
            .flatMap(({ assignments }) => assignments.map((a: Result) => a['user_id'] as string)),
        ),
      ].sort()
      if (crew.length === 0) add('Unassigned', one['id'], amounts)
      for (const [i, person] of crew.entries()) {
        const parts = amounts.slice(0, 4).map((all) => Math.floor(all / crew.length) + (i < all % crew.length ? 1 : 0))
        add(person, one['id'], [...parts, parts[0]! + parts[1]! + parts[3]!])
      }
    }
    if (by === 'category' || by === 'service') {
      for (const of of one['line_items'] as Result[]) {
        const item = items.find(({ id }) => id === of['catalog_item_id'])
        const category = categories.find(({ id }) => id === item?.['category_id'])?.['name'] ?? 'No category'
        const key = by === 'category' ? category : (item?.['name'] ?? 'Not from the catalog')
        const net = of['line_total_cents'] - of['discount_share_cents']
        const isTaxed = of['taxable'] && of['rate_decimal'] !== null && one['tax_exempt'] !== true
        const [s, d] = one['is_deposit'] === true ? [0, net] : [net, 0]
        add(key, one['id'], [s, d, isTaxed ? net : 0, of['tax_cents'], net + of['tax_cents']])
      }
      const none = by === 'category' ? 'No category' : 'Not from the catalog'
      if (one['deducted'] > 0) add(none, one['id'], [0, -one['deducted'], 0, 0, -one['deducted']])
    }
  }
  return [...rows].map(([key, { ids, cents }]) => ({ key, invoices: ids.size, cents }))
}

/** Returns the rows of a report's CSV file. */
async function fileOf(by: string, from: string, to: string): Promise<Row[]> {
  const { status, text } = await office.browser.get(
    `${office.at('reports', 'sales.csv')}?by=${by}&from=${from}&to=${to}`,
  )
  assert.equal(status, 200)
  return table(text)
    .slice(1)
    .map(([key = '', count = '', ...amounts]) => ({ key, invoices: Number(count), cents: amounts.map(cents) }))
}

const inOrder = (rows: Row[]): Row[] => rows.sort((a, b) => (a.key + a.cents.join() < b.key + b.cents.join() ? -1 : 1))
const sumRows = (rows: readonly Row[]): number[] =>
  rows.reduce((sum, { cents }) => sum.map((one, i) => one + cents[i]!), [0, 0, 0, 0, 0])

describe('the sales and tax report', () => {
  it('equals the sum of the invoices for every grouping and date range', async () => {
    const days = fc.tuple(fc.integer({ min: 0, max: 430 }), fc.integer({ min: 0, max: 430 }))
    await fc.assert(
      fc.asyncProperty(days, fc.constantFrom(...SALES_BY), async ([a, b], by) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)].map((day) => FIRST.add({ days: day }).toString()) as [
          string,
          string,
        ]
        const named = computeRows(by, from, to).map((row) => ({
          ...row,
          key: row.key.startsWith('=') ? `'${row.key}` : (people.find(({ id }) => id === row.key)?.name ?? row.key),
        }))
        const found = await fileOf(by, from, to)
        assert.deepEqual(inOrder(found), inOrder(named))
        assert.deepEqual(sumRows(found), sumRows(await fileOf('month', from, to)))
        const [sales, deposits, , tax, total] = sumRows(found)
        assert.equal(sales! + deposits! + tax!, total)
      }),
      { numRuns: 50, seed: 20_266 },
    )
  })

  it('adds up over partial months, and counts a deposit as a sale when it is deducted', async () => {
    const whole = await fileOf('month', '2025-01-01', '2025-12-31')
    const single = await Promise.all(whole.map(({ key }) => fileOf('month', `${key}-01`, `${key}-28`)))
    const rest = await Promise.all(
      whole.map(({ key }) =>
        fileOf(
          'month',
          `${key}-29`,
          Temporal.PlainYearMonth.from(key).toPlainDate({ day: 1 }).add({ months: 1 }).subtract({ days: 1 }).toString(),
        ).catch(() => []),
      ),
    )
    assert.deepEqual(sumRows([...single, ...rest].flat().filter(({ key }) => key.startsWith('2025'))), sumRows(whole))
    assert.deepEqual(
      [whole.find(({ key }) => key === '2025-03')!.cents[1], whole.find(({ key }) => key === '2025-06')!.cents[1]],
      [16_238, -16_238],
    )
  })

  it('shows totals in the footer and links to the invoices', async () => {
    const page = await office.browser.get(`${office.at('reports', 'sales')}?by=customer&from=2025-01-01&to=2026-12-31`)
    const $ = load(page.text)
    const total = sumRows(computeRows('month', '2025-01-01', '2026-12-31'))[4]!
    const foot = $('tfoot td').last().text()
    assert.equal(foot, (total / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }))
    const link = $('tbody th a').first().attr('href')!
    assert.match(link, /\/invoices\?customer_id=[0-9a-f-]+&issued_from=2025-01-01&issued_to=2026-12-31$/)
    assert.equal((await office.browser.get(link)).status, 200)
    assert.ok(pageTextOf(page).includes('Ana') && page.text.includes('=HYPERLINK(&quot;x&quot;)'))
  })

  it('rejects invalid dates and ranges over ten years', async () => {
    for (const [query, says] of [
      ['from=2026-02-30&to=2026-03-01', /Choose a first and a last day/],
      ['from=2026-02-01', /Choose a first and a last day/],
      ['from=2026-03-02&to=2026-03-01', /must not be before/],
      ['from=2001-01-01&to=2026-03-01', /at most ten years/],
      [`from=${'9'.repeat(5_000)}&to=x`, /Choose a first/],
    ] as const) {
      const seen = await office.browser.get(`${office.at('reports', 'sales')}?${query}`)
      assert.equal(seen.status, 422)
      assert.match(pageTextOf(seen), says)
    }
  })
})
