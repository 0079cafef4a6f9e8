import { discountOf, isInBooks, soldLines, type ExportedInvoice } from '../../../records/invoices/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { bookDay, everyCustomer, everyInvoice, inOneLine, phoneOf } from './export_rows.ts'
import { everyPayment } from '../payments/payments.ts'
import type { RequestedRange } from '../range.ts'
import { amountOf, type Sheet, type SheetRow } from '../../sheet.ts'

/** Makes the file of customers with the columns that QuickBooks Online names in its help on importing contacts. */
export const quickbooksCustomers = async (context: MemberContext): Promise<Omit<Sheet, 'name'>> => ({
  columns: ['Name', 'Company', 'Email', 'Phone', 'Street', 'City', 'State', 'ZIP', 'Country'],
  rows: customers(context),
  isForImport: true,
})

async function* customers(context: MemberContext): AsyncGenerator<SheetRow, void> {
  for await (const one of everyCustomer(context))
    yield [
      bookName(one.display_name),
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

/** Returns a name as QuickBooks takes it: without colons, quotation marks and tabs, at most 100 characters. */
const bookName = (name: string): string => name.replace(/[:"\t]/g, ' ').slice(0, 100)

/** Makes the file of invoices, a row for each line, with the columns of QuickBooks Online's own sample. */
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
      bookName(invoice.customer_name),
      bookDay(invoice.issue_date, country),
      bookDay(invoice.due_date, country),
      null,
      null,
      invoice.subject,
    ]
    for (const line of linesOf(invoice)) yield [...head, ...line, null]
  }
}

/**
 * Returns the lines that come to the total: what is sold, then discount, tax by rate, and deposits that are deducted.
 */
function* linesOf(invoice: ExportedInvoice): Generator<SheetRow, void> {
  const amount = (cents: number): string => amountOf(cents, invoice.currency)
  const single = (item: string, description: string, cents: number): SheetRow => [
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
        : bookName(line.name)
    const description = inOneLine(line)
    yield [item, description, line.quantity, amount(line.unit_price_cents ?? 0), amount(line.line_total_cents)]
  }
  const discount = discountOf(invoice)
  if (discount !== 0) yield single('Discount', 'Discount', -discount)
  for (const { name, tax_cents } of invoice.taxes) if (tax_cents !== 0) yield single('Sales tax', name, tax_cents)
  for (const { display_number, amount_cents } of invoice.deductions)
    yield single('Customer deposits', `Deposit ${display_number}`, -amount_cents)
}

/**
 * Makes the file of payments, for the apps that bring them into QuickBooks Online, which takes none from a file itself.
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
      bookDay(payment.paid_on, context.company.country),
      bookName(payment.customer_name),
      method !== null ? METHODS[method] : kind === 'manual' ? 'Other' : 'Credit Card',
      'Undeposited Funds',
      payment.invoice_number,
      amountOf(payment.amount_cents, payment.currency),
    ]
  }
}
