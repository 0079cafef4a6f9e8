import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

/** The location is created with its customer. */
export const examples: Examples<'customer' | 'location' | 'rate'> = {
  given: {
    list: (of) => [{ customer_id: of.customer }],
    get: byId('location'),
    create: (of) => [{ customer_id: of.customer, address_line1: freshName(), tax_rate_id: of.rate, is_primary: true }],
    update: (of) => [{ id: of.location, customer_id: of.customer, tax_rate_id: of.rate, name: 'x' }],
    archive: byId('location'),
  },
}
