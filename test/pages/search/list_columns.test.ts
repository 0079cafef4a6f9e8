import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { load } from 'cheerio'
import type { TestService } from '../../harness/harness.ts'
import { openOffice, sendForm, type Office } from '../../harness/identity/people_pages.ts'
import { startSite, type Browser } from '../../harness/web_client.ts'

let service: TestService
let office: Office

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  const customer = await office.customer('Dora')
  const line = { name: 'Valve', unit_price_cents: 4_000, taxable: false }
  await office.call('invoices_create', { customer_id: customer.id, line_items: [line] })
})
after(() => service.stop())

const choose = (
  browser: Browser,
  list: string,
  columns: readonly string[],
  fields: Readonly<Record<string, string>> = {},
) =>
  sendForm(browser, office.at(list, 'views'), [
    ...columns.map((name): [string, string] => ['columns', name]),
    ...Object.entries({ do: 'columns', ...fields }),
  ])

/** Returns a list's headers and first row, its totals, and the columns offered and checked in the view menu. */
async function columnsOf(browser: Browser, path: string) {
  const $ = load((await browser.get(path)).text)
  const texts = (selector: string): string[] =>
    $(selector)
      .get()
      .map((one) => $(one).text().trim())
  return {
    heads: texts('.list th[scope=col]'),
    cells: texts('.list tbody tr:first-child td:not(.mark)'),
    offered: texts('.view-form .ticks label'),
    checked: texts('.view-form .ticks label:has(:checked)'),
    sums: texts('.list tfoot td').filter(Boolean),
    $,
  }
}

describe('list columns', () => {
  it('are offered as the list declares them, with the optional ones unchecked', async () => {
    const { heads, offered, checked } = await columnsOf(office.browser, office.at('customers'))
    assert.deepEqual(heads, ['Name', 'Phone', 'Address', 'Tags', 'Status'])
    assert.deepEqual(offered, ['Phone', 'Address', 'Email', 'Type', 'Tags', 'Status'])
    assert.deepEqual(checked, heads.slice(1))
  })

  it("are those the user chose, in the list's order and always with the first one", async () => {
    const { browser } = await office.signInMember('office')
    const answer = await choose(browser, 'customers', ['status', 'type'], { asked: 'status=lead&page=1' })
    assert.equal(answer.status, 303)
    assert.equal(answer.location, `${office.at('customers')}?status=lead&page=1`)
    const { heads, cells, checked } = await columnsOf(browser, office.at('customers'))
    assert.deepEqual(heads, ['Name', 'Type', 'Status'])
    assert.equal(cells[1], 'Person')
    assert.deepEqual(checked, ['Type', 'Status'])
  })

  it('are saved per user and list, until reset to the defaults', async () => {
    const { browser } = await office.signInMember('office')
    await choose(browser, 'jobs', ['job', 'when'])
    const first = await columnsOf(office.browser, office.at('customers'))
    assert.equal(first.heads.length, 5)
    assert.equal((await columnsOf(browser, office.at('customers'))).heads.length, 5)
    const { checked, $ } = await columnsOf(browser, office.at('jobs'))
    assert.deepEqual(checked, ['When'])
    const reset = $('.view-form button[value=default_columns]')
    assert.equal(reset.text(), 'Default columns')
    await choose(browser, 'jobs', ['job', 'when'], { do: 'default_columns' })
    const after = await columnsOf(browser, office.at('jobs'))
    assert.deepEqual(after.checked, ['Status', 'Customer', 'When', 'Who'])
    assert.equal(after.$('.view-form button[value=default_columns]').length, 0)
  })

  it('never include unknown columns or those the user has no access to', async () => {
    const { browser } = await office.signInMember('office')
    await choose(browser, 'catalog_items', ['item', 'cost', 'secret', '__proto__'])
    const { offered, checked } = await columnsOf(browser, office.at('catalog_items'))
    assert.ok(!offered.includes('Cost'))
    assert.deepEqual(checked, [])
    assert.ok((await columnsOf(office.browser, office.at('catalog_items'))).offered.includes('Cost'))
  })

  it('keep the totals below the visible columns', async () => {
    const { browser } = await office.signInMember('office')
    assert.deepEqual((await columnsOf(browser, office.at('invoices'))).sums, ['$40.00', '$40.00'])
    await choose(browser, 'invoices', ['invoice', 'customer', 'balance_due'])
    assert.deepEqual((await columnsOf(browser, office.at('invoices'))).sums, ['$40.00'])
    await choose(browser, 'invoices', ['invoice', 'customer'])
    const { sums, heads } = await columnsOf(browser, office.at('invoices'))
    assert.deepEqual([sums, heads], [[], ['Invoice', 'Customer']])
  })

  it("can't be chosen without access to the list, or in another company", async () => {
    const { browser } = await office.signInMember('tech', { invoices: 'none' } as never)
    assert.equal((await choose(browser, 'invoices', ['invoice'])).status, 404)
    const other = await openOffice(service, 'Birch Heating')
    assert.equal((await choose(other.browser, 'customers', ['name'])).status, 404)
  })
})
