import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TestService } from '../harness/harness.ts'
import { errorAt, formAt, idAt, openOffice, pageTextOf, submit, type Office } from '../harness/identity/people_pages.ts'
import { startSite } from '../harness/web_client.ts'

let service: TestService
let office: Office
let clerk: Awaited<ReturnType<Office['signInMember']>>
before(async () => {
  service = await startSite()
  office = await openOffice(service, 'Alder Plumbing')
  clerk = await office.signInMember('office', { 'Tax rates': 'edit' })
})
after(() => service.stop())

const HOSTILE = '<script>alert(1)</script>"\'&'
const newItem = (kind: string, typed: Record<string, string>, by = office) =>
  submit(by.browser, `${office.at('catalog_items', 'new')}?kind=${kind}`, typed, office.at('catalog_items', 'new'))
const namesIn = (form: [string, string][]): string[] => form.map(([name]) => name)

describe('a new catalog item', () => {
  it('asks for its kind first, and shows only the fields of that kind', async () => {
    const step = await office.browser.get(office.at('catalog_items', 'new'))
    assert.match(pageTextOf(step), /What kind of item is it\? Service .* Discount/)
    assert.equal(
      (await office.browser.get(`${office.at('catalog_items', 'new')}?kind=nonsense`)).text.includes(
        'What kind of item',
      ),
      true,
    )
    const fields = async (kind: string) =>
      namesIn(
        formAt(
          await office.browser.get(`${office.at('catalog_items', 'new')}?kind=${kind}`),
          office.at('catalog_items', 'new'),
        ),
      )
    const [service, product, bundle, discount] = [
      await fields('service'),
      await fields('product'),
      await fields('bundle'),
      await fields('discount'),
    ]
    assert.ok(service.includes('duration_minutes') && service.includes('cost_cents') && !service.includes('barcode'))
    assert.ok(product.includes('barcode') && product.includes('supplier_name') && !product.includes('duration_minutes'))
    assert.ok(bundle.includes('components.0.name') && bundle.includes('pricing') && !bundle.includes('cost_cents'))
    assert.ok(
      discount.includes('discount_value') && !discount.includes('taxable') && !discount.includes('unit_price_cents'),
    )
  })

  it('is created for services, products, bundles and discounts', async () => {
    const get = async (location: string | null) => office.call('catalog_items_get', { id: idAt(location) })
    const work = await get(
      (
        await newItem('service', {
          name: `Tune-up ${HOSTILE}`,
          unit_price_cents: '149',
          duration_minutes: '90',
          cost_cents: '40.50',
          supplier_name: 'Crew',
          sku: 'TU-1',
          taxable: 'no',
        })
      ).location,
    )
    assert.deepEqual(
      [work.unit_price_cents, work.duration_minutes, work.cost_cents, work.supplier_name, work.taxable, work.unit],
      [14_900, 90, 4_050, 'Crew', false, 'each'],
    )
    const part = await get(
      (await newItem('product', { name: 'Valve', unit_price_cents: '1,250.99', barcode: '4006381333931' })).location,
    )
    assert.deepEqual([part.unit_price_cents, part.barcode, part.taxable], [125_099, '4006381333931', true])
    const set = await get(
      (
        await newItem('bundle', {
          name: 'Spring set',
          'components.0.name': `tune-up ${HOSTILE}`,
          'components.1.name': 'VALVE',
          'components.1.quantity': '2.5',
        })
      ).location,
    )
    assert.deepEqual(
      [
        set.pricing,
        set.unit_price_cents,
        set.components.map(({ name, quantity }: { name: string; quantity: number }) => [name, quantity]),
      ],
      [
        'sum',
        327_648,
        [
          [`Tune-up ${HOSTILE}`, 1],
          ['Valve', 2.5],
        ],
      ],
    )
    const off = await get(
      (await newItem('discount', { name: 'Senior', discount_type: 'amount', discount_value: '15.50' })).location,
    )
    assert.deepEqual([off.discount_type, off.discount_value], ['amount', 1_550])
    const tenth = await get(
      (await newItem('discount', { name: 'Loyal', discount_type: 'percent', discount_value: '12.50' })).location,
    )
    assert.deepEqual([tenth.discount_type, tenth.discount_value], ['percent', 12.5])
    const page = await office.browser.get(office.at('catalog_items', set.id))
    assert.ok(pageTextOf(page).includes(`Tune-up ${HOSTILE} Service 1 $149.00 $40.50`))
    assert.ok(!page.text.includes('<script>alert'))
  })

  it('is refused for an unknown component, a missing price or a duplicate SKU', async () => {
    const strange = await newItem('bundle', { name: 'Odd', 'components.0.name': 'Nothing of ours' })
    assert.equal(strange.status, 422)
    assert.match(errorAt(strange, 'components')!, /Nothing of ours/)
    assert.match(errorAt(await newItem('fee', { name: 'Free' }), 'unit_price_cents')!, /^Enter a price\.$/)
    await newItem('fee', { name: 'Permit', unit_price_cents: '95', sku: 'P-1' })
    const taken = await newItem('fee', { name: 'Permit 2', unit_price_cents: '95', sku: 'P-1' })
    assert.equal(taken.status, 409)
    assert.match(pageTextOf(taken), /P-1|sku|SKU/)
    assert.equal(Object.fromEntries(formAt(taken, office.at('catalog_items', 'new')))['name'], 'Permit 2')
  })
})

describe('the cost of a catalog item', () => {
  it("is visible to and editable by owners only, and survives another member's edit", async () => {
    const { id } = await office.call('catalog_items_create', {
      kind: 'product',
      name: 'Pump',
      unit_price_cents: 9_000,
      cost_cents: 4_444,
      supplier_name: 'Secret Supply',
    })
    const mine = pageTextOf(await office.browser.get(office.at('catalog_items', id)))
    assert.ok(mine.includes('Cost $44.44') && mine.includes('Secret Supply'))
    for (const path of [
      office.at('catalog_items', id),
      office.at('catalog_items', id, 'edit'),
      `${office.at('catalog_items')}?query=pump`,
    ]) {
      const { status, text } = await clerk.browser.get(path)
      assert.equal(status, 200)
      assert.ok(!text.includes('44.44') && !text.includes('Secret Supply') && !text.includes('cost_cents'), path)
    }
    assert.equal((await submit(clerk.browser, office.at('catalog_items', id, 'edit'), { name: 'Pump II' })).status, 303)
    const { cost_cents, supplier_name, name } = await office.call('catalog_items_get', { id })
    assert.deepEqual([cost_cents, supplier_name, name], [4_444, 'Secret Supply', 'Pump II'])
  })
})

describe('a catalog bundle', () => {
  it("switches between a fixed price and the sum, and keeps the components that weren't edited", async () => {
    const [a, b] = [
      await office.call('catalog_items_create', { kind: 'service', name: 'Flush', unit_price_cents: 10_000 }),
      await office.call('catalog_items_create', { kind: 'fee', name: 'Trip', unit_price_cents: 5_900 }),
    ]
    const { id } = await office.call('catalog_items_create', {
      kind: 'bundle',
      name: 'Heater care',
      components: [{ catalog_item_id: a.id }, { catalog_item_id: b.id, quantity: 2 }],
    })
    const edit = office.at('catalog_items', id, 'edit')
    await submit(office.browser, edit, { pricing: 'fixed', unit_price_cents: '199' })
    assert.deepEqual(
      [
        (await office.call('catalog_items_get', { id })).unit_price_cents,
        (await office.call('catalog_items_get', { id })).components.length,
      ],
      [19_900, 2],
    )
    await submit(office.browser, edit, { pricing: 'sum', 'components.1.name': '' })
    const after = await office.call('catalog_items_get', { id })
    assert.deepEqual([after.pricing, after.unit_price_cents, after.components.length], ['sum', 10_000, 1])
    assert.match(
      pageTextOf(await office.browser.post(office.at('catalog_items', a.id, 'do', 'catalog_items_archive'), {})),
      /This item is part of the bundle Heater care\. Take it out first\./,
    )
  })
})

describe('catalog categories', () => {
  it('are listed as a tree and moved; deleting one moves its contents up', async () => {
    const root = await office.call('catalog_categories_create', { name: `Heating ${HOSTILE}` })
    const { location } = await submit(
      office.browser,
      `${office.at('catalog_categories', 'new')}?parent_id=${root.id}`,
      { name: 'Furnaces' },
      office.at('catalog_categories', 'new'),
    )
    const child = await office.call('catalog_categories_get', { id: idAt(location) })
    assert.equal(child.parent_id, root.id)
    const other = await office.call('catalog_categories_create', { name: 'Cooling' })
    const item = await office.call('catalog_items_create', {
      kind: 'fee',
      name: 'Flue',
      unit_price_cents: 100,
      category_id: root.id,
    })
    const list = await office.browser.get(office.at('catalog_categories'))
    assert.match(pageTextOf(list), /Heating .* 1 0 Heating .* › Furnaces 0 0 Cooling 0 1/)
    assert.match(list.text, /class="depth-2"/)
    assert.match(
      pageTextOf(await office.browser.get(office.at('catalog_categories', root.id))),
      /Subcategories Furnaces/,
    )
    const cycle = await submit(office.browser, office.at('catalog_categories', root.id, 'edit'), {
      parent_id: child.id,
    })
    assert.equal(cycle.status, 409)
    assert.match(errorAt(cycle, 'parent_id')!, /can’t be moved into itself or into one of its subcategories/)
    await submit(office.browser, office.at('catalog_categories', other.id, 'edit'), { parent_id: root.id })
    assert.match(
      pageTextOf(await office.browser.get(office.at('catalog_categories', root.id, 'do', 'catalog_categories_delete'))),
      /move up to the top, and its item is left without a category/,
    )
    assert.equal(
      (await office.browser.post(office.at('catalog_categories', root.id, 'do', 'catalog_categories_delete'), {}))
        .location,
      office.at('catalog_categories'),
    )
    assert.deepEqual(
      [
        (await office.call('catalog_categories_get', { id: child.id })).parent_id,
        (await office.call('catalog_items_get', { id: item.id })).category_id,
      ],
      [null, null],
    )
  })

  it('filter the catalog, and show their name in the list', async () => {
    const category = await office.call('catalog_categories_create', { name: 'Drains' })
    await office.call('catalog_items_create', {
      kind: 'service',
      name: 'Snake',
      unit_price_cents: 9_900,
      category_id: category.id,
    })
    const list = pageTextOf(await office.browser.get(`${office.at('catalog_items')}?category_id=${category.id}`))
    assert.match(list, /Snake Service Drains \$99\.00/)
    assert.ok(!list.includes('Valve'))
    assert.ok(
      pageTextOf(await office.browser.get(`${office.at('catalog_items')}?query=snake&kind=fee`)).includes('No matches'),
    )
  })
})

describe('tax rates', () => {
  it("are created, made default, renamed and archived; the percentage can't change", async () => {
    const { location } = await submit(clerk.browser, office.at('tax_rates', 'new'), {
      name: 'City',
      rate_percentage: '8.25',
      is_default: 'yes',
    })
    const id = idAt(location)
    assert.match(pageTextOf(await clerk.browser.get(location!)), /City 8\.25% Default/)
    const edit = await clerk.browser.get(`${location}/edit`)
    assert.match(pageTextOf(edit), /The percentage can’t change/)
    assert.ok(!namesIn(formAt(edit, `${location}/edit`)).includes('rate_percentage'))
    await submit(clerk.browser, `${location}/edit`, { name: 'City tax' })
    await clerk.browser.post(`${location}/do/tax_rates_update-false`, {})
    const rate = await office.call('tax_rates_get', { id })
    assert.deepEqual([rate.name, rate.is_default, rate.rate_percentage], ['City tax', false, 8.25])
    await clerk.browser.post(`${location}/do/tax_rates_update-true`, {})
    assert.match(pageTextOf(await clerk.browser.get(`${location}/do/tax_rates_archive`)), /no rate is the default/)
    assert.equal((await clerk.browser.post(`${location}/do/tax_rates_archive`, {})).location, office.at('tax_rates'))
    assert.ok(pageTextOf(await clerk.browser.get(office.at('tax_rates'))).includes('Archived City tax 8.25%'))
    assert.ok(!pageTextOf(await clerk.browser.get(office.at('tax_rates'))).includes('City tax'))
    const archived = await clerk.browser.get(`${office.at('tax_rates')}?include_archived=yes`)
    assert.match(pageTextOf(archived), /City tax 8\.25% Archived/)
    assert.ok(!archived.text.includes(`/tax_rates/${id}`))
  })

  it('over 100 percent are refused with an error at the field', async () => {
    const page = await submit(clerk.browser, office.at('tax_rates', 'new'), { rate_percentage: '101' })
    assert.equal(page.status, 422)
    assert.equal(errorAt(page, 'rate_percentage'), 'Enter 100 or less.')
  })

  it('are read-only with view access, and return 404 without access', async () => {
    const [looker, tech] = [
      await office.signInMember('office', { 'Tax rates': 'view' }),
      await office.signInMember('tech'),
    ]
    const rate = await office.call('tax_rates_create', { name: 'State', rate_percentage: 4 })
    const page = await looker.browser.get(office.at('tax_rates', rate.id))
    assert.ok(page.status === 200 && !page.text.includes('/do/') && !page.text.includes('/edit'))
    assert.equal(
      (await looker.browser.post(office.at('tax_rates', rate.id, 'do', 'tax_rates_archive'), {})).status,
      404,
    )
    assert.equal((await looker.browser.get(office.at('tax_rates', 'new'))).status, 404)
    assert.equal((await tech.browser.get(office.at('tax_rates', rate.id))).status, 404)
  })
})
