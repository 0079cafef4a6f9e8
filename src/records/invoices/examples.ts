import { exampleDocument } from '../line_items/examples.ts'
import { byId, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'customer' | 'contact' | 'location' | 'item' | 'rate' | 'quote' | 'job' | 'invoice'> = {
  make: async ({ call, idsOf, word }) => {
    const [{ customer }, { item }, { quote }, { job }] = [
      await idsOf('customers'),
      await idsOf('catalog_items'),
      await idsOf('quotes'),
      await idsOf('jobs'),
    ]
    const { id } = await call('invoices_create', {
      customer_id: customer,
      subject: `${word} invoice`,
      line_items: [{ catalog_item_id: item, name: `${word} line` }],
      job_ids: [job],
      quote_id: quote,
    })
    return { invoice: id }
  },
  given: {
    list: (of) => [{ customer_id: of.customer, job_id: of.job }, {}],
    get: byId('invoice'),
    create: (of) => [
      { customer_id: of.customer, job_ids: [of.job], quote_id: of.quote, ...exampleDocument(of) },
      { customer_id: of.customer, from_job_id: of.job },
      { customer_id: of.customer, from_quote_id: of.quote },
    ],
    update: (of) => [
      {
        id: of.invoice,
        customer_id: of.customer,
        quote_id: of.quote,
        job_ids: [of.job],
        subject: 'x',
        ...exampleDocument(of),
      },
    ],
    void: byId('invoice'),
  },
}
