import { exampleWork } from '../line_items/examples.ts'
import { byId, dayAhead, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<
  'user' | 'customer' | 'contact' | 'location' | 'item' | 'rate' | 'quote' | 'series' | 'job'
> = {
  make: async ({ call, idsOf, word, user }) => {
    const [{ customer }, { item }, { quote }] = [
      await idsOf('customers'),
      await idsOf('catalog_items'),
      await idsOf('quotes'),
    ]
    const { id } = await call('jobs_create', {
      customer_id: customer,
      title: `${word} job`,
      quote_id: quote,
      line_items: [{ catalog_item_id: item, name: `${word} line` }],
      assignees: [user],
      scheduled_start: `${dayAhead(1)}T09:00`,
    })
    return { job: id }
  },
  given: {
    list: (of) => [
      { customer_id: of.customer, location_id: of.location, assignee: of.user },
      { seriesId: of.series },
      { series_id: of.series },
      {},
    ],
    get: byId('job'),
    create: (of) => [{ customer_id: of.customer, title: freshName(), quote_id: of.quote, ...exampleWork(of) }],
    update: (of) => [
      { id: of.job, customer_id: of.customer, quote_id: of.quote, description: 'x', ...exampleWork(of) },
    ],
    cancel: byId('job'),
  },
}
