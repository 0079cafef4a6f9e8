import type { SourceFormat } from './source_format.ts'
import { ITEM_COLUMNS, PERSON_COLUMNS, ADDRESS_COLUMNS, mergeColumns, billingColumns } from './columns.ts'
import { documentFormat } from './document_columns.ts'

/** Phone columns of a customer. The first one in a file is used. */
const PHONE_COLUMNS = {
  customer_phone: [
    'customer mobile number',
    'mobile phone',
    'mobile number',
    'customer home number',
    'home phone',
    'phone',
  ],
}

/** Source formats of Housecall Pro. */
export const HOUSECALL_PRO: readonly SourceFormat[] = [
  {
    source: 'housecall_pro',
    kind: 'customers',
    marks: [
      ['mobile number', 'home number'],
      ['mobile phone', 'home phone', 'customer tags'],
      ['notifications enabled'],
    ],
    columns: mergeColumns(
      {
        source_id: ['customer id', 'id'],
        name: ['customer', 'display name', 'customer name'],
        mobile_phone: ['mobile number', 'mobile phone'],
        home_phone: ['home number', 'home phone'],
        work_phone: ['work number', 'work phone'],
        customer_type: ['customer type', 'type', 'homeowner or business'],
        contact_role: ['role', 'job title'],
        tags: ['customer tags', 'tags'],
        address_line1: ['street', 'address street', 'street line 1'],
        do_not_service: ['do not service'],
      },
      PERSON_COLUMNS,
      ADDRESS_COLUMNS,
      billingColumns('billing'),
    ),
  },
  {
    source: 'housecall_pro',
    kind: 'catalog_items',
    marks: [
      ['name', 'task code'],
      ['name', 'industry', 'price'],
      ['name', 'online booking enabled', 'price'],
    ],
    columns: mergeColumns(
      {
        source_id: ['uuid', 'id'],
        sku: ['task code', 'part number', 'sku'],
        duration_minutes: ['duration', 'duration minutes'],
        unit: ['unit of measure', 'unit'],
        manufacturer: ['manufacturer', 'brand'],
      },
      ITEM_COLUMNS,
    ),
  },
  documentFormat('housecall_pro', 'jobs', {
    marks: [
      ['hcp id'],
      ['invoice number', 'on job duration'],
      ['job status', 'job scheduled start date'],
      ['job', 'job status', 'assigned employees'],
      ['job', 'job status', 'job description'],
      ['job', 'job amount'],
    ],
    columns: {
      number: ['job', 'invoice number', 'job number', 'invoice'],
      source_id: ['hcp id', 'job id'],
      status: ['job status', 'work status', 'status'],
      title: ['job name', 'job description', 'description', 'job type'],
      description: ['job summary', 'details', 'job description', 'description'],
      instructions: ['notes', 'private notes', 'job notes'],
      start_date: ['job scheduled start date', 'scheduled start', 'date'],
      end_date: ['job scheduled end date', 'scheduled end', 'end time'],
      end_time: [],
      duration_minutes: ['on job duration'],
      completed_date: ['job completed date', 'finished', 'completed at'],
      assignees: ['assigned employees', 'employee', 'employees'],
      total: ['job amount', 'amount', 'total amount', 'total'],
      ...PHONE_COLUMNS,
    },
  }),
  documentFormat('housecall_pro', 'quotes', {
    marks: [
      ['estimate number', 'estimate status'],
      ['estimate status', 'option name'],
      ['estimate', 'open value'],
      ['estimate', 'won value'],
      ['estimate', 'estimate status', 'customer mobile number'],
    ],
    columns: {
      number: ['estimate', 'estimate number'],
      title: ['option name', 'estimate name', 'estimate description', 'description'],
      issue_date: ['estimate date', 'estimate scheduled start date'],
      ...PHONE_COLUMNS,
    },
  }),
  documentFormat('housecall_pro', 'invoices', {
    marks: [
      ['invoice amount', 'paid amount'],
      ['invoice number', 'invoice amount'],
      ['invoice', 'invoice amount'],
      ['invoice', 'invoice status', 'job'],
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
      paid_date: ['payment date', 'paid date'],
      job_number: ['job', 'job number'],
      internal_memo: ['payment notes', 'notes'],
      ...PHONE_COLUMNS,
    },
  }),
]
