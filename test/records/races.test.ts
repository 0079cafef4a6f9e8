import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Result } from '../harness/harness.ts'
import {
  FIFTY,
  fiftyTimes,
  FULL,
  race,
  openRaceScene,
  tomorrow,
  visit,
  type Answers,
  type RaceScene,
} from '../harness/database/races.ts'

/**
 * Sends fifty concurrent calls for what only one can have. Related tests: tags, contacts, locations, tax_rates,
 * invoices_races, catalog_categories, customers, idempotency, edit_conflict.
 */

let company: RaceScene['company']
let witness: RaceScene['witness']
let customer: RaceScene['customer']
let stop: RaceScene['stop']
before(async () => {
  ;({ company, witness, customer, stop } = await openRaceScene())
})
after(() => stop())

const SKU_TAKEN = /^conflict: .*sku/
const CHANGED = /^conflict: the record changed: .* get it again and decide whether to retry$/

describe('a SKU under concurrency', { timeout: FULL }, () => {
  const item = { kind: 'fee', name: 'Trip', unit_price_cents: 1 }

  it('goes to one of fifty items created with it', async () => {
    const { ok, refused } = await race(
      company,
      fiftyTimes(() => ['catalog_items_create', { ...item, sku: 'once' }]),
      SKU_TAKEN,
    )
    assert.deepEqual([ok.length, refused.length], [1, FIFTY - 1])
    assert.equal(await witness.value(`select count(*) from catalog_items where sku = 'once'`), '1')
  })

  it('goes to one of fifty items updated with it, and is free again once that item is archived', async () => {
    const items = await Promise.all(fiftyTimes(() => company.call('catalog_items_create', item)))
    const give = (): Promise<Answers> =>
      race(
        company,
        items.map(({ id }) => ['catalog_items_update', { id, sku: 'given' }]),
        SKU_TAKEN,
        /^not_found: /,
      )
    const {
      ok: [first],
      refused,
    } = await give()
    assert.equal(refused.length, FIFTY - 1)
    await company.call('catalog_items_archive', { id: first!['id'] })
    const { ok } = await give()
    assert.equal(ok.length, 1)
    assert.notEqual(ok[0]!['id'], first!['id'])
  })
})

describe('the category tree under concurrency', { timeout: FULL }, () => {
  it('stays a tree of at most five levels through fifty moves, deletes and creates', async () => {
    const made: Result[] = []
    for (let i = 0; i < 12; i++)
      made.push(
        await company.call('catalog_categories_create', {
          name: `C${i}`,
          parent_id: i % 4 === 0 ? null : made[i - 1]!['id'],
        }),
      )
    const pick = (i: number): string => made[i % made.length]!['id']
    const { ok } = await race(
      company,
      fiftyTimes((i) => {
        if (i % 10 === 7) return ['catalog_categories_delete', { id: pick(i * 5) }]
        if (i % 10 === 3) return ['catalog_categories_create', { name: `New ${i}`, parent_id: pick(i) }]
        return ['catalog_categories_update', { id: pick(i * 7), parent_id: pick(i * 5 + 3) }]
      }),
      /^conflict: .*(under itself|below)/,
      /levels deep; the maximum is 5/,
      /^not_found: /,
      /^invalid_input: parent_id is not a category/,
    )
    assert.ok(ok.length > 0)
    const rows = await witness.rows(
      `with recursive tree as (
        select id, 1 as depth from catalog_categories where tenant_id = $1 and parent_id is null
        union all select c.id, t.depth + 1 from catalog_categories c join tree t on c.parent_id = t.id where c.tenant_id = $1)
      select (select count(*) from catalog_categories where tenant_id = $1)::int as all, count(*)::int as reached,
        max(depth) as deepest from tree`,
      company.tenant,
    )
    assert.equal(rows[0]!['reached'], rows[0]!['all'], 'a cycle is reached from no root')
    assert.ok(Number(rows[0]!['deepest']) <= 5)
  })
})

describe('a bundle under concurrency', { timeout: FULL }, () => {
  it('contains only live items and one complete list while fifty calls replace it and archive items', async () => {
    const parts = await Promise.all(
      Array.from({ length: 10 }, (_, i) =>
        company.call('catalog_items_create', { kind: 'service', name: `Part ${i}`, unit_price_cents: 100 }),
      ),
    )
    const kit = await company.call('catalog_items_create', {
      kind: 'bundle',
      name: 'Kit',
      components: [{ catalog_item_id: parts[0]!['id'] }],
    })
    const list = (i: number): object[] =>
      [0, 1, 2].map((n) => ({ catalog_item_id: parts[(i + n * 3) % 10]!['id'], quantity: i + 1 }))
    await race(
      company,
      fiftyTimes((i) =>
        i % 5 === 4
          ? ['catalog_items_archive', { id: parts[i % 10]!['id'] }]
          : ['catalog_items_update', { id: kit['id'], components: list(i) }],
      ),
      /^invalid_input: components\[\d\]\.catalog_item_id .*/,
      /^conflict: .*Kit/,
      /^not_found: /,
    )
    const held = await witness.rows(
      `select c.quantity::float as quantity, i.archived_at from catalog_components c join catalog_items i on i.tenant_id = c.tenant_id and i.id = c.item_id
        where c.tenant_id = $1 and c.bundle_id = $2`,
      company.tenant,
      kit['id'],
    )
    assert.ok(
      held.length > 0 &&
        held.every(({ archived_at, quantity }) => archived_at === null && quantity === held[0]!['quantity']),
    )
  })
})

describe('an idempotency key under concurrency', { timeout: FULL }, () => {
  const creates: [tool: string, given: () => object][] = [
    ['jobs_create', () => ({ customer_id: customer, title: 'Once' })],
    ['catalog_items_create', () => ({ kind: 'fee', name: 'Trip', unit_price_cents: 1, sku: 'keyed' })],
    ['quotes_create', () => ({ customer_id: customer, title: 'Once', line_items: [visit] })],
  ]
  for (const [tool, given] of creates) {
    it(`creates one record from fifty ${tool} calls and returns it to all`, async () => {
      const { ok } = await race(
        company,
        fiftyTimes(() => [tool, { ...given(), idempotency_key: 'fifty' }]),
      )
      assert.equal(new Set(ok.map((answer) => JSON.stringify(answer))).size, 1)
      assert.equal(ok.length, FIFTY)
    })
  }
})

describe('expected_updated_at under concurrency', { timeout: FULL }, () => {
  it('accepts one of fifty updates', async () => {
    const records: [tool: string, made: Promise<Result>, field: string][] = [
      ['notes_update', company.call('notes_create', { body: 'Seen' }), 'body'],
      ['jobs_update', company.call('jobs_create', { customer_id: customer, title: 'Seen' }), 'title'],
      ['quotes_update', company.call('quotes_create', { customer_id: customer, title: 'Seen' }), 'title'],
      [
        'catalog_items_update',
        company.call('catalog_items_create', { kind: 'fee', name: 'Seen', unit_price_cents: 1 }),
        'name',
      ],
      ['catalog_categories_update', company.call('catalog_categories_create', { name: 'Seen' }), 'name'],
      [
        'plans_update',
        company.call('plans_create', { customer_id: customer, name: 'Seen', cadence: 'weekly', line_items: [visit] }),
        'name',
      ],
      ['tax_rates_update', company.call('tax_rates_create', { rate_percentage: 1 }), 'name'],
      [
        'job_series_update',
        company.call('job_series_create', {
          customer_id: customer,
          title: 'Seen',
          rrule: 'FREQ=MONTHLY',
          dtstart: `${tomorrow}T09:00`,
        }),
        'title',
      ],
    ]
    for (const [tool, made, field] of records) {
      const { id, updated_at } = await made
      const { ok, refused } = await race(
        company,
        fiftyTimes((i) => [tool, { id, [field]: `Value ${i}`, expected_updated_at: updated_at }]),
        CHANGED,
      )
      assert.deepEqual([tool, ok.length, refused.length], [tool, 1, FIFTY - 1])
      assert.equal((await company.call(tool.replace('update', 'get'), { id }))[field], ok[0]![field])
    }
  })
})
