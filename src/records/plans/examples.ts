import { exampleLines } from '../line_items/examples.ts'
import { byId, dayAhead, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'customer' | 'location' | 'item' | 'rate' | 'plan'> = {
  make: async ({ call, idsOf, word }) => {
    const [{ customer }, { item }] = [await idsOf('customers'), await idsOf('catalog_items')]
    const { id } = await call('plans_create', {
      customer_id: customer,
      name: `${word} plan`,
      cadence: 'monthly',
      line_items: [{ catalog_item_id: item, name: `${word} line` }],
      start_date: dayAhead(2),
    })
    return { plan: id }
  },
  given: {
    list: (of) => [{ customer_id: of.customer }, {}],
    get: byId('plan'),
    create: (of) => [
      {
        customer_id: of.customer,
        name: freshName(),
        cadence: 'annual',
        location_id: of.location,
        tax_rate_id: of.rate,
        line_items: exampleLines(of),
      },
    ],
    update: (of) => [
      {
        id: of.plan,
        customer_id: of.customer,
        location_id: of.location,
        tax_rate_id: of.rate,
        line_items: exampleLines(of),
        description: 'x',
      },
    ],
    cancel: byId('plan'),
  },
}
