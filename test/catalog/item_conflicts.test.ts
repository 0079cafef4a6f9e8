import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { makeCompany, startTestService, type Company, type Result, type TestService } from '../harness/harness.ts'

let service: TestService
let company: Company
before(async () => {
  service = await startTestService()
})
beforeEach(async () => {
  company = await makeCompany(service)
})
after(() => service.stop())

const NOBODY = '00000000-0000-7000-8000-000000000000'
const make = (given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'fee', name: 'Trip', unit_price_cents: 100, ...given })
const bundle = (components: object[], given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'bundle', name: 'Kit', components, ...given })
const readRefusal = (given: object): Promise<string> => company.refusal('catalog_items_create', { name: 'x', ...given })

describe('catalog items: not_found', () => {
  it("is returned for an archived or another company's item, and for an unknown category filter", async () => {
    const { id } = await make()
    await company.call('catalog_items_archive', { id })
    for (const [tool, given] of [
      ['get', {}],
      ['update', { name: 'x' }],
      ['archive', {}],
    ] as const) {
      assert.equal(
        await company.refusal(`catalog_items_${tool}`, { id, ...given }),
        'not_found: catalog item not found; find its id with catalog_items_list',
      )
    }
    const elsewhere = await makeCompany(service)
    assert.equal(
      await elsewhere.refusal('catalog_items_get', { id: (await make()).id }),
      'not_found: catalog item not found; find its id with catalog_items_list',
    )
    assert.equal(
      await company.refusal('catalog_items_list', { category_id: NOBODY }),
      'not_found: catalog category not found; find its id with catalog_categories_list',
    )
  })
})

describe('catalog items: conflict', () => {
  it("is returned for another live item's SKU, on create and update", async () => {
    await make({ sku: 'S-1' })
    const other = await make({ sku: 'S-2' })
    assert.equal(
      await readRefusal({ kind: 'fee', unit_price_cents: 1, sku: ' S-1 ' }),
      "conflict: sku is another item's; find that one with catalog_items_list, or choose another",
    )
    assert.equal(
      await company.refusal('catalog_items_update', { id: other.id, sku: 'S-1' }),
      "conflict: sku is another item's; find that one with catalog_items_list, or choose another",
    )
  })

  it("is returned for archiving an item in a live bundle, with the bundles' names", async () => {
    const item = await make()
    const [a, b] = [
      await bundle([{ catalog_item_id: item.id }], { name: 'Alpha' }),
      await bundle([{ catalog_item_id: item.id }], { name: 'Beta' }),
    ]
    assert.equal(
      await company.refusal('catalog_items_archive', { id: item.id }),
      `conflict: the item is part of bundle Alpha (${a.id}), bundle Beta (${b.id}); first remove it from their components with catalog_items_update`,
    )
    await company.call('catalog_items_archive', { id: a.id })
    await company.call('catalog_items_update', { id: b.id, components: [{ catalog_item_id: (await make()).id }] })
    await company.call('catalog_items_archive', { id: item.id })
  })

  it('is returned for a stale expected_updated_at', async () => {
    const seen = await make()
    await company.call('catalog_items_update', { id: seen.id, name: 'New' })
    assert.match(
      await company.refusal('catalog_items_update', {
        id: seen.id,
        name: 'Mine',
        expected_updated_at: seen.updated_at,
      }),
      /^conflict: the record changed/,
    )
  })

  it('refuses either the archiving of an item or a concurrent bundle with it', async () => {
    for (let round = 0; round < 8; round++) {
      const item = await make()
      const answers = await Promise.all([
        company.owner.send('catalog_items_archive', { id: item.id }),
        company.owner.send('catalog_items_create', {
          kind: 'bundle',
          name: 'Kit',
          components: [{ catalog_item_id: item.id }],
        }),
      ])
      assert.equal(answers.filter(({ isError }) => isError).length, 1)
      assert.match(
        answers.find(({ isError }) => isError)!.text,
        /^conflict: the item is part of|^invalid_input: components\[0\]/,
      )
    }
  })
})

describe('concurrent catalog changes', () => {
  it('leave one complete component list after concurrent bundle updates', async () => {
    const items = await Promise.all(Array.from({ length: 6 }, (_, i) => make({ name: `Part ${i}` })))
    const kit = await bundle([{ catalog_item_id: items[0]!.id }])
    const answers = await Promise.all(
      items.map((_, i) =>
        company.owner.send('catalog_items_update', {
          id: kit.id,
          components: items.slice(0, i + 1).map(({ id }) => ({ catalog_item_id: id, quantity: i + 1 })),
        }),
      ),
    )
    assert.deepEqual(
      answers.filter(({ isError }) => isError),
      [],
    )
    const { components } = await company.call('catalog_items_get', { id: kit.id })
    assert.deepEqual(
      components.map((part: Result) => part.quantity),
      Array(components.length).fill(components.length),
    )
  })

  it('never leave an item in a deleted category', async () => {
    for (let round = 0; round < 8; round++) {
      const category = await company.call('catalog_categories_create', { name: `C${round}` })
      const [deleted, made] = await Promise.all([
        company.owner.send('catalog_categories_delete', { id: category.id }),
        company.owner.send('catalog_items_create', {
          kind: 'fee',
          name: 'Trip',
          unit_price_cents: 1,
          category_id: category.id,
        }),
      ])
      assert.equal(deleted.isError, false)
      if (made.isError) assert.match(made.text, /^invalid_input: category_id is not a category/)
      else assert.equal((await company.call('catalog_items_get', { id: JSON.parse(made.text).id })).category_id, null)
    }
  })
})

describe('catalog item scopes', () => {
  it("are read:catalog_items and write:catalog_items, within the member's ceiling", async () => {
    const reader = await company.member('office', { scopes: ['read:catalog_items'] })
    await reader.call('catalog_items_list')
    assert.equal(
      await reader.refusal('catalog_items_create', {}),
      'insufficient_scope: catalog_items.create needs write:catalog_items',
    )
    const writer = await company.member('office', { scopes: ['write:catalog_items'] })
    assert.equal(
      await writer.refusal('catalog_items_get', {}),
      'insufficient_scope: catalog_items.get needs read:catalog_items',
    )
    const tech = await company.member('tech')
    assert.equal(
      await tech.refusal('catalog_items_archive', {}),
      'insufficient_scope: catalog_items.archive needs write:catalog_items',
    )
  })
})
