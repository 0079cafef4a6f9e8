import assert from 'node:assert/strict'
import { idBehind, read, renameField, toolIn } from './following.ts'
import type { Task } from './office.ts'

export const catalog: readonly Task[] = [
  {
    name: 'Raise a price, and leave the quote that was sent as it is',
    async run(office) {
      const { id: customer_id } = await office.call('customers_create', {
        customer_type: 'company',
        company_name: 'Barton Dental',
      })
      const item = await office.call('catalog_items_create', {
        kind: 'service',
        name: 'Water heater flush',
        unit_price_cents: 12_900,
      })
      await office.call('catalog_items_create', { kind: 'service', name: 'Drain cleaning', unit_price_cents: 19_900 })
      const made = await office.call('quotes_create', {
        customer_id,
        title: 'Flush',
        line_items: [{ catalog_item_id: item.id }],
      })
      await office.call('quotes_update', { id: made.id, status: 'sent' })
      const agent = await office.agent()

      const {
        rows: [found],
      } = await agent.call('catalog_items_list', { query: 'heater flush' })
      const wish = { id: found.id, price: 149.5 }
      const named = renameField(await agent.stumble('catalog_items_update', wish), wish)
      assert.match(
        await agent.stumble('catalog_items_update', named),
        /unit_price_cents must be a whole number .*\(got 149\.5\)/,
      )
      await agent.call('catalog_items_update', { id: found.id, unit_price_cents: 14_950 })
      const {
        rows: [quote],
      } = await agent.call('quotes_list', { status: ['sent'] })
      assert.equal(quote.total_cents, 12_900)

      assert.deepEqual(
        await office.rows('select unit_price_cents::int from catalog_items where tenant_id = $1 and id = $2', item.id),
        [{ unit_price_cents: 14_950 }],
      )
      assert.deepEqual(await office.rows('select total_cents::int from quotes where tenant_id = $1'), [
        { total_cents: 12_900 },
      ])
    },
  },
  {
    name: 'Move a category with all that is in it',
    async run(office) {
      const category = async (name: string, parent_id: string | null = null): Promise<string> =>
        (await office.call('catalog_categories_create', { name, parent_id })).id
      const plumbing = await category('Plumbing')
      const heating = await category('Heating')
      const boilers = await category('Boilers', plumbing)
      await category('Gas boilers', boilers)
      await office.call('catalog_items_create', {
        kind: 'product',
        name: 'Boiler pump',
        unit_price_cents: 32_000,
        category_id: boilers,
      })
      const agent = await office.agent()

      const { rows } = await agent.call('catalog_categories_list', {})
      const idOf = (wanted: string): string => rows.find(({ name }: { name: string }) => name === wanted).id
      const message = await agent.stumble('catalog_categories_update', {
        id: idOf('Boilers'),
        parent_id: idOf('Gas boilers'),
      })
      assert.match(
        message,
        /parent_id would put 'Boilers' under itself or one of its descendants; choose another parent_id, or null for the root$/,
      )
      await agent.call('catalog_categories_update', { id: idOf('Boilers'), parent_id: idOf('Heating') })
      const { rows: items } = await agent.call('catalog_items_list', { category_id: idOf('Heating') })
      assert.deepEqual(
        items.map(({ name }: { name: string }) => name),
        ['Boiler pump'],
      )

      const tree = await office.rows(`select c.name, p.name as parent, c.depth from catalog_categories c
        left join catalog_categories p on p.tenant_id = c.tenant_id and p.id = c.parent_id where c.tenant_id = $1 order by c.depth, c.name`)
      assert.deepEqual(
        tree.filter(({ parent }) => parent !== null),
        [
          { name: 'Boilers', parent: 'Heating', depth: 2 },
          { name: 'Gas boilers', parent: 'Boilers', depth: 3 },
        ],
      )
      assert.equal(tree.length, 4)
      assert.ok(heating)
    },
  },
  {
    name: 'Retire an item that a bundle holds',
    async run(office) {
      const [old, anew] = await Promise.all(
        ['Filter 16x20', 'Filter 16x25'].map((name) =>
          office.call('catalog_items_create', { kind: 'product', name, unit_price_cents: 2_400 }),
        ),
      )
      const made = await office.call('catalog_items_create', {
        kind: 'bundle',
        name: 'Tune-up',
        components: [{ catalog_item_id: old!.id, quantity: 2 }],
      })
      const agent = await office.agent()

      const { rows } = await agent.call('catalog_items_list', { kind: ['product'], query: 'filter' })
      const [wrong, right] = rows
      const message = await agent.stumble('catalog_items_archive', { id: wrong.id })
      read(message, /first remove it from their components with catalog_items_update$/)
      await agent.call(toolIn(message, agent), {
        id: idBehind('bundle Tune-up', message),
        components: [{ catalog_item_id: right.id, quantity: 2 }],
      })
      await agent.call('catalog_items_archive', { id: wrong.id })

      assert.deepEqual(
        await office.rows(
          'select item_id, quantity::int from catalog_components where tenant_id = $1 and bundle_id = $2',
          made.id,
        ),
        [{ item_id: anew!.id, quantity: 2 }],
      )
      assert.deepEqual(
        await office.rows('select id from catalog_items where tenant_id = $1 and archived_at is not null'),
        [{ id: old!.id }],
      )
    },
  },
]
