import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'customer' | 'tag' | 'rate'> = {
  make: async ({ call, idsOf, word }) => {
    const [{ rate }, { tag }] = [await idsOf('tax_rates'), await idsOf('tags')]
    const { id, contacts, locations } = await call('customers_create', {
      customer_type: 'individual',
      first_name: word,
      last_name: 'Customer',
      email: `${word.toLowerCase()}@example.com`,
      phone: '512-555-0143',
      tag_ids: [tag],
      lead_source: word,
      fields: { note: word },
      locations: [{ address_line1: `${word} Street`, access_notes: word, tax_rate_id: rate }],
    })
    const [[contact], [location]] = [contacts, locations] as [{ id: string }[], { id: string }[]]
    return { customer: id, contact: contact!.id, location: location!.id }
  },
  given: {
    search: (of) => [{ tag: of.tag }, {}],
    get: byId('customer'),
    create: (of) => [
      {
        customer_type: 'individual',
        first_name: freshName(),
        tag_ids: [of.tag],
        locations: [{ address_line1: '1 Main', tax_rate_id: of.rate }],
      },
    ],
    update: (of) => [{ id: of.customer, lead_source: 'x' }],
    archive: byId('customer'),
  },
  needs: ['first_name'],
}
