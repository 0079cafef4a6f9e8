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

/** Source formats of ServiceTitan. */
export const SERVICETITAN: readonly SourceFormat[] = [
  {
    source: 'servicetitan',
    kind: 'customers',
    marks: [
      ['customer name', 'location name'],
      ['customer id', 'location id'],
      ['customer type', 'bill to street'],
    ],
    columns: mergeColumns(
      {
        source_id: ['customer id', 'customer number'],
        name: ['customer name', 'name'],
        customer_type: ['customer type', 'type', 'residential commercial'],
        phone: ['phone', 'phone number', 'customer phone'],
        mobile_phone: ['mobile phone', 'mobile', 'cell phone'],
        email: ['customer email', 'email', 'email address'],
        site_name: ['location name'],
        status: ['active', 'status', 'customer status'],
        do_not_service: ['do not service'],
        tags: ['customer tags', 'tags'],
        contact_name: ['location contact', 'contact name'],
        contact_phone: ['location phone', 'contact phone'],
        contact_email: ['location email', 'contact email'],
      },
      PERSON_COLUMNS,
      prefixColumns('location', ADDRESS_COLUMNS),
      prefixColumns('service', ADDRESS_COLUMNS),
      ADDRESS_COLUMNS,
      billingColumns('bill to'),
      billingColumns('billing'),
    ),
  },
  {
    source: 'servicetitan',
    kind: 'catalog_items',
    marks: [
      ['code', 'member price'],
      ['code', 'hours', 'price'],
      ['code', 'category name', 'price'],
      ['code', 'cost', 'primary vendor'],
      ['code', 'price', 'add on price'],
    ],
    columns: mergeColumns(
      {
        source_id: ['id'],
        sku: ['code', 'item code'],
        name: ['name', 'item name', 'display name'],
        price: ['price', 'static price'],
        duration_hours: ['hours', 'sold hours'],
        supplier_name: ['primary vendor', 'vendor name'],
        supplier_sku: ['vendor part number', 'primary vendor part number'],
        manufacturer: ['manufacturer', 'brand'],
        model: ['model', 'model number'],
      },
      ITEM_COLUMNS,
    ),
  },
  documentFormat('servicetitan', 'jobs', {
    marks: [
      ['job number', 'business unit'],
      ['job', 'job type', 'business unit'],
      ['job', 'jobs total revenue'],
      ['job', 'job campaign'],
      ['job', 'location name'],
    ],
    columns: {
      number: ['job', 'job number'],
      title: ['job type', 'title'],
      description: ['summary', 'job summary'],
      start_date: ['scheduled date', 'scheduled time', 'appointment start', 'first appointment start'],
      completed_date: ['completion date', 'completed on', 'completed date'],
      assignees: ['assigned technicians', 'primary technician', 'technician'],
      total: ['jobs total revenue', 'jobs total', 'job total', 'total'],
      customer_phone: ['customer phone', 'location phone', 'phone'],
      address_line1: ['location street', 'location address', 'street', 'address'],
      city: ['location city', 'city'],
      region: ['location state', 'state'],
      postal_code: ['location zip', 'zip'],
    },
  }),
  documentFormat('servicetitan', 'quotes', {
    marks: [
      ['estimate', 'estimate name'],
      ['estimate id', 'estimate name'],
      ['estimate id', 'estimate status'],
      ['estimate', 'sold on'],
      ['opportunity number', 'estimate status'],
    ],
    columns: {
      number: ['estimate', 'estimate id', 'estimate number'],
      title: ['estimate name', 'estimate summary', 'name'],
      status: ['estimate status', 'status'],
      issue_date: ['created on', 'creation date', 'estimate date'],
      accepted_date: ['sold on', 'sold date'],
      subtotal: ['subtotal', 'estimate subtotal', 'estimates subtotal'],
      customer_phone: ['customer phone', 'location phone', 'phone'],
    },
  }),
  documentFormat('servicetitan', 'invoices', {
    marks: [
      ['invoice', 'business unit'],
      ['invoice number', 'business unit'],
      ['invoice', 'location name'],
      ['invoice number', 'item code'],
    ],
    columns: {
      number: ['invoice', 'invoice number'],
      balance: ['invoice balance', 'balance'],
      job_number: ['job', 'job number'],
    },
  }),
]
