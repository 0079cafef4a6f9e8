import { exampleDocument } from '../line_items/examples.ts'
import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'user' | 'customer' | 'contact' | 'location' | 'item' | 'rate' | 'quote'> = {
  make: async ({ call, idsOf, word }) => {
    const [{ customer, contact, location }, { item }, { rate }] = [
      await idsOf('customers'),
      await idsOf('catalog_items'),
      await idsOf('tax_rates'),
    ]
    const { id } = await call('quotes_create', {
      customer_id: customer,
      title: `${word} quote`,
      location_id: location,
      contact_id: contact,
      line_items: [{ catalog_item_id: item, name: `${word} line` }],
      tax_rate_id: rate,
    })
    return { quote: id }
  },
  given: {
    list: (of) => [{ customer_id: of.customer, owner_id: of.user }, {}],
    get: byId('quote'),
    create: (of) => [{ customer_id: of.customer, title: freshName(), ...exampleDocument(of) }],
    update: (of) => [{ id: of.quote, customer_id: of.customer, message: 'x', ...exampleDocument(of) }],
    archive: byId('quote'),
  },
}
