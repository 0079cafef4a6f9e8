import type { SourceFormat, ImportSource } from './source_format.ts'
import type { ImportedDocumentKind } from '../rows/kinds.ts'

type Columns = Readonly<Record<string, readonly string[]>>

/** Returns the source format of a product's jobs, quotes or invoices. Its own column names come before common ones. */
export function documentFormat(
  source: ImportSource,
  kind: ImportedDocumentKind,
  { marks, columns = {} }: { marks: SourceFormat['marks']; columns?: Columns },
): SourceFormat {
  const own = new Set(Object.values(columns).flat())
  const all = Object.fromEntries(
    Object.entries(DOCUMENT_COLUMNS[kind]).map(([field, names]) => [
      field,
      [...(columns[field] ?? []), ...names.filter((name) => !own.has(name))],
    ]),
  )
  return { source, kind, marks, columns: all }
}

const NUMBER = ['number', 'no', 'id']

/** Common column names of a document's customer. */
const CUSTOMER_COLUMNS = {
  customer_name: ['customer name', 'customer', 'client name', 'client', 'bill to', 'customer full name', 'account'],
  customer_email: [
    'customer email',
    'client email',
    'email',
    'email address',
    'e mail',
    'bill email',
    'customer email address',
    'client email address',
  ],
  customer_phone: [
    'customer phone',
    'client phone',
    'phone',
    'phone number',
    'mobile number',
    'mobile phone',
    'customer phone number',
    'client phone number',
  ],
  customer_id: ['customer id', 'client id', 'customer number', 'account number'],
}

/** Common column names of a line item. */
const LINE_COLUMNS = {
  line_name: [
    'line item',
    'item',
    'item name',
    'product service',
    'product service name',
    'line item name',
    'line name',
    'service',
  ],
  line_description: ['line item description', 'item description', 'line description', 'item details'],
  line_quantity: ['quantity', 'qty', 'item quantity', 'line item quantity', 'hours'],
  line_unit: ['unit', 'unit of measure', 'uom'],
  line_price: ['unit price', 'price', 'rate', 'item rate', 'sales price', 'line item price', 'item price'],
  line_total: ['line total', 'line amount', 'item amount', 'line item total', 'extended price', 'item total'],
  line_taxable: ['taxable', 'item taxable', 'line taxable', 'item tax code', 'itemtaxcode'],
  line_kind: ['item type', 'line type', 'line item type'],
  line_items: ['line items', 'items', 'services'],
}

/** Common column names of a document's amounts. */
const AMOUNT_COLUMNS = {
  currency: ['currency', 'currency code'],
  subtotal: ['subtotal', 'sub total', 'pre tax total', 'total before tax'],
  discount: ['discount', 'discount amount', 'total discount'],
  tax: ['tax', 'tax amount', 'sales tax', 'total tax'],
  tax_rate: ['tax rate', 'tax percent', 'tax percentage', 'sales tax rate'],
  total: [
    'total',
    'amount',
    'grand total',
    'total amount',
    'invoice total',
    'quote total',
    'estimate total',
    'job total',
    'total price',
  ],
}

/** Common column names of the location of a visit. */
const SITE_COLUMNS = {
  site_name: ['property name', 'service property name', 'location name', 'site name', 'service location'],
  address_line1: [
    'address line1',
    'address line 1',
    'street address',
    'street',
    'address',
    'service street',
    'service address',
    'address1',
  ],
  address_line2: [
    'address line2',
    'address line 2',
    'unit number',
    'apt',
    'address2',
    'service street 2',
    'street 2',
    'street line 2',
  ],
  city: ['city', 'town', 'service city'],
  region: [
    'region',
    'state',
    'province',
    'state province',
    'service state',
    'service province',
    'service state province',
  ],
  postal_code: [
    'postal code',
    'zip',
    'zip code',
    'postcode',
    'zipcode',
    'service zip',
    'service zip code',
    'service postal code',
    'service zip postal code',
  ],
  country: ['country', 'service country'],
}

const CREATED = ['created date', 'created on', 'date created', 'creation date', 'created at']

const INVOICE = {
  source_id: ['invoice id'],
  subject: ['subject', 'title', 'invoice title', 'job title', 'summary'],
  status: ['status', 'invoice status', 'payment status'],
  issue_date: ['invoice date', 'issue date', 'issued date', 'issued on', 'date issued', 'date', 'sent date'],
  created_date: CREATED,
  due_date: ['due date', 'due on', 'payment due', 'due'],
  balance: ['balance', 'balance due', 'amount due', 'open balance', 'amount owed', 'outstanding'],
  amount_paid: ['amount paid', 'paid', 'paid amount', 'payments', 'total paid', 'amount received'],
  paid_date: ['paid date', 'date paid', 'paid on', 'marked paid date', 'payment date', 'last payment date'],
  paid_method: ['payment method', 'paid by', 'payment type'],
  paid_reference: ['payment reference', 'check number', 'reference number', 'ref no'],
  job_number: ['job number', 'job no', 'job id', 'job'],
  po_number: ['po number', 'purchase order', 'po', 'purchase order number', 'p o number'],
  message: ['message', 'client message', 'customer message', 'memo', 'customer memo'],
  internal_memo: ['notes', 'internal notes', 'private notes', 'note'],
}

const QUOTE = {
  source_id: ['quote id', 'estimate id'],
  title: ['title', 'quote title', 'estimate name', 'estimate title', 'name', 'subject', 'summary', 'job title'],
  status: ['status', 'quote status', 'estimate status', 'outcome'],
  issue_date: ['quote date', 'estimate date', 'issue date', 'date', 'sent date'],
  created_date: [...CREATED, 'drafted date'],
  valid_until: ['valid until', 'expiration date', 'expires on', 'expiry date', 'expires', 'expiration'],
  accepted_date: [
    'approved date',
    'accepted date',
    'accepted on',
    'approved on',
    'date approved',
    'sold on',
    'sold date',
    'declined date',
  ],
  decline_reason: ['decline reason', 'lost reason', 'reason'],
  message: ['message', 'client message', 'customer message', 'memo', 'description'],
  terms: ['terms', 'contract', 'disclaimer', 'terms and conditions'],
}

const JOB = {
  source_id: ['job id', 'visit id'],
  title: ['title', 'job title', 'visit title', 'job name', 'subject', 'summary', 'job type', 'job'],
  description: ['description', 'job description', 'job summary', 'details'],
  instructions: ['instructions', 'notes', 'private notes', 'job notes', 'dispatch notes', 'internal notes'],
  status: ['status', 'job status', 'visit status', 'work status'],
  priority: ['priority', 'job priority'],
  visit_date: ['visit date', 'visit day'],
  start_date: [
    'scheduled start',
    'scheduled start date',
    'start date',
    'scheduled date',
    'job date',
    'date',
    'scheduled',
    'appointment date',
    'schedule start date',
  ],
  start_time: ['start time', 'scheduled start time', 'arrival time', 'schedule start time', 'time', 'times'],
  end_date: ['scheduled end', 'end date', 'scheduled end date', 'schedule end date'],
  end_time: ['end time', 'scheduled end time', 'schedule end time', 'finish time'],
  duration_minutes: ['duration minutes', 'minutes', 'duration'],
  duration_hours: ['duration hours', 'scheduled hours', 'estimated hours', 'scheduled duration', 'schedule duration'],
  completed_date: [
    'completed date',
    'completion date',
    'completed on',
    'date completed',
    'closed date',
    'finished',
    'completed at',
    'completed',
    'visit completed date',
    'visit completed',
  ],
  assignees: [
    'assigned to',
    'assigned employees',
    'assigned technicians',
    'technician',
    'technicians',
    'team',
    'visits assigned to',
    'employee',
    'employees',
    'assigned tech',
  ],
}

/** Common column names by kind of document. */
const DOCUMENT_COLUMNS = {
  jobs: {
    number: ['job number', 'job no', ...NUMBER],
    ...JOB,
    ...CUSTOMER_COLUMNS,
    ...SITE_COLUMNS,
    ...LINE_COLUMNS,
    currency: AMOUNT_COLUMNS.currency,
    subtotal: AMOUNT_COLUMNS.subtotal,
    total: AMOUNT_COLUMNS.total,
  },
  quotes: {
    number: ['quote number', 'estimate number', 'quote no', 'estimate no', ...NUMBER],
    ...QUOTE,
    ...CUSTOMER_COLUMNS,
    ...LINE_COLUMNS,
    ...AMOUNT_COLUMNS,
  },
  invoices: {
    number: ['invoice number', 'invoice no', 'invoice', ...NUMBER],
    ...INVOICE,
    ...CUSTOMER_COLUMNS,
    ...LINE_COLUMNS,
    ...AMOUNT_COLUMNS,
  },
}

/** Columns that identify a plain table as one of jobs, quotes or invoices. */
export const DOCUMENT_MARKS = {
  jobs: [
    ['job number'],
    ['job no'],
    ['job title'],
    ['job status'],
    ['visit date'],
    ['scheduled start'],
    ['scheduled date'],
  ],
  quotes: [
    ['quote number'],
    ['quote no'],
    ['quote date'],
    ['estimate number'],
    ['estimate no'],
    ['estimate date'],
    ['valid until'],
  ],
  invoices: [['invoice number'], ['invoice no'], ['invoice date'], ['due date', 'total'], ['due date', 'amount']],
}
