import type { Dialect } from './dialect.ts'
import { ITEM, PERSON, PLACE, merged, named, prefixed } from './columns.ts'
import { documents } from './document_columns.ts'

/** Lists the columns of Jobber. */
export const JOBBER: readonly Dialect[] = [
  {
    source: 'jobber',
    kind: 'customers',
    marks: [['j id'], ['main phone', 'service property name'], ['billing street 1'], ['service street 1']],
    columns: merged(
      {
        source_id: ['j id', 'client id'],
        name: ['display name', 'client name'],
        phone: ['main phone', 'main phone s', 'phone', 'phone number'],
        mobile_phone: ['mobile phone', 'mobile phone s', 'text message enabled phone'],
        home_phone: ['home phone', 'home phone s'],
        work_phone: ['work phone', 'work phone s'],
        email: ['e mails', 'email', 'main email'],
        status: ['status'],
        is_lead: ['lead'],
        is_archived: ['archived'],
        site_name: ['service property name', 'property name'],
      },
      PERSON,
      named('service', PLACE),
      named('property', PLACE),
      prefixed('billing', PLACE, 'billing_'),
    ),
  },
  {
    source: 'jobber',
    kind: 'catalog_items',
    marks: [
      ['name', 'default unit price'],
      ['name', 'unit price', 'bookable'],
      ['name', 'unit price', 'duration minutes'],
      ['name', 'unit price', 'quantity enabled'],
    ],
    columns: merged(
      {
        source_id: ['id', 'product id'],
        price: ['unit price', 'default unit price'],
        cost: ['unit cost', 'default unit cost', 'internal unit cost'],
        duration_minutes: ['duration minutes', 'duration'],
      },
      ITEM,
    ),
  },
  documents('jobber', 'jobs', {
    marks: [
      ['job', 'client name'],
      ['job', 'visit title'],
      ['job', 'times'],
      ['job', 'closed date', 'client email'],
    ],
    columns: {
      number: ['job'],
      title: ['visit title', 'title', 'job title'],
      visit_date: ['date'],
      start_date: ['scheduled start date', 'schedule start date', 'start date'],
      start_time: ['times', 'start time'],
      completed_date: ['visit completed date', 'visit completed', 'completed date', 'closed date'],
      total: ['total revenue', 'one off job', 'total'],
      subtotal: ['visit based', 'subtotal'],
      assignees: ['assigned to', 'visits assigned to'],
    },
  }),
  documents('jobber', 'quotes', {
    marks: [
      ['quote', 'client name', 'sent date'],
      ['quote', 'client name', 'status'],
      ['quote', 'drafted date'],
    ],
    columns: {
      number: ['quote'],
      issue_date: ['sent date'],
      created_date: ['drafted date', 'created date'],
      accepted_date: ['approved date', 'converted date'],
    },
  }),
  documents('jobber', 'invoices', {
    marks: [
      ['invoice', 'client name'],
      ['invoice', 'issued date'],
      ['invoice', 'marked paid date'],
    ],
    columns: {
      number: ['invoice'],
      subtotal: ['pre tax total', 'subtotal'],
      tax: ['tax amount', 'tax total'],
      tax_rate: ['tax', 'tax rate'],
      issue_date: ['issued date'],
      paid_date: ['marked paid date', 'date paid'],
      job_number: ['job s', 'job number s', 'job'],
    },
  }),
]
