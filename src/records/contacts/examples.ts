import { byId, freshName, type Examples } from '../../tools/declare/examples.ts'

/** The contact is created with its customer. */
export const examples: Examples<'customer' | 'contact'> = {
  given: {
    list: (of) => [{ customer_id: of.customer }],
    get: byId('contact'),
    create: (of) => [{ customer_id: of.customer, first_name: freshName(), is_primary: true }],
    update: (of) => [{ id: of.contact, customer_id: of.customer, role_label: 'x' }],
    archive: byId('contact'),
  },
  needs: ['first_name'],
}
