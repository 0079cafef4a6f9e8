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

/** Source formats of QuickBooks Online. */
export const QUICKBOOKS: readonly SourceFormat[] = [
  {
    source: 'quickbooks',
    kind: 'customers',
    marks: [
      ['name', 'company', 'opening balance'],
      ['full name', 'company', 'opening balance'],
      ['name', 'resale number'],
      ['name', 'company', 'phone', 'mobile', 'fax'],
      ['full name', 'company', 'mobile', 'fax'],
    ],
    columns: mergeColumns(
      {
        name: ['name', 'full name', 'customer full name', 'customer'],
        company_name: ['company', 'company name'],
        phone: ['phone', 'phone numbers'],
        mobile_phone: ['mobile'],
        payment_terms: ['terms'],
        site_name: ['ship name'],
        taxable: ['taxable'],
        source_id: ['customer id', 'id', 'account number'],
      },
      PERSON_COLUMNS,
      ADDRESS_COLUMNS,
      prefixColumns('shipping', ADDRESS_COLUMNS),
      billingColumns('billing'),
    ),
  },
  {
    source: 'quickbooks',
    kind: 'customers',
    marks: [
      ['customer full name', 'phone numbers'],
      ['customer full name', 'bill address'],
      ['customer', 'phone numbers', 'full name'],
    ],
    columns: mergeColumns(
      {
        name: ['customer full name', 'customer'],
        contact_name: ['full name'],
        phone: ['phone numbers'],
        address_line1: ['ship address', 'shipping address'],
        billing_line1: ['bill address', 'billing address'],
        payment_terms: ['terms'],
      },
      PERSON_COLUMNS,
    ),
  },
  {
    source: 'quickbooks',
    kind: 'catalog_items',
    marks: [
      ['sales price rate'],
      ['product service name'],
      ['product service'],
      ['sales description', 'income account'],
      ['name', 'income account'],
    ],
    columns: mergeColumns(
      {
        name: ['product service name', 'product service', 'name'],
        description: ['sales description', 'description'],
        price: ['sales price rate', 'sales price', 'price', 'rate'],
        cost: ['purchase cost', 'cost'],
      },
      ITEM_COLUMNS,
    ),
  },
  documentFormat('quickbooks', 'jobs', { marks: [] }),
  documentFormat('quickbooks', 'quotes', {
    marks: [
      ['estimateno'],
      ['num', 'estimate status'],
      ['estimate no', 'accepted by'],
      ['estimate no', 'item product service'],
    ],
    columns: {
      number: ['estimateno', 'estimate no', 'num'],
      customer_name: ['customer', 'name', 'customer full name'],
      issue_date: ['estimatedate', 'estimate date', 'transaction date', 'date'],
      valid_until: ['expirationdate', 'expiration date'],
      status: ['estimatestatus', 'estimate status', 'status'],
      accepted_date: ['accepted date', 'accepted on'],
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
  documentFormat('quickbooks', 'invoices', {
    marks: [
      ['invoiceno'],
      ['num', 'open balance'],
      ['num', 'due date', 'amount'],
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
      tax_rate: ['taxrate', 'tax rate'],
      message: ['memo', 'message', 'memo description', 'statement memo'],
    },
  }),
]
