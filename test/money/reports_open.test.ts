import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { openOffice, pageTextOf, submit } from '../harness/identity/people_pages.ts'
import { cents, table, openReportScene, type Reported } from './report_scene.ts'

let { service, office, invoices } = {} as Reported
before(async () => {
  ;({ service, office, invoices } = await openReportScene())
})
after(() => service.stop())

describe('the unpaid invoices report', () => {
  it('equals the open balances by customer and age', async () => {
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
    assert.match(pageTextOf(await office.browser.get(link)), /Overdue/)
  })
})

describe('the payments received report', () => {
  it('shows payments minus refunds by month and method', async () => {
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
    const page = pageTextOf(
      await office.browser.get(`${office.at('reports', 'received')}?from=2024-01-01&to=2024-12-31`),
    )
    assert.match(
      page,
      /Month Cash Check Online Total February 2024 \$20.00 – – \$20.00 March 2024 \$30.00 \$1.01 \$5.00 \$36.01 Total \$50.00 \$1.01 \$5.00 \$56.01/,
    )
    const some = (await office.browser.get(`${office.at('reports', 'received')}?from=2024-03-05&to=2024-12-31`)).text
    assert.match(some, /payments\?from=2024-03-05&(?:amp;)?to=2024-03-31">\$6\.01/)
    const list = pageTextOf(
      await office.browser.get(`${office.at('payments')}?from=2024-03-01&to=2024-03-31&way=online`),
    )
    assert.match(list, /Refund ch_1 -\$2.00 .*Online payment ch_1 \$7.00/)
    assert.doesNotMatch(list, /\$30.00/)
  })
})

describe('report pages', () => {
  it('return 404 without access to their data, and to other companies', async () => {
    const tech = await office.signInMember('tech')
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
    const empty = pageTextOf(await other.browser.get(other.at('reports', 'sales')))
    assert.match(empty, /No sales in this period/)
    const looker = await office.signInMember('office', { Invoices: 'view' })
    assert.match(
      pageTextOf(await looker.browser.get(office.at('reports'))),
      /Unpaid .* Past due .* Sales this month .* Received this month/,
    )
    for (const file of ['quotes.csv', 'booked.csv', 'sources.csv'])
      assert.equal((await looker.browser.get(office.at('reports', file))).status, 200, file)
    const blind = await office.signInMember('office', { 'Customers & contacts': 'none' })
    assert.doesNotMatch(pageTextOf(await blind.browser.get(office.at('reports'))), /Jobs by source/)
    assert.equal((await blind.browser.get(office.at('reports', 'sources.csv'))).status, 404)
    assert.doesNotMatch(
      pageTextOf(await blind.browser.get(`${office.at('reports', 'sales')}?by=source`)),
      /By source|Website/,
    )
    assert.match((await blind.browser.get(`${office.at('reports', 'sales.csv')}?by=source`)).text, /^\W*Month/)
    const clerk = await office.signInMember('office', { Invoices: 'view', Quotes: 'none', 'Jobs & scheduling': 'none' })
    const page = pageTextOf(await clerk.browser.get(office.at('reports')))
    assert.match(page, /Sales .* Payments received/)
    assert.doesNotMatch(page, /Quotes won|Booked hours|Jobs by source/)
    for (const file of ['quotes.csv', 'booked.csv', 'sources.csv'])
      assert.equal((await clerk.browser.get(office.at('reports', file))).status, 404, file)
  })
})
