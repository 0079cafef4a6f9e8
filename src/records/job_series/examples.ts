import { exampleWork } from '../line_items/examples.ts'
import { byId, dayAhead, freshName, type Examples } from '../../tools/declare/examples.ts'

export const examples: Examples<'user' | 'customer' | 'contact' | 'location' | 'item' | 'rate' | 'series'> = {
  make: async ({ call, idsOf, word, user }) => {
    const [{ customer }, { item }] = [await idsOf('customers'), await idsOf('catalog_items')]
    const { id } = await call('job_series_create', {
      customer_id: customer,
      title: `${word} series`,
      rrule: 'FREQ=MONTHLY',
      dtstart: `${dayAhead(1)}T09:00`,
      line_items: [{ catalog_item_id: item, name: `${word} line` }],
      assignees: [user],
    })
    return { series: id }
  },
  given: {
    list: (of) => [{ customer_id: of.customer }, {}],
    get: byId('series'),
    create: (of) => [
      {
        customer_id: of.customer,
        title: freshName(),
        rrule: 'FREQ=MONTHLY;COUNT=2',
        dtstart: `${dayAhead(3)}T09:00`,
        ...exampleWork(of),
      },
    ],
    update: (of) => [{ id: of.series, customer_id: of.customer, description: 'x', ...exampleWork(of) }],
    end: byId('series'),
  },
}
