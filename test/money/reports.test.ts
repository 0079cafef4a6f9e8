import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { SALES_BY } from '../../src/records/invoices/index.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import type { Result, TestService } from '../harness/harness.ts'
import { openOffice, said, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/visiting.ts'

let service: TestService
let office: Office
const invoices: Result[] = []
const customers: Result[] = []
const people: { id: string; name: string }[] = []
const jobs: Result[] = []
const categories: Result[] = []
const items: Result[] = []

/** Draws samples with a fixed seed, so that every run has the same ones. */
const chosen = <T>(of: fc.Arbitrary<T>, many: number): T[] => fc.sample(of, { numRuns: many, seed: 20_265 })

const line = fc.record({
  cents: fc.integer({ min: 0, max: 99_999 }),
  quantity: fc.integer({ min: 1, max: 9_000 }).map((n) => n / 1_000),
  item: fc.option(fc.nat(2)),
  taxable: fc.boolean(),
})
const billed = fc.record({
  customer: fc.nat(3),
  day: fc.integer({ min: 0, max: 420 }),
  lines: fc.array(line, { minLength: 1, maxLength: 4 }),
  off: fc.option(fc.integer({ min: 1, max: 60 })),
  jobs: fc.uniqueArray(fc.nat(3), { maxLength: 2 }),
  status: fc.constantFrom('draft', 'sent', 'sent', 'sent', 'paid', 'uncollectible', 'void'),
})
type Billed = typeof billed extends fc.Arbitrary<infer T> ? T : never
const FIRST = Temporal.PlainDate.from('2025-01-15')

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  const [rate] = await Promise.all([
    office.call('tax_rates_create', { name: 'Sales tax', rate_percentage: 8.25, is_default: true }),
    office.call('tax_rates_create', { name: 'City', rate_percentage: 1.375 }),
  ])
  assert.ok(rate['id'])
  for (const name of ['Ana', 'Ben', '=HYPERLINK("x")', 'Dee'])
    customers.push(await office.customer(name, { ...(name === 'Dee' ? { tax_exempt: true } : {}), ...sourceOf(name) }))
  for (const role of ['tech', 'tech'] as const) {
    const member = await office.hired(role)
    people.push({ id: member.user_id, name: 'Leo Park' })
  }
  for (const name of ['Heating', 'Drains']) categories.push(await office.call('catalog_categories_create', { name }))
  for (const category_id of [categories[0]!['id'], categories[1]!['id'], null])
    items.push(
      await office.call('catalog_items_create', {
        name: `Item ${items.length}`,
        kind: 'service',
        unit_price_cents: 1_000,
        category_id,
      }),
    )
  const crews = [[], [people[0]!.id], [people[1]!.id], [people[0]!.id, people[1]!.id]]
  for (const [i, assignees] of crews.entries())
    jobs.push(await office.call('jobs_create', { customer_id: customers[i]!['id'], title: 'Work', assignees }))
  const bill = async ({ customer, day, lines, off, jobs: some, status }: Billed): Promise<void> => {
    const { id } = await office.call('invoices_create', {
      customer_id: customers[customer]!['id'],
      issue_date: FIRST.add({ days: day }).toString(),
      job_ids: some.includes(customer) ? [jobs[customer]!['id']] : [],
      ...(off === null ? {} : { discount: { type: 'percent', value: off } }),
      line_items: lines.map(({ cents, quantity, item, taxable }) => ({
        name: 'x',
        unit_price_cents: cents,
        quantity,
        taxable,
        ...(item === null ? {} : { catalog_item_id: items[item]!['id'] }),
      })),
    })
    if (status === 'void') await office.call('invoices_void', { id })
    else if (status !== 'draft') await office.call('invoices_update', { id, status })
    invoices.push({ ...(await office.call('invoices_get', { id })), is_deposit: false, deducted: 0 })
  }
  const bills = chosen(billed, 48)
  for (let i = 0; i < bills.length; i += 6) await Promise.all(bills.slice(i, i + 6).map(bill))
  await billWithDeposit()
})
after(() => service.stop())

/** Returns where a customer is from; two are from nowhere, one by blanks. */
const sourceOf = (name: string): { lead_source?: string } =>
  name === 'Ana' ? { lead_source: 'Website' } : name === 'Dee' ? { lead_source: 'Radio' } : {}

/** Adds a deposit and what deducts it, months apart. */
async function billWithDeposit(): Promise<void> {
  const given = {
    customer_id: customers[0]!['id'],
    title: 'Boiler',
    line_items: [{ name: 'x', unit_price_cents: 50_000 }],
  }
  const quote = await office.call('quotes_create', given)
  await submit(office.browser, office.at('quotes', quote['id'], 'do', 'quotes_ask_deposit'), { 'deposit.value': '30' })
  await office.call('quotes_update', { id: quote['id'], status: 'accepted' })
  const { rows } = await office.call('invoices_list', { customer_id: customers[0]!['id'], limit: 1 })
  const final = await office.call('invoices_create', { customer_id: customers[0]!['id'], from_quote_id: quote['id'] })
  for (const [id, issue_date, extra] of [
    [rows[0].id, '2025-03-31', { is_deposit: true, deducted: 0 }],
    [final['id'], '2025-06-01', { is_deposit: false, deducted: rows[0].total_cents }],
  ] as const) {
    await office.call('invoices_update', { id, issue_date, due_date: issue_date })
    invoices.push({ ...(await office.call('invoices_update', { id, status: 'sent' })), ...extra })
  }
}

type Row = { key: string; invoices: number; cents: number[] }

/** Returns the oracle: adds up what the tools say of each invoice, one by one. */
function expected(by: string, from: string, to: string): Row[] {
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

const table = (text: string): string[][] => parse(text, { bom: true })
const cents = (text: string): number => Math.round(Number(text) * 100)

/** Reads the file of a report as rows. */
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
const summed = (rows: readonly Row[]): number[] =>
  rows.reduce((sum, { cents }) => sum.map((one, i) => one + cents[i]!), [0, 0, 0, 0, 0])

describe('sales and tax', () => {
  it('are what the invoices add up to, by whatever they are split and whatever the days', async () => {
    const days = fc.tuple(fc.integer({ min: 0, max: 430 }), fc.integer({ min: 0, max: 430 }))
    await fc.assert(
      fc.asyncProperty(days, fc.constantFrom(...SALES_BY), async ([a, b], by) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)].map((day) => FIRST.add({ days: day }).toString()) as [
          string,
          string,
        ]
        const named = expected(by, from, to).map((row) => ({
          ...row,
          key: row.key.startsWith('=') ? `'${row.key}` : (people.find(({ id }) => id === row.key)?.name ?? row.key),
        }))
        const found = await fileOf(by, from, to)
        assert.deepEqual(inOrder(found), inOrder(named))
        assert.deepEqual(summed(found), summed(await fileOf('month', from, to)))
        const [sales, deposits, , tax, total] = summed(found)
        assert.equal(sales! + deposits! + tax!, total)
      }),
      { numRuns: 50, seed: 20_266 },
    )
  })

  it('of months are those of the days together, and the deposit is a sale once it is deducted', async () => {
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
    assert.deepEqual(summed([...single, ...rest].flat().filter(({ key }) => key.startsWith('2025'))), summed(whole))
    assert.deepEqual(
      [whole.find(({ key }) => key === '2025-03')!.cents[1], whole.find(({ key }) => key === '2025-06')!.cents[1]],
      [16_238, -16_238],
    )
  })

  it('are shown with sums at the foot and links to what they are made of', async () => {
    const page = await office.browser.get(`${office.at('reports', 'sales')}?by=customer&from=2025-01-01&to=2026-12-31`)
    const $ = load(page.text)
    const total = summed(expected('month', '2025-01-01', '2026-12-31'))[4]!
    const foot = $('tfoot td').last().text()
    assert.equal(foot, (total / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' }))
    const link = $('tbody th a').first().attr('href')!
    assert.match(link, /\/invoices\?customer_id=[0-9a-f-]+&issued_from=2025-01-01&issued_to=2026-12-31$/)
    assert.equal((await office.browser.get(link)).status, 200)
    assert.ok(said(page).includes('Ana') && page.text.includes('=HYPERLINK(&quot;x&quot;)'))
  })

  it('say what is wrong with the days, and look no further than ten years', async () => {
    for (const [query, says] of [
      ['from=2026-02-30&to=2026-03-01', /Choose a first and a last day/],
      ['from=2026-02-01', /Choose a first and a last day/],
      ['from=2026-03-02&to=2026-03-01', /must not be before/],
      ['from=2001-01-01&to=2026-03-01', /at most ten years/],
      [`from=${'9'.repeat(5_000)}&to=x`, /Choose a first/],
    ] as const) {
      const seen = await office.browser.get(`${office.at('reports', 'sales')}?${query}`)
      assert.equal(seen.status, 422)
      assert.match(said(seen), says)
    }
  })
})

describe('unpaid invoices', () => {
  it('are by customer and age what the open invoices add up to', async () => {
    const text = (await office.browser.get(office.at('reports', 'aging.csv'))).text
    const today = Temporal.Now.plainDateISO('America/New_York')
    const owed = new Map<string, number[]>()
    for (const one of invoices) {
      if (one['status'] !== 'sent' || one['balance_due_cents'] === 0) continue
      const late = Temporal.PlainDate.from(one['due_date']).until(today).days
      const age = late <= 0 ? 0 : late <= 30 ? 1 : late <= 60 ? 2 : late <= 90 ? 3 : 4
      const row = owed.get(one['customer_name']) ?? [0, 0, 0, 0, 0]
      row[age]! += one['balance_due_cents']
      owed.set(one['customer_name'], row)
    }
    const found = table(text)
      .slice(1)
      .map(([name = '', , total = '', ...amounts]) => [name, ...amounts.map(cents), cents(total)])
    assert.deepEqual(
      new Map(found.map(([name, ...amounts]) => [String(name).replace(/^'/, ''), amounts.slice(0, 5)])),
      owed,
    )
    for (const [, ...amounts] of found)
      assert.equal(
        amounts.slice(0, 5).reduce<number>((sum, one) => sum + Number(one), 0),
        amounts[5],
      )
    const page = await office.browser.get(office.at('reports', 'aging'))
    const $ = load(page.text)
    const link = $('tbody td a').first().attr('href')!
    assert.match(said(await office.browser.get(link)), /Overdue/)
  })
})

describe('payments received', () => {
  it('are by month and way what was paid, less what went back', async () => {
    const one = invoices.find(({ status, balance_due_cents }) => status === 'sent' && balance_due_cents > 10_000)!
    const pay = (amount: string, method: string, paid_on: string) =>
      submit(office.browser, office.at('invoices', one['id'], 'payment'), { amount_cents: amount, method, paid_on })
    await pay('20', 'cash', '2024-02-29')
    await pay('30', 'cash', '2024-03-01')
    await pay('1.01', 'check', '2024-03-31')
    await writeTenant(service.database, { tenant: office.id }, (db) =>
      db.run(sql`insert into payments (tenant_id, id, invoice_id, kind, amount_cents, paid_on, charge)
        values (${office.id}, gen_random_uuid(), ${one['id']}, 'charge', 700, '2024-03-10', 'ch_1'), (${office.id}, gen_random_uuid(), ${one['id']}, 'refund', -200, '2024-03-11', 'ch_1')`),
    )
    const text = (await office.browser.get(`${office.at('reports', 'received.csv')}?from=2024-01-01&to=2024-12-31`))
      .text
    assert.deepEqual(table(text).slice(1), [
      ['2024-02', 'Cash', '1', '20.00'],
      ['2024-03', 'Cash', '1', '30.00'],
      ['2024-03', 'Check', '1', '1.01'],
      ['2024-03', 'Online', '2', '5.00'],
    ])
    const page = said(await office.browser.get(`${office.at('reports', 'received')}?from=2024-01-01&to=2024-12-31`))
    assert.match(
      page,
      /Month Cash Check Online Total February 2024 \$20.00 – – \$20.00 March 2024 \$30.00 \$1.01 \$5.00 \$36.01 Total \$50.00 \$1.01 \$5.00 \$56.01/,
    )
    const some = (await office.browser.get(`${office.at('reports', 'received')}?from=2024-03-05&to=2024-12-31`)).text
    assert.match(some, /payments\?from=2024-03-05&(?:amp;)?to=2024-03-31">\$6\.01/)
    const list = said(await office.browser.get(`${office.at('payments')}?from=2024-03-01&to=2024-03-31&way=online`))
    assert.match(list, /Refund ch_1 -\$2.00 .*Online payment ch_1 \$7.00/)
    assert.doesNotMatch(list, /\$30.00/)
  })
})

describe('reports', () => {
  it('are for those who see invoices, of their own company', async () => {
    const tech = await office.hired('tech')
    const other = await openOffice(service, 'Strangers')
    for (const path of [
      'reports',
      'reports/aging',
      'reports/sales',
      'reports/received',
      'payments',
      'reports/aging.csv',
      'reports/sales.csv',
      'reports/received.csv',
      'reports/quotes.csv',
      'reports/booked.csv',
      'reports/sources.csv',
      'payments.csv',
    ]) {
      assert.equal((await tech.browser.get(office.at(path))).status, 404, path)
      assert.equal((await other.browser.get(office.at(path))).status, 404, path)
      assert.equal((await office.browser.get(office.at(path))).status, 200, path)
      assert.equal((await office.browser.post(office.at(path), {})).status, 405, path)
    }
    const empty = said(await other.browser.get(other.at('reports', 'sales')))
    assert.match(empty, /No sales in this period/)
    const looker = await office.hired('office', { Invoices: 'view' })
    assert.match(
      said(await looker.browser.get(office.at('reports'))),
      /Unpaid .* Past due .* Sales this month .* Received this month/,
    )
    for (const file of ['quotes.csv', 'booked.csv', 'sources.csv'])
      assert.equal((await looker.browser.get(office.at('reports', file))).status, 200, file)
    const blind = await office.hired('office', { 'Customers & contacts': 'none' })
    assert.doesNotMatch(said(await blind.browser.get(office.at('reports'))), /Jobs by source/)
    assert.equal((await blind.browser.get(office.at('reports', 'sources.csv'))).status, 404)
    assert.doesNotMatch(
      said(await blind.browser.get(`${office.at('reports', 'sales')}?by=source`)),
      /By source|Website/,
    )
    assert.match((await blind.browser.get(`${office.at('reports', 'sales.csv')}?by=source`)).text, /^\W*Month/)
    const clerk = await office.hired('office', { Invoices: 'view', Quotes: 'none', 'Jobs & scheduling': 'none' })
    const page = said(await clerk.browser.get(office.at('reports')))
    assert.match(page, /Sales .* Payments received/)
    assert.doesNotMatch(page, /Quotes won|Booked hours|Jobs by source/)
    for (const file of ['quotes.csv', 'booked.csv', 'sources.csv'])
      assert.equal((await clerk.browser.get(office.at('reports', file))).status, 404, file)
  })
})
