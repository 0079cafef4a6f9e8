import { discountOf, isInBooks, soldLines, type ExportedInvoice } from '../../../records/invoices/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { formatExportDate, everyCustomer, everyInvoice, lineItemText, phoneOf } from './export_rows.ts'
import { everyPayment } from '../payments/payments.ts'
import type { RequestedRange } from '../range.ts'
import { amountOf, type Sheet, type SheetRow } from '../../sheet.ts'

/** Builds the customer file with the columns from QuickBooks Online's help on importing contacts. */
export const quickbooksCustomers = async (context: MemberContext): Promise<Omit<Sheet, 'name'>> => ({
  columns: ['Name', 'Company', 'Email', 'Phone', 'Street', 'City', 'State', 'ZIP', 'Country'],
  rows: customers(context),
  isForImport: true,
})

async function* customers(context: MemberContext): AsyncGenerator<SheetRow, void> {
  for await (const one of everyCustomer(context))
    yield [
      quickbooksName(one.display_name),
      one.company_name,
      one.email,
      phoneOf(one),
      [one.address_line1, one.address_line2].filter(Boolean).join(', '),
      one.city,
      one.region,
      one.postal_code,
      one.country,
    ]
}

/** Returns a name that QuickBooks accepts: no colons, quotation marks or tabs, at most 100 characters. */
const quickbooksName = (name: string): string => name.replace(/[:"\t]/g, ' ').slice(0, 100)

/** Builds the invoice file, a row per line item, with the columns of QuickBooks Online's own sample. */
export const quickbooksInvoices = async (
  context: MemberContext,
  range: RequestedRange,
): Promise<Omit<Sheet, 'name'>> => ({
  columns: [
    '*InvoiceNo',
    '*Customer',
    '*InvoiceDate',
    '*DueDate',
    'Terms',
    'Location',
    'Memo',
    'Item(Product/Service)',
    'ItemDescription',
    'ItemQuantity',
    'ItemRate',
    '*ItemAmount',
    'Service Date',
  ],
  rows: invoices(context, range),
  isForImport: true,
})

async function* invoices(context: MemberContext, range: RequestedRange): AsyncGenerator<SheetRow, void> {
  const { country } = context.company
  for await (const invoice of everyInvoice(context, range)) {
    if (!isInBooks(invoice)) continue
    const head = [
      invoice.display_number,
      quickbooksName(invoice.customer_name),
      formatExportDate(invoice.issue_date, country),
      formatExportDate(invoice.due_date, country),
      null,
      null,
      invoice.subject,
    ]
    for (const line of linesOf(invoice)) yield [...head, ...line, null]
  }
}

/** Yields the lines that add up to the total: items sold, discount, tax by rate, deducted deposits. */
function* linesOf(invoice: ExportedInvoice): Generator<SheetRow, void> {
  const amount = (cents: number): string => amountOf(cents, invoice.currency)
  const singleRow = (item: string, description: string, cents: number): SheetRow => [
    item,
    description,
    1,
    amount(cents),
    amount(cents),
  ]
  for (const line of soldLines(invoice)) {
    const item = invoice.is_deposit
      ? 'Customer deposits'
      : line.catalog_item_id === null
        ? 'Services'
        : quickbooksName(line.name)
    const description = lineItemText(line)
    yield [item, description, line.quantity, amount(line.unit_price_cents ?? 0), amount(line.line_total_cents)]
  }
  const discount = discountOf(invoice)
  if (discount !== 0) yield singleRow('Discount', 'Discount', -discount)
  for (const { name, tax_cents } of invoice.taxes) if (tax_cents !== 0) yield singleRow('Sales tax', name, tax_cents)
  for (const { display_number, amount_cents } of invoice.deductions)
    yield singleRow('Customer deposits', `Deposit ${display_number}`, -amount_cents)
}

/**
 * Builds the payment file for apps that import into QuickBooks Online, which can't import payments from a file itself.
 */
export const quickbooksPayments = async (
  context: MemberContext,
  range: RequestedRange,
): Promise<Omit<Sheet, 'name'>> => ({
  columns: ['Ref No', 'Payment Date', 'Customer', 'Payment method', 'Deposit To Account Name', 'Invoice No', 'Amount'],
  rows: payments(context, range),
  isForImport: true,
})

const METHODS = {
  cash: 'Cash',
  check: 'Check',
  card: 'Credit Card',
  bank_transfer: 'Bank Transfer',
  other: 'Other',
} as const

async function* payments(context: MemberContext, range: RequestedRange): AsyncGenerator<SheetRow, void> {
  for await (const payment of everyPayment(context, range)) {
    const { kind, method } = payment
    yield [
      payment.reference,
      formatExportDate(payment.paid_on, context.company.country),
      quickbooksName(payment.customer_name),
      method !== null ? METHODS[method] : kind === 'manual' ? 'Other' : 'Credit Card',
      'Undeposited Funds',
      payment.invoice_number,
      amountOf(payment.amount_cents, payment.currency),
    ]
  }
}
