import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result, TestService } from '../../harness/harness.ts'
import {
  errorAt,
  formAt,
  idAt,
  openOffice,
  pageTextOf,
  sendForm,
  submit,
  type Office,
} from '../../harness/identity/people_pages.ts'
import { startSite, type BrowserResponse } from '../../harness/web_client.ts'

let service: TestService
let office: Office
let customer: Result
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  customer = await office.customer('Dora', { last_name: 'Vance' })
})
after(() => service.stop())

const newTag = (name: string): Promise<Result> => office.call('tags_create', { name })
const formFor = (): string => `${office.at('jobs', 'new')}?customer_id=${customer.id}`
const namedTags = async (query: string): Promise<Result[]> => (await office.call('tags_list', { query })).rows
/** Submits the new job form with some fields filled in. */
const makeJob = (typed: Record<string, string | null>): Promise<BrowserResponse> =>
  submit(office.browser, formFor(), { title: 'Boiler visit', ...typed }, office.at('jobs', 'new'))
const lineOf = (row: number, parts: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(parts).map(([part, value]) => [`line_items.${row}.${part}`, value]))

describe('a new record', () => {
  it('is created once when its form is sent twice, and redirects to its page', async () => {
    const form = office.at('tags', 'new')
    const fields = formAt(await office.browser.get(form), form).map(([name, value]): [string, string] => [
      name,
      name === 'name' ? 'Sent twice' : value,
    ])
    const [one, two] = await Promise.all([
      sendForm(office.browser, form, fields),
      sendForm(office.browser, form, fields),
    ])
    assert.deepEqual([one.status, one.location], [303, two.location])
    assert.equal((await namedTags('Sent twice')).length, 1)
    assert.ok(pageTextOf(await office.browser.get(one.location!)).includes('Sent twice'))
  })

  it('is redisplayed after an error with what was typed, a linked summary and errors at the fields', async () => {
    await newTag('VIP')
    const page = await submit(office.browser, office.at('tags', 'new'), { 'color.has': 'yes', color: 'red', name: '' })
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'color')!, /^Choose a color\.$/)
    assert.match(
      page.text,
      /<div class="notice error" role="alert">[\s\S]*<a href="#name">Enter a name\.<\/a>[\s\S]*<a href="#color">Choose a color\.<\/a>/,
    )
    assert.match(
      page.text,
      /<input id="color"[^>]* value="red"[^>]* aria-describedby="color-error color-help" aria-invalid="true">/,
    )
    const taken = await submit(office.browser, office.at('tags', 'new'), { name: 'vip' })
    assert.equal(taken.status, 409)
    assert.ok(pageTextOf(taken).includes('Not saved yet'))
    assert.match(taken.text, /<input id="name"[^>]* value="vip"/)
  })

  it('reports all unreadable fields at once', async () => {
    const page = await makeJob({
      ...lineOf(0, { name: 'Pump', price: '12,50' }),
      ...lineOf(1, { name: 'Pipe', price: '1.005' }),
      fields: 'no colon',
    })
    assert.equal(page.status, 422)
    assert.match(errorAt(page, 'line_items')!, /^Work and parts 1, price: Enter an amount, such as 125\.00\.$/)
    assert.match(errorAt(page, 'fields')!, /^Enter a name, a colon and a value on each line/)
    const opened = new Map(formAt(page, office.at('jobs', 'new')))
    assert.deepEqual(
      ['line_items.0.price', 'line_items.1.price', 'fields', 'title'].map((name) => opened.get(name)),
      ['12,50', '1.005', 'no colon', 'Boiler visit'],
    )
  })

  it('accepts lines with thousands separators, catalog items by name and percentages', async () => {
    const item = await office.call('catalog_items_create', {
      kind: 'product',
      name: 'Water heater',
      unit_price_cents: 89_900,
      unit: 'each',
    })
    const { location } = await makeJob({
      ...lineOf(0, { name: 'water HEATER', quantity: '2' }),
      ...lineOf(1, { name: 'Labor', quantity: '1.5', unit: 'hour', price: '$1,200', description: 'Two\r\nlines' }),
      ...lineOf(2, { name: 'Loyal customer', percent: '10' }),
      ...lineOf(5, { name: 'Permit', price: '95' }),
    })
    const { line_items, subtotal_cents } = await office.call('jobs_get', { id: idAt(location) })
    assert.deepEqual(
      line_items.map(
        ({ name, kind, catalog_item_id, quantity, unit_price_cents, description, discount_value }: Result) => [
          name,
          kind,
          catalog_item_id,
          quantity,
          unit_price_cents,
          description,
          discount_value,
        ],
      ),
      [
        ['water HEATER', 'product', item.id, 2, 89_900, null, null],
        ['Labor', 'service', null, 1.5, 120_000, 'Two\nlines', null],
        ['Loyal customer', 'discount', null, null, null, null, 10],
        ['Permit', 'service', null, 1, 9_500, null, null],
      ],
    )
    assert.equal(subtotal_cents, 179_800 + 180_000 + 9_500)
  })

  it('gets another line without losing what was typed, and without being created', async () => {
    const before = (await office.call('jobs_list', { include_total: true })).total
    const page = await submit(
      office.browser,
      formFor(),
      {
        title: 'Long one',
        ...lineOf(2, { name: 'Third', price: '5' }),
        more: 'line_items.add',
        assignees: [office.owner.user_id],
      },
      office.at('jobs', 'new'),
    )
    assert.equal(page.status, 200)
    const fields = formAt(page, office.at('jobs', 'new'))
    const opened = new Map(fields)
    assert.deepEqual(
      [
        'title',
        'line_items.0.name',
        'line_items.1.name',
        'line_items.1.price',
        'line_items.2.name',
        'line_items.3.name',
        'customer_id',
        'assignees',
      ].map((name) => opened.get(name)),
      ['Long one', '', 'Third', '5', '', undefined, customer.id, office.owner.user_id],
    )
    assert.equal((await office.call('jobs_list', { include_total: true })).total, before)
    const { location } = await sendForm(office.browser, office.at('jobs', 'new'), fields)
    assert.deepEqual(
      (await office.call('jobs_get', { id: idAt(location) })).line_items.map(({ name }: Result) => name),
      ['Third'],
    )
  })

  it('is prefilled from the URL', async () => {
    const opened = new Map(
      formAt(await office.browser.get(`${office.at('tags', 'new')}?name=Net+30`), office.at('tags', 'new')),
    )
    assert.equal(opened.get('name'), 'Net 30')
  })
})

describe('a currency without decimals', () => {
  it('takes and shows whole amounts only', async () => {
    const tokyo = await openOffice(service, 'Tokyo Heating')
    const { browser } = tokyo
    await submit(browser, tokyo.at('settings', 'company'), { currency: 'JPY' })
    const { id } = await tokyo.customer('Ken')
    const form = tokyo.at('jobs', 'new')
    const { location } = await submit(
      browser,
      `${form}?customer_id=${id}`,
      { title: 'Visit', ...lineOf(0, { name: 'Work', price: '12,500' }) },
      form,
    )
    assert.ok(pageTextOf(await browser.get(location!)).includes('¥12,500'))
    assert.equal(
      new Map(formAt(await browser.get(`${location!}/edit`), `${location!}/edit`)).get('line_items.0.price'),
      '12500',
    )
    const refused = await submit(browser, `${location!}/edit`, lineOf(0, { price: '12500.5' }))
    assert.deepEqual(
      [refused.status, errorAt(refused, 'line_items')],
      [422, 'Work and parts 1, price: Enter an amount, such as 12500.'],
    )
  })
})
