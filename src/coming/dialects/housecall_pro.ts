import type { Dialect } from '../dialect.ts'
import { ITEM, PERSON, PLACE, merged, prefixed } from './columns.ts'
import { documents } from './document_columns.ts'

/** Lists the columns of Housecall Pro. */
export const HOUSECALL_PRO: readonly Dialect[] = [
  {
    source: 'housecall_pro',
    kind: 'customers',
    marks: [
      ['mobile number', 'home number'],
      ['mobile phone', 'home phone', 'customer tags'],
      ['notifications enabled'],
    ],
    columns: merged(
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
      PERSON,
      PLACE,
      prefixed('billing', PLACE, 'billing_'),
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
    columns: merged(
      {
        source_id: ['uuid', 'id'],
        sku: ['task code', 'part number', 'sku'],
        duration_minutes: ['duration', 'duration minutes'],
        unit: ['unit of measure', 'unit'],
        manufacturer: ['manufacturer', 'brand'],
      },
      ITEM,
    ),
  },
  documents('housecall_pro', 'jobs', {
    marks: [
      ['job status', 'job scheduled start date'],
      ['job', 'job scheduled start date'],
      ['hcp id', 'job status'],
    ],
    columns: {
      number: ['job', 'hcp id', 'job number', 'invoice'],
      status: ['job status', 'status'],
      title: ['job description', 'description', 'job name'],
      description: ['job notes', 'notes'],
      instructions: ['private notes'],
      start_date: ['job scheduled start date', 'scheduled start', 'scheduled date'],
      end_date: ['job scheduled end date', 'scheduled end'],
      completed_date: ['job completed date', 'completed date', 'finished'],
      assignees: ['assigned employees', 'employee', 'employees', 'technician'],
      total: ['job amount', 'total amount', 'total'],
    },
  }),
  documents('housecall_pro', 'quotes', {
    marks: [
      ['estimate status', 'estimate'],
      ['estimate number', 'estimate status'],
      ['estimate', 'option name'],
    ],
    columns: {
      number: ['estimate', 'estimate number'],
      title: ['option name', 'estimate name', 'estimate description'],
      issue_date: ['estimate date', 'created date', 'estimate scheduled start date'],
    },
  }),
  documents('housecall_pro', 'invoices', {
    marks: [
      ['invoice', 'invoice status', 'job'],
      ['invoice number', 'service date', 'amount due'],
      ['invoice', 'due amount'],
    ],
    columns: {
      number: ['invoice', 'invoice number'],
      issue_date: ['invoice date', 'service date', 'sent date'],
      balance: ['due amount', 'amount due', 'balance'],
      total: ['invoice amount', 'total amount', 'amount', 'total'],
      job_number: ['job', 'job number'],
    },
  }),
]
