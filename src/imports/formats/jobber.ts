import type { SourceFormat } from './source_format.ts'
import {
  ITEM_COLUMNS,
  PERSON_COLUMNS,
  ADDRESS_COLUMNS,
  mergeColumns,
  prefixColumns,
  billingColumns,
} from './columns.ts'
import { documentFormat } from './document_columns.ts'

/** Source formats of Jobber. */
export const JOBBER: readonly SourceFormat[] = [
  {
    source: 'jobber',
    kind: 'customers',
    marks: [['j id'], ['main phone', 'service property name'], ['billing street 1'], ['service street 1']],
    columns: mergeColumns(
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
      PERSON_COLUMNS,
      prefixColumns('service', ADDRESS_COLUMNS),
      prefixColumns('property', ADDRESS_COLUMNS),
      billingColumns('billing'),
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
    columns: mergeColumns(
      {
        source_id: ['id', 'product id'],
        price: ['unit price', 'default unit price'],
        cost: ['unit cost', 'default unit cost', 'internal unit cost'],
        duration_minutes: ['duration minutes', 'duration'],
      },
      ITEM_COLUMNS,
    ),
  },
  documentFormat('jobber', 'jobs', {
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
  documentFormat('jobber', 'quotes', {
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
  documentFormat('jobber', 'invoices', {
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
