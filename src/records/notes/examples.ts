import { byId, type Examples } from '../../tools/declare/examples.ts'
import type { SubjectType } from './fields.ts'

type Kind = 'user' | 'customer' | 'contact' | 'location' | 'job' | 'series' | 'invoice' | 'quote' | 'plan' | 'item'

/** Kinds of example records, by the subject type of a note. */
const EXAMPLE_KINDS: Readonly<Record<SubjectType, Kind>> = {
  customer: 'customer',
  contact: 'contact',
  location: 'location',
  job: 'job',
  invoice: 'invoice',
  quote: 'quote',
  plan: 'plan',
  job_series: 'series',
  catalog_item: 'item',
}

export const examples: Examples<Kind | 'note'> = {
  make: async ({ call, idsOf, word }) => {
    const { customer } = await idsOf('customers')
    return {
      note: (await call('notes_create', { body: `${word} note`, subject_type: 'customer', subject_id: customer })).id,
    }
  },
  given: {
    list: (of) => [{ subject_type: 'customer', subject_id: of.customer, author_id: of.user }, {}],
    get: byId('note'),
    create: (of) =>
      Object.entries(EXAMPLE_KINDS).map(([subject_type, kind]) => ({ body: 'x', subject_type, subject_id: of[kind] })),
    update: (of) => [{ id: of.note, body: 'x', subject_type: 'customer', subject_id: of.customer }],
    archive: byId('note'),
  },
}
