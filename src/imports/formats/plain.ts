import type { SourceFormat } from './source_format.ts'
import {
  ITEM_COLUMNS,
  PERSON_COLUMNS,
  ADDRESS_COLUMNS,
  mergeColumns,
  prefixColumns,
  billingColumns,
} from './columns.ts'
import { DOCUMENT_MARKS, documentFormat } from './document_columns.ts'

/** Source formats of tables from no particular product. */
export const PLAIN: readonly SourceFormat[] = [
  {
    source: 'plain',
    kind: 'customers',
    marks: [],
    columns: mergeColumns(
      PERSON_COLUMNS,
      {
        source_id: ['id', 'customer id', 'client id', 'customer number'],
        external_id: ['external id'],
        name: ['name', 'full name', 'customer', 'client', 'display name', 'customer name', 'client name'],
        customer_type: ['customer type', 'type'],
        phone: ['phone', 'phone number', 'telephone', 'primary phone'],
        mobile_phone: ['mobile', 'mobile phone', 'cell', 'cell phone', 'mobile number'],
        home_phone: ['home phone'],
        work_phone: ['work phone', 'office phone'],
        status: ['status'],
        tax_exempt: ['tax exempt'],
        payment_terms: ['payment terms days', 'payment terms', 'terms', 'net days'],
        preferred_language: ['preferred language', 'language'],
        do_not_service: ['do not service'],
        contact_name: ['contact', 'contact name', 'contact person'],
        contact_email: ['contact email'],
        contact_phone: ['contact phone'],
        contact_role: ['contact role', 'contact title'],
        site_name: ['location', 'location name', 'site', 'site name', 'property'],
        access_notes: ['access notes', 'gate code'],
      },
      ADDRESS_COLUMNS,
      prefixColumns('service', ADDRESS_COLUMNS),
      billingColumns('billing'),
    ),
  },
  {
    source: 'plain',
    kind: 'catalog_items',
    marks: [],
    columns: mergeColumns(ITEM_COLUMNS, {
      name: ['item', 'service', 'product', 'service name', 'product name'],
      source_id: ['id', 'item id'],
      duration_minutes: ['duration', 'duration minutes', 'minutes'],
      duration_hours: ['hours'],
      manufacturer: ['manufacturer', 'brand'],
      model: ['model'],
      barcode: ['barcode', 'upc', 'ean'],
      supplier_name: ['supplier', 'vendor'],
      supplier_sku: ['supplier sku'],
    }),
  },
  documentFormat('plain', 'jobs', { marks: DOCUMENT_MARKS.jobs }),
  documentFormat('plain', 'quotes', { marks: DOCUMENT_MARKS.quotes }),
  documentFormat('plain', 'invoices', { marks: DOCUMENT_MARKS.invoices }),
]
