import assert from 'node:assert/strict'
import { choicesIn, toolIn } from './following.ts'
import type { Office, Task } from './office.ts'

const customerOf = ({ call }: Office) =>
  call('customers_create', {
    customer_type: 'individual',
    first_name: 'Ben',
    last_name: 'Okafor',
    status: 'lead',
    locations: [{ address_line1: '80 Oak Avenue' }],
  })

/** Makes a fixed-price tune-up bundle and single items. */
async function catalogOf({ call }: Office) {
  const labor = await call('catalog_items_create', { kind: 'labor', name: 'Technician hour', unit_price_cents: 12_000 })
  const filter = await call('catalog_items_create', {
    kind: 'product',
    name: 'Air filter 16x25',
    unit_price_cents: 2_400,
    sku: 'AF-1625',
  })
  const components = [
    { catalog_item_id: labor.id, quantity: 1.5 },
    { catalog_item_id: filter.id, quantity: 2 },
  ]
  return call('catalog_items_create', { kind: 'bundle', name: 'Spring tune-up', components })
}

export const quotes: readonly Task[] = [
  {
    name: 'Quote a bundle with a discount, accept it, bill it',
    async run(office) {
      const { id } = await customerOf(office)
      const bundle = await catalogOf(office)
      await office.call('tax_rates_create', { name: 'Travis County', rate_percentage: 8.25, is_default: true })
      const agent = await office.agent()

      const {
        rows: [customer],
      } = await agent.call('customers_search', { query: 'Okafor' })
      const {
        rows: [item],
      } = await agent.call('catalog_items_list', { kind: ['bundle'], query: 'tune-up' })
      const wish = {
        customer_id: customer.id,
        title: 'Spring tune-up',
        line_items: [{ catalog_item_id: item.id }, { name: 'Trip', unit_price_cents: 4_900 }],
      }
      const types = choicesIn(
        await agent.stumble('quotes_create', { ...wish, discount: { type: 'percentage', value: 10 } }),
      )
      const quote = await agent.call('quotes_create', { ...wish, discount: { type: types[0], value: 10 } })
      assert.equal(quote.total_cents, 26_987)
      await agent.call('quotes_update', { id: quote.id, status: 'accepted' })
      const invoice = await agent.call('invoices_create', { customer_id: customer.id, from_quote_id: quote.id })
      assert.equal(invoice.total_cents, quote.total_cents)

      const [kept] = await office.rows(
        'select status, discount, converted_invoice_id, line_items from quotes where tenant_id = $1',
      )
      const { line_items, ...paper } = kept!
      assert.deepEqual(paper, {
        status: 'accepted',
        discount: { type: 'percent', value: 10 },
        converted_invoice_id: invoice.id,
      })
      assert.equal(line_items[0].catalog_item_id, bundle.id)
      assert.deepEqual(await office.rows('select status from customers where tenant_id = $1 and id = $2', id), [
        { status: 'active' },
      ])
    },
  },
  {
    name: 'Revise a declined quote and send it again',
    async run(office) {
      const { id: customer_id } = await customerOf(office)
      const mia = await office.person('Mia Chen', 'office')
      const made = await mia.call('quotes_create', {
        customer_id,
        title: 'Rooftop unit',
        line_items: [{ name: 'Unit, 5 tons', unit_price_cents: 900_000 }],
      })
      await mia.call('quotes_update', { id: made.id, status: 'sent' })
      await mia.call('quotes_update', { id: made.id, status: 'declined', decline_reason: 'Too expensive' })
      const agent = await office.agentOf(mia)

      const {
        rows: [quote],
      } = await agent.call('quotes_list', { status: ['declined'] })
      const cheaper = { id: quote.id, line_items: [{ name: 'Unit, 5 tons', unit_price_cents: 840_000 }] }
      const message = await agent.stumble('quotes_update', { ...cheaper, status: 'sent' })
      assert.match(message, /line_items can be changed only in draft; set status to draft first, in a separate call$/)
      await agent.call('quotes_update', { id: quote.id, status: 'draft' })
      await agent.call('quotes_update', { ...cheaper, status: 'sent' })

      const [kept] = await office.rows(
        'select status, total_cents::int, decline_reason from quotes where tenant_id = $1',
      )
      assert.deepEqual(kept, { status: 'sent', total_cents: 840_000, decline_reason: null })
    },
  },
  {
    name: "Change a quote that is a colleague's",
    async run(office) {
      const { id: customer_id } = await customerOf(office)
      await office.call('quotes_create', {
        customer_id,
        title: 'Rooftop unit',
        line_items: [{ name: 'Unit, 5 tons', unit_price_cents: 900_000, quantity: 2 }],
      })
      const agent = await office.agent()

      const {
        rows: [theirs],
      } = await agent.call('quotes_list', {})
      const another = toolIn(
        await agent.stumble('quotes_update', { id: theirs.id, title: 'Rooftop unit, white' }),
        agent,
      )
      const { customer_id: whose, line_items } = await agent.call('quotes_get', { id: theirs.id })
      const lines = (line_items as Record<string, unknown>[]).map(({ name, kind, quantity, unit_price_cents }) => ({
        name,
        kind,
        quantity,
        unit_price_cents,
      }))
      await agent.call(another, { customer_id: whose, title: 'Rooftop unit, white', line_items: lines })

      const kept = await office.rows(
        'select title, total_cents::int, u.name as owner from quotes q join users u on u.id = q.owner_id where tenant_id = $1 order by number',
      )
      assert.deepEqual(kept, [
        { title: 'Rooftop unit', total_cents: 1_800_000, owner: 'Test owner' },
        { title: 'Rooftop unit, white', total_cents: 1_800_000, owner: 'Mia Chen' },
      ])
    },
  },
]
