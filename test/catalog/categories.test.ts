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
const make = (name: string, given: object = {}): Promise<Result> =>
  company.call('catalog_categories_create', { name, ...given })
const move = (id: string, given: object): Promise<Result> => company.call('catalog_categories_update', { id, ...given })
const list = async (given: object = {}): Promise<Result[]> =>
  (await company.call('catalog_categories_list', { limit: 100, ...given })).rows
const sell = (given: object = {}): Promise<Result> =>
  company.call('catalog_items_create', { kind: 'fee', name: 'Trip', unit_price_cents: 100, ...given })

/** Creates a chain of categories, each inside the previous one. */
async function chain(...names: string[]): Promise<Result[]> {
  const made: Result[] = []
  for (const name of names) made.push(await make(name, made.length === 0 ? {} : { parent_id: made.at(-1)!.id }))
  return made
}

describe('catalog categories', () => {
  it('are created at the root or under a parent, after their siblings', async () => {
    const root = await make('  Plumbing ')
    assert.deepEqual(
      [root.name, root.parent_id, root.position, root.depth, root.item_count],
      ['Plumbing', null, 0, 1, 0],
    )
    assert.equal(root.created_by, company.owner.id)
    const heating = await make('Heating')
    const taps = await make('Taps', { parent_id: root.id })
    const pinned = await make('Drains', { parent_id: root.id, position: 40 })
    const last = await make('Pipes', { parent_id: root.id })
    assert.deepEqual([heating.position, taps.position, taps.depth, pinned.position, last.position], [1, 0, 2, 40, 41])
    await make('End', { position: 9999 })
    assert.equal((await make('After the end')).position, 9999)
  })

  it('return their path and the number of live items directly inside', async () => {
    const [a, b, c] = await chain('A', 'B', 'C')
    await sell({ category_id: c!.id })
    const archived = await sell({ category_id: c!.id })
    await company.call('catalog_items_archive', { id: archived.id })
    const got = await company.call('catalog_categories_get', { id: c!.id })
    assert.deepEqual(got.path, [
      { id: a!.id, name: 'A' },
      { id: b!.id, name: 'B' },
    ])
    assert.deepEqual([got.item_count, got.depth], [1, 3])
    const top = await company.call('catalog_categories_get', { id: a!.id })
    assert.deepEqual([top.path, top.item_count], [[], 0])
  })

  it('are listed by depth, position and name: all, by parent, or only roots', async () => {
    const z = await make('Zed', { position: 1 })
    const b = await make('beta', { position: 1 })
    const first = await make('Last by name', { position: 0 })
    const child = await make('Child', { parent_id: z.id })
    assert.deepEqual(
      (await list()).map(({ id }) => id),
      [first.id, b.id, z.id, child.id],
    )
    assert.deepEqual(
      (await list({ parent_id: z.id })).map(({ id }) => id),
      [child.id],
    )
    assert.deepEqual(
      (await list({ parent_id: null })).map(({ id }) => id),
      [first.id, b.id, z.id],
    )
    assert.deepEqual((await list())[3], {
      id: child.id,
      name: 'Child',
      parent_id: z.id,
      position: 0,
      depth: 2,
      item_count: 0,
    })
    const page = await company.call('catalog_categories_list', { limit: 2, page: 2, include_total: true })
    assert.deepEqual([page.rows.length, page.hasMore, page.total], [2, false, 4])
  })

  it('are listed by updated_since, including categories moved with their parent', async () => {
    const [a, b] = await chain('A', 'B')
    const other = await make('Other')
    const moved = await move(a!.id, { parent_id: other.id })
    assert.deepEqual(
      new Set((await list({ updated_since: other.updated_at })).map(({ id }) => id)),
      new Set([a!.id, b!.id, other.id]),
    )
    assert.equal(moved.depth, 2)
    assert.equal((await company.call('catalog_categories_get', { id: b!.id })).depth, 3)
  })

  it('can be renamed, also in case only, reordered and moved to the root', async () => {
    const [a, b] = await chain('A', 'B')
    assert.deepEqual([(await move(b!.id, { name: 'b' })).name, (await move(b!.id, { position: 7 })).position], ['b', 7])
    const up = await move(b!.id, { parent_id: null })
    assert.deepEqual([up.parent_id, up.depth, up.position, 'url' in up], [null, 1, 7, false])
    assert.equal((await move(a!.id, { parent_id: up.id })).depth, 2)
  })

  it('can have the same name under another parent', async () => {
    const [a] = await chain('A', 'Parts')
    const b = await make('B')
    await make('parts', { parent_id: b.id })
    await make('a', { parent_id: a!.id })
  })

  it('move their children up and clear the category of their items when deleted', async () => {
    const [a, b, c, d] = await chain('A', 'B', 'C', 'D')
    const second = await make('C2', { parent_id: b!.id })
    const item = await sell({ category_id: b!.id })
    const archived = await sell({ category_id: b!.id })
    await company.call('catalog_items_archive', { id: archived.id })
    assert.deepEqual(await company.call('catalog_categories_delete', { id: b!.id }), {
      id: b!.id,
      deleted: true,
      children_moved: 2,
      items_uncategorised: 1,
    })
    assert.equal((await company.call('catalog_items_get', { id: item.id })).category_id, null)
    const rows = new Map((await list()).map((row) => [row.id, [row.parent_id, row.depth]]))
    assert.deepEqual(
      [rows.get(c!.id), rows.get(second.id), rows.get(d!.id)],
      [
        [a!.id, 2],
        [a!.id, 2],
        [c!.id, 3],
      ],
    )
  })

  it('can be deleted if a child has the same name', async () => {
    const [a, child] = await chain('Parts', 'PARTS')
    await company.call('catalog_categories_delete', { id: a!.id })
    assert.deepEqual(
      (await list()).map((row) => [row.id, row.depth, row.parent_id]),
      [[child!.id, 1, undefined]],
    )
  })
})

describe('catalog categories: invalid_input', () => {
  it('is returned for a sixth level, by create or move', async () => {
    const levels = await chain('1', '2', '3', '4', '5')
    assert.match(
      await company.refusal('catalog_categories_create', { name: '6', parent_id: levels[4]!.id }),
      /^invalid_input: parent_id would make the tree 6 levels deep; the maximum is 5/,
    )
    const [top, , bottom] = await chain('a', 'b', 'c')
    assert.match(
      await company.refusal('catalog_categories_update', { id: top!.id, parent_id: levels[2]!.id }),
      /^invalid_input: parent_id would make the tree 6 levels deep/,
    )
    await move(top!.id, { parent_id: levels[1]!.id })
    assert.equal((await company.call('catalog_categories_get', { id: bottom!.id })).depth, 5)
  })

  it("is returned for an unknown or another company's parent", async () => {
    const elsewhere = await makeCompany(service)
    const foreign = await elsewhere.call('catalog_categories_create', { name: 'Theirs' })
    const { id } = await make('Mine')
    for (const parent_id of [NOBODY, foreign.id]) {
      assert.match(
        await company.refusal('catalog_categories_create', { name: 'x', parent_id }),
        /^invalid_input: parent_id is not a category of this account/,
      )
      assert.match(
        await company.refusal('catalog_categories_update', { id, parent_id }),
        /^invalid_input: parent_id is not a category of this account/,
      )
    }
  })

  it('is returned for a missing, empty or too long name and an out-of-range position', async () => {
    assert.equal(await company.refusal('catalog_categories_create', {}), 'invalid_input: name is required')
    assert.match(
      await company.refusal('catalog_categories_create', { name: ' ' }),
      /^invalid_input: name must not be empty/,
    )
    assert.match(
      await company.refusal('catalog_categories_create', { name: 'x'.repeat(101) }),
      /^invalid_input: name must be at most 100/,
    )
    assert.match(
      await company.refusal('catalog_categories_create', { name: 'x', position: 10_000 }),
      /^invalid_input: position must be a whole number from 0 to 9999/,
    )
  })

  it('is returned for create and update with a tenant key, which can delete', async () => {
    const { id } = await make('A')
    const key = await company.tenantKey()
    assert.match(
      await key.refusal('catalog_categories_create', { name: 'B' }),
      /^invalid_input: catalog_categories\.create needs a user/,
    )
    assert.match(
      await key.refusal('catalog_categories_update', { id, name: 'B' }),
      /^invalid_input: catalog_categories\.update needs a user/,
    )
    await key.call('catalog_categories_delete', { id })
  })
})

describe('catalog categories: not_found', () => {
  it('is returned for an unknown category by get, update, delete and as the parent of a list', async () => {
    const { id } = await make('Gone')
    await company.call('catalog_categories_delete', { id })
    for (const [tool, given] of [
      ['get', { id }],
      ['update', { id, name: 'x' }],
      ['delete', { id }],
      ['list', { parent_id: id }],
    ] as const) {
      assert.equal(
        await company.refusal(`catalog_categories_${tool}`, given),
        'not_found: catalog category not found; find its id with catalog_categories_list',
      )
    }
  })
})

describe('catalog categories: conflict', () => {
  it('is returned for a sibling with the same name, ignoring case, on create, rename or move', async () => {
    const taken = /^conflict: name is another category's under the same parent/
    const [a, inner] = await chain('Parts', 'Taps')
    const b = await make('Taps')
    assert.match(await company.refusal('catalog_categories_create', { name: 'PARTS' }), taken)
    assert.match(await company.refusal('catalog_categories_create', { name: 'taps', parent_id: a!.id }), taken)
    assert.match(await company.refusal('catalog_categories_update', { id: b.id, name: 'parts' }), taken)
    assert.match(await company.refusal('catalog_categories_update', { id: inner!.id, parent_id: null }), taken)
  })

  it('is returned for a move under itself or a descendant', async () => {
    const [a, , c] = await chain('A', 'B', 'C')
    for (const parent_id of [a!.id, c!.id])
      assert.match(
        await company.refusal('catalog_categories_update', { id: a!.id, parent_id }),
        /^conflict: parent_id would put 'A' under itself/,
      )
  })

  it('is returned for a delete that would give siblings the same name, and changes nothing', async () => {
    const [a, b] = await chain('A', 'B')
    await make('Taps', { parent_id: a!.id })
    await make('TAPS', { parent_id: b!.id })
    const item = await sell({ category_id: b!.id })
    const before = await list()
    assert.match(
      await company.refusal('catalog_categories_delete', { id: b!.id }),
      /^conflict: child 'TAPS' would move up next to a category with the same name/,
    )
    assert.deepEqual(await list(), before)
    assert.equal((await company.call('catalog_items_get', { id: item.id })).category_id, b!.id)
  })

  it('is returned for a stale expected_updated_at', async () => {
    const seen = await make('A')
    await move(seen.id, { position: 3 })
    assert.match(
      await company.refusal('catalog_categories_update', {
        id: seen.id,
        name: 'B',
        expected_updated_at: seen.updated_at,
      }),
      /^conflict: the record changed/,
    )
  })

  it('is returned for one of two concurrent moves that would form a cycle', async () => {
    for (let round = 0; round < 5; round++) {
      const [a, b] = [await make(`A${round}`), await make(`B${round}`)]
      const answers = await Promise.all([
        company.owner.send('catalog_categories_update', { id: a.id, parent_id: b.id }),
        company.owner.send('catalog_categories_update', { id: b.id, parent_id: a.id }),
      ])
      assert.equal(answers.filter(({ isError }) => isError).length, 1)
      assert.match(answers.find(({ isError }) => isError)!.text, /^conflict: parent_id/)
    }
  })

  it('is returned for all but one of twelve concurrent creates with the same name', async () => {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => company.owner.send('catalog_categories_create', { name: 'Same' })),
    )
    assert.equal(answers.filter(({ isError }) => !isError).length, 1)
    assert.ok(
      answers
        .filter(({ isError }) => isError)
        .every(({ text }) => text.startsWith('conflict: name is another category')),
    )
  })
})

describe('catalog category scopes', () => {
  it('are read:catalog_categories and write:catalog_categories, both covered by the catalog umbrellas', async () => {
    const reader = await company.member('office', { scopes: ['read:catalog'] })
    await reader.call('catalog_categories_list')
    assert.equal(
      await reader.refusal('catalog_categories_create', { name: 'x' }),
      'insufficient_scope: catalog_categories.create needs write:catalog_categories',
    )
    const writer = await company.member('office', { scopes: ['write:catalog'] })
    await writer.call('catalog_categories_create', { name: 'x' })
    assert.equal(
      await writer.refusal('catalog_categories_list'),
      'insufficient_scope: catalog_categories.list needs read:catalog_categories',
    )
  })
})
