import type { Dialect } from './dialect.ts'
import { ITEM, PERSON, PLACE, merged, named, prefixed } from './columns.ts'
import { documents } from './document_columns.ts'

/** Lists the columns of ServiceTitan. */
export const SERVICETITAN: readonly Dialect[] = [
  {
    source: 'servicetitan',
    kind: 'customers',
    marks: [
      ['customer name', 'location name'],
      ['customer id', 'location id'],
      ['customer type', 'bill to street'],
    ],
    columns: merged(
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
      PERSON,
      named('location', PLACE),
      named('service', PLACE),
      PLACE,
      prefixed('bill to', PLACE, 'billing_'),
      prefixed('billing', PLACE, 'billing_'),
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
    columns: merged(
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
      ITEM,
    ),
  },
  documents('servicetitan', 'jobs', {
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
  documents('servicetitan', 'quotes', {
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
  documents('servicetitan', 'invoices', {
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
