import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../harness/harness.ts'
import { followRedirects, openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let customer: { id: string }

before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Birch Plumbing')
  customer = (await office.customer('Dora')) as { id: string }
})
after(() => service.stop())

const jobOf = (given: object = {}) => office.call('jobs_create', { customer_id: customer.id, title: 'Valve', ...given })
const invoiceOf = (cents: number) =>
  office.call('invoices_create', {
    customer_id: customer.id,
    line_items: [{ name: 'Visit', unit_price_cents: cents, taxable: false }],
  })

/** Returns the undo form on a page. */
function undoIn(text: string): [path: string, fields: Record<string, string>] {
  const [, path, inputs] = /<form method="post" action="([^"]+\/undo)">(.*?)<button/s.exec(text)!
  const fields = [...inputs!.matchAll(/name="([^"]+)" value="([^"]*)"/g)].map(([, name, value]) => [name!, value!])
  return [path!, Object.fromEntries(fields) as Record<string, string>]
}

describe('undo after a save', () => {
  it('restores the previous values of a form, with lines and assignees', async () => {
    const { id } = await jobOf({
      line_items: [{ name: 'Hose', unit_price_cents: 900 }],
      assignees: [office.owner.user_id],
    })
    const before = await office.call('jobs_get', { id })
    const saved = await submit(office.browser, office.at('jobs', id, 'edit'), {
      title: 'Other',
      assignees: [],
      'line_items.0.price': '12.00',
    })
    const page = await office.browser.get(saved.location!)
    assert.match(pageTextOf(page), /Saved J-\d+ Other Undo/)
    assert.doesNotMatch(pageTextOf(await office.browser.get(saved.location!)), /Saved J-/, 'is said once')
    const [path, fields] = undoIn(page.text)
    const undone = await office.browser.post(path, fields)
    assert.match(pageTextOf(await office.browser.get(undone.location!)), /Undone/)
    const after = await office.call('jobs_get', { id })
    for (const name of ['title', 'assignments', 'subtotal_cents', 'status', 'scheduled_start'])
      assert.deepEqual(after[name], before[name], name)
  })

  it("reverts a status change, but isn't offered for an accepted quote", async () => {
    const { id } = await invoiceOf(500)
    const moved = await office.browser.post(office.at('invoices', id, 'do', 'invoices_update-sent'), {})
    const [path, fields] = undoIn((await office.browser.get(moved.location!)).text)
    await office.browser.post(path, fields)
    assert.equal((await office.call('invoices_get', { id })).status, 'draft')
    const quote = await office.call('quotes_create', { customer_id: customer.id, title: 'Pump' })
    const accepted = await office.browser.post(office.at('quotes', quote.id, 'do', 'quotes_update-accepted'), {})
    const page = await office.browser.get(accepted.location!)
    assert.match(pageTextOf(page), /Pump: Accepted/)
    assert.ok(!page.text.includes('/undo"'), 'what was accepted stays so')
  })

  it('does nothing once the record changed, without fields or without permission', async () => {
    const { id } = await jobOf()
    const saved = await submit(office.browser, office.at('jobs', id, 'edit'), { title: 'Mine' })
    const [path, fields] = undoIn((await office.browser.get(saved.location!)).text)
    await office.call('jobs_update', { id, title: 'Theirs' })
    const late = await office.browser.post(path, fields)
    assert.match(pageTextOf(await office.browser.get(late.location!)), /changed since, so nothing was undone/)
    const made = await office.browser.post(path, {})
    assert.match(pageTextOf(await office.browser.get(made.location!)), /nothing was undone/)
    assert.equal((await office.call('jobs_get', { id })).title, 'Theirs')
    const viewer = await office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    assert.equal((await viewer.browser.post(path, fields)).status, 404)
  })
})

describe('bulk actions', () => {
  it('assign each job separately, and report the refused one with its reason', async () => {
    const [one, two] = [await jobOf(), await jobOf()]
    await office.call('jobs_cancel', { id: two.id })
    const bulk = office.at('jobs', 'bulk')
    const asking = await office.browser.post(bulk, { act: 'assign', ids: `${one.id},${two.id}`, asked: 'status=done' })
    assert.match(pageTextOf(asking), /2 selected Assign/)
    assert.deepEqual((await office.call('jobs_get', { id: one.id })).assignments, [])
    const sent = await office.browser.post(bulk, {
      act: 'assign',
      ids: `${one.id},${two.id}`,
      asked: 'status=done',
      confirmed: 'yes',
      assignees: office.owner.user_id,
    })
    const done = await followRedirects(office.browser, sent)
    assert.match(
      pageTextOf(done),
      /One job assigned One was not: J-\d+ Valve This job is canceled, so it can’t be changed\. Create /,
    )
    assert.ok(done.text.includes(`${office.at('jobs')}?status=done`))
    assert.equal((await office.call('jobs_get', { id: one.id })).assignments[0].user_id, office.owner.user_id)
  })

  it('require 1 to 100 records of the company, and edit access', async () => {
    const bulk = office.at('jobs', 'bulk')
    const none = await office.browser.post(bulk, { act: 'assign' })
    assert.match(pageTextOf(await office.browser.get(none.location!)), /Nothing was selected/)
    const many = Array.from({ length: 101 }, (_, i) => `01a1ffbf-52a8-762e-8175-${String(i).padStart(12, '0')}`)
    assert.equal((await office.browser.post(bulk, { act: 'assign', ids: many.join(',') })).status, 422)
    const { id } = await jobOf()
    assert.equal((await office.browser.post(bulk, { act: 'nothing', ids: id })).status, 404)
    const viewer = await office.signInMember('tech', { 'Jobs & scheduling': 'view' })
    assert.equal((await viewer.browser.post(bulk, { act: 'assign', ids: id, confirmed: 'yes' })).status, 404)
    const other = await openOffice(service, 'Cedar Plumbing')
    const strange = await other.browser.post(other.at('jobs', 'bulk'), {
      act: 'mark',
      ids: id,
      confirmed: 'yes',
      status: 'done',
    })
    assert.match(pageTextOf(await followRedirects(other.browser, strange)), /One was not:/)
    assert.equal((await office.call('jobs_get', { id })).status, 'unscheduled')
  })

  it("export and print the selected invoices, and add tags to a customer's existing ones", async () => {
    const [one, two] = [await invoiceOf(100), await invoiceOf(200)]
    const csv = await office.browser.post(office.at('invoices', 'bulk'), { act: 'export', ids: one.id })
    assert.equal(csv.headers.get('content-type'), 'text/csv; charset=utf-8; header=present')
    assert.ok(csv.text.includes(one.display_number) && !csv.text.includes(two.display_number))
    const print = await office.browser.post(office.at('invoices', 'bulk'), { act: 'print', ids: `${one.id},${two.id}` })
    const papers = await office.browser.get(print.location!)
    assert.equal(papers.text.match(/<article/g)?.length, 2)
    const [vip, slow] = await Promise.all(['VIP', 'Slow'].map((name) => office.call('tags_create', { name })))
    const { id } = await office.customer('Tagged', { tag_ids: [vip!.id] })
    const tagged = await office.browser.post(office.at('customers', 'bulk'), {
      act: 'tag',
      ids: id,
      confirmed: 'yes',
      tag_ids: slow!.id,
    })
    assert.match(pageTextOf(await followRedirects(office.browser, tagged)), /One customer tagged/)
    const { tags } = await office.call('customers_get', { id })
    assert.deepEqual(tags.map(({ name }: { name: string }) => name).sort(), ['Slow', 'VIP'])
  })
})

describe('the invoice list', () => {
  it('totals all pages of the filtered list', async () => {
    const other = await openOffice(service, 'Sums Plumbing')
    const { id } = await other.customer('Eve')
    const cents = Array.from({ length: 27 }, (_, i) => (i + 1) * 101)
    for (const unit_price_cents of cents)
      await other.call('invoices_create', {
        customer_id: id,
        line_items: [{ name: 'Visit', unit_price_cents, taxable: false }],
      })
    const sum = cents.reduce((total, one) => total + one, 0)
    const text = `$${(sum / 100).toFixed(2)}`
    const page = pageTextOf(await other.browser.get(other.at('invoices')))
    assert.ok(page.includes(`Total of all 27 ${text} ${text}`), page)
    assert.ok(!pageTextOf(await other.browser.get(`${other.at('invoices')}?status=paid`)).includes('Total of'))
  })
})

describe('line items in a form', () => {
  const totalsForm = (more: object = {}) => ({ customer_id: customer.id, more: 'totals', ...more })

  it('are totaled without saving anything', async () => {
    await office.call('tax_rates_create', { name: 'City', rate_percentage: 8.25, is_default: true })
    const before = (await office.call('invoices_list', { include_total: true })).total
    const page = await office.browser.post(
      office.at('invoices', 'new'),
      totalsForm({
        'line_items.0.name': 'Valve',
        'line_items.0.quantity': '3',
        'line_items.0.price': '19.99',
        'discount.value': '10',
      }),
    )
    assert.match(pageTextOf(page), /Subtotal \$59\.97 Discount -\$6\.00 City 8\.25% on \$53\.97 \$4\.45 Total \$58\.42/)
    assert.ok(!page.text.includes('<html'))
    assert.equal((await office.call('invoices_list', { include_total: true })).total, before)
    const unread = await office.browser.post(
      office.at('invoices', 'new'),
      totalsForm({ 'line_items.0.name': 'Valve', 'line_items.0.price': 'much' }),
    )
    assert.match(pageTextOf(unread), /once every line can be read/)
  })

  it('are suggested from the catalog with price and unit, to members with access to it', async () => {
    await office.call('catalog_items_create', {
      kind: 'labor',
      name: 'Plumber "A"',
      unit_price_cents: 13_500,
      unit: 'hour',
    })
    const { status, text } = await office.browser.get(`${office.at('catalog_items', 'suggest')}?q=plumb`)
    assert.equal(status, 200)
    assert.match(
      text,
      /<option value="Plumber &quot;A&quot;" label="\$135\.00 \/ 1 hour" data-price="135\.00" data-unit="hour">/,
    )
    assert.equal(
      (await office.browser.get(`${office.at('catalog_items', 'suggest')}?q=${'x'.repeat(5_000)}`)).status,
      200,
    )
    const without = await office.signInMember('tech', { 'Catalog & pricing': 'none' })
    assert.equal((await without.browser.get(`${office.at('catalog_items', 'suggest')}?q=p`)).status, 404)
  })

  it('are added, removed and reordered without JavaScript', async () => {
    const names = async (more: string): Promise<string[]> => {
      const { text } = await office.browser.post(office.at('quotes', 'new'), {
        customer_id: customer.id,
        more,
        'line_items.0.name': 'A',
        'line_items.1.name': 'B',
        'line_items.2.name': 'C',
      })
      return [...text.matchAll(/name="line_items\.\d\.name" value="([^"]*)"/g)].map(([, name]) => name!)
    }
    assert.deepEqual(await names('line_items.add'), ['A', 'B', 'C', ''])
    assert.deepEqual(await names('line_items.remove.1'), ['A', 'C'])
    assert.deepEqual(await names('line_items.up.2'), ['A', 'C', 'B'])
    assert.deepEqual(await names('line_items.down.0'), ['B', 'A', 'C'])
    for (const nothing of ['line_items.up.0', 'line_items.down.2', 'line_items.up.99', 'line_items.x.1', 'other'])
      assert.deepEqual(await names(nothing), ['A', 'B', 'C'], nothing)
  })
})
