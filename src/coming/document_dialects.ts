import type { Dialect, ImportSource } from './dialect.ts'
import { DOCUMENT_COLUMNS, DOCUMENT_MARKS } from './document_columns.ts'
import type { ImportedDocumentKind } from './kinds.ts'

type Columns = Readonly<Record<string, readonly string[]>>

/** Makes the dialect of a product's jobs, quotes or invoices: its own names of columns before those of any table. */
function documents(
  source: ImportSource,
  kind: ImportedDocumentKind,
  { marks, columns = {} }: { marks: Dialect['marks']; columns?: Columns },
): Dialect {
  const own = new Set(Object.values(columns).flat())
  const all = Object.fromEntries(
    Object.entries(DOCUMENT_COLUMNS[kind]).map(([field, names]) => [
      field,
      [...(columns[field] ?? []), ...names.filter((name) => !own.has(name))],
    ]),
  )
  return { source, kind, marks, columns: all }
}

/** Lists what is known of the columns of jobs, quotes and invoices; docs/spec/coming.md says where each is described. */
export const DOCUMENT_DIALECTS: readonly Dialect[] = [
  documents('jobber', 'jobs', {
    marks: [
      ['job', 'client name'],
      ['job', 'visit title'],
      ['job', 'closed date', 'client email'],
    ],
    columns: {
      number: ['job'],
      title: ['visit title', 'title', 'job title'],
      completed_date: ['visit completed date', 'completed date', 'closed date'],
      total: ['total revenue', 'one off job', 'visit based', 'total'],
      assignees: ['assigned to', 'visits assigned to'],
    },
  }),
  documents('jobber', 'quotes', {
    marks: [
      ['quote', 'client name'],
      ['quote', 'drafted date'],
    ],
    columns: {
      number: ['quote'],
      issue_date: ['sent date', 'drafted date'],
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
      issue_date: ['issued date', 'created date'],
      paid_date: ['marked paid date', 'date paid'],
      job_number: ['job s', 'job number s', 'job'],
    },
  }),
  documents('housecall_pro', 'jobs', {
    marks: [['hcp id'], ['invoice number', 'on job duration'], ['job status', 'job scheduled start date']],
    columns: {
      number: ['invoice number', 'job', 'job number', 'invoice'],
      source_id: ['hcp id', 'job id'],
      status: ['job status', 'work status', 'status'],
      title: ['job description', 'description', 'job name'],
      instructions: ['notes', 'private notes', 'job notes'],
      start_date: ['date', 'job scheduled start date', 'scheduled start'],
      end_date: ['end time', 'job scheduled end date', 'scheduled end'],
      end_time: [],
      duration_minutes: ['on job duration'],
      completed_date: ['finished', 'job completed date', 'completed at'],
      assignees: ['employee', 'employees', 'assigned employees'],
      total: ['amount', 'job amount', 'total amount', 'total'],
      customer_phone: ['mobile phone', 'home phone', 'mobile number'],
    },
  }),
  documents('housecall_pro', 'quotes', {
    marks: [
      ['estimate number', 'estimate status'],
      ['estimate status', 'option name'],
    ],
    columns: {
      number: ['estimate', 'estimate number'],
      title: ['option name', 'estimate name', 'estimate description'],
      issue_date: ['estimate date', 'created date', 'estimate scheduled start date'],
    },
  }),
  documents('housecall_pro', 'invoices', {
    marks: [
      ['invoice amount', 'paid amount'],
      ['invoice number', 'invoice amount'],
      ['invoice', 'due amount'],
    ],
    columns: {
      number: ['invoice number', 'invoice'],
      issue_date: ['invoice created date', 'invoice date', 'service date', 'sent date'],
      due_date: ['invoice due date', 'due date'],
      status: ['invoice status', 'status'],
      amount_paid: ['paid amount'],
      balance: ['due amount', 'amount due', 'balance'],
      total: ['invoice amount', 'total amount', 'amount', 'total'],
      job_number: ['job', 'job number'],
    },
  }),
  documents('servicetitan', 'jobs', {
    marks: [
      ['job number', 'business unit'],
      ['job', 'job type', 'business unit'],
      ['job', 'job campaign'],
      ['job', 'location name'],
    ],
    columns: {
      number: ['job', 'job number'],
      title: ['job type', 'title'],
      description: ['summary', 'job summary'],
      start_date: ['scheduled date', 'scheduled time', 'appointment start'],
      completed_date: ['completion date', 'completed on', 'completed date'],
      assignees: ['assigned technicians', 'primary technician', 'technician'],
      total: ['jobs total', 'job total', 'total'],
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
      ['estimate', 'sold on'],
    ],
    columns: {
      number: ['estimate', 'estimate id', 'estimate number'],
      title: ['estimate name', 'name'],
      status: ['estimate status', 'status'],
      issue_date: ['created on', 'creation date', 'estimate date'],
      accepted_date: ['sold on', 'sold date'],
      subtotal: ['subtotal', 'estimate subtotal', 'estimates subtotal'],
    },
  }),
  documents('servicetitan', 'invoices', {
    marks: [
      ['invoice', 'business unit'],
      ['invoice number', 'business unit'],
      ['invoice', 'location name'],
    ],
    columns: {
      number: ['invoice', 'invoice number'],
      balance: ['invoice balance', 'balance'],
      job_number: ['job', 'job number'],
    },
  }),
  documents('quickbooks', 'jobs', { marks: [] }),
  documents('quickbooks', 'quotes', {
    marks: [
      ['estimateno'],
      ['num', 'estimate status'],
      ['estimate no', 'accepted by'],
      ['estimate no', 'item product service'],
    ],
    columns: {
      number: ['estimateno', 'estimate no', 'num'],
      customer_name: ['customer', 'name', 'customer full name'],
      issue_date: ['estimatedate', 'estimate date', 'date'],
      valid_until: ['expirationdate', 'expiration date'],
      status: ['estimatestatus', 'estimate status', 'status'],
      accepted_date: ['accepted date'],
      title: ['title'],
      line_name: ['item product service', 'product service'],
      line_description: ['itemdescription', 'item description', 'description'],
      line_quantity: ['itemquantity', 'item quantity', 'qty', 'quantity'],
      line_price: ['itemrate', 'item rate', 'rate', 'sales price'],
      line_total: ['itemamount', 'item amount'],
      total: ['amount', 'total'],
      message: ['message displayed on estimate', 'message', 'memo', 'memo description'],
    },
  }),
  documents('quickbooks', 'invoices', {
    marks: [
      ['invoiceno'],
      ['num', 'open balance'],
      ['num', 'transaction type'],
      ['item product service', 'item amount'],
    ],
    columns: {
      number: ['invoiceno', 'invoice no', 'num'],
      customer_name: ['customer', 'name', 'customer full name'],
      issue_date: ['invoicedate', 'invoice date', 'date', 'transaction date'],
      due_date: ['duedate', 'due date'],
      balance: ['open balance', 'balance'],
      line_name: ['item product service', 'product service'],
      line_description: ['itemdescription', 'item description'],
      line_quantity: ['itemquantity', 'item quantity', 'qty', 'quantity'],
      line_price: ['itemrate', 'item rate', 'rate', 'sales price'],
      line_total: ['itemamount', 'item amount'],
      total: ['amount', 'total'],
      tax: ['taxamount', 'tax amount', 'tax'],
      message: ['memo', 'message', 'memo description', 'statement memo'],
    },
  }),
  documents('plain', 'jobs', { marks: DOCUMENT_MARKS.jobs }),
  documents('plain', 'quotes', { marks: DOCUMENT_MARKS.quotes }),
  documents('plain', 'invoices', { marks: DOCUMENT_MARKS.invoices }),
]
