import { discountOf, isInBooks, soldLines, type ExportedInvoice } from '../../../records/invoices/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { formatExportDate, everyCustomer, everyInvoice, lineItemText, phoneOf } from './export_rows.ts'
import { everyPayment, everyTip } from '../payments/payments.ts'
import type { RequestedRange } from '../range.ts'
import { amountOf, type Sheet, type SheetRow } from '../../sheet.ts'

/** Sales account, and name of the zero tax rate, in a new Xero organization. */
const [SALES, NO_TAX] = ['200', 'Tax Exempt']

/** Builds the contact file with columns of Xero's template. Names are exported unchanged, so they may not be unique. */
export const xeroContacts = async (context: MemberContext): Promise<Omit<Sheet, 'name'>> => ({
  columns: [
    '*ContactName',
    'EmailAddress',
    'FirstName',
    'LastName',
    'POAddressLine1',
    'POAddressLine2',
    'POCity',
    'PORegion',
    'POPostalCode',
    'POCountry',
    'PhoneNumber',
  ],
  rows: contacts(context),
  isForImport: true,
})

async function* contacts(context: MemberContext): AsyncGenerator<SheetRow, void> {
  for await (const one of everyCustomer(context))
    yield [
      one.display_name,
      one.email,
      one.first_name,
      one.last_name,
      one.address_line1,
      one.address_line2,
      one.city,
      one.region,
      one.postal_code,
      one.country,
      phoneOf(one),
    ]
}

/** Builds the invoice file, a row per line item, with the columns of Xero's sales template. Prices exclude tax. */
export const xeroInvoices = async (context: MemberContext, range: RequestedRange): Promise<Omit<Sheet, 'name'>> => ({
  columns: [
    '*ContactName',
    'EmailAddress',
    'POAddressLine1',
    'POAddressLine2',
    'POAddressLine3',
    'POAddressLine4',
    'POCity',
    'PORegion',
    'POPostalCode',
    'POCountry',
    '*InvoiceNumber',
    'Reference',
    '*InvoiceDate',
    '*DueDate',
    'Total',
    'InventoryItemCode',
    '*Description',
    '*Quantity',
    '*UnitAmount',
    'Discount',
    '*AccountCode',
    '*TaxType',
    'TaxAmount',
    'TrackingName1',
    'TrackingOption1',
    'TrackingName2',
    'TrackingOption2',
    'Currency',
    'BrandingTheme',
  ],
  rows: invoices(context, range),
  isForImport: true,
})

async function* invoices(context: MemberContext, range: RequestedRange): AsyncGenerator<SheetRow, void> {
  const { country } = context.company
  for await (const invoice of everyInvoice(context, range)) {
    if (!isInBooks(invoice)) continue
    const head = [
      invoice.customer_name,
      invoice.email,
      invoice.address_line1,
      invoice.address_line2,
      null,
      null,
      invoice.city,
      invoice.region,
      invoice.postal_code,
      invoice.country,
      invoice.display_number,
      invoice.po_number,
      formatExportDate(invoice.issue_date, country),
      formatExportDate(invoice.due_date, country),
      amountOf(invoice.total_cents, invoice.currency),
      null,
    ]
    for (const line of linesOf(invoice)) yield [...head, ...line, null, null, null, null, invoice.currency, null]
  }
}

/** Yields the lines that add up to the total: items sold with their tax, then untaxed deductions. */
function* linesOf(invoice: ExportedInvoice): Generator<SheetRow, void> {
  const amount = (cents: number): string => amountOf(cents, invoice.currency)
  const deductionRow = (description: string, cents: number): SheetRow => [
    description,
    1,
    amount(-cents),
    null,
    SALES,
    NO_TAX,
    amount(0),
  ]
  for (const line of soldLines(invoice)) {
    const description = lineItemText(line)
    const tax = line.tax_cents === 0 ? NO_TAX : line.tax_name
    yield [description, line.quantity, amount(line.unit_price_cents ?? 0), null, SALES, tax, amount(line.tax_cents)]
  }
  const discount = discountOf(invoice)
  if (discount !== 0) yield deductionRow('Discount', discount)
  for (const { display_number, amount_cents } of invoice.deductions)
    yield deductionRow(`Deposit ${display_number}`, amount_cents)
}

/** Builds the payment file as bank statement lines, which Xero matches to invoices by number. */
export const xeroPayments = async (context: MemberContext, range: RequestedRange): Promise<Omit<Sheet, 'name'>> => ({
  columns: ['Date', 'Amount', 'Payee', 'Description', 'Reference', 'Cheque Number'],
  rows: statement(context, range),
  isForImport: true,
})

async function* statement(context: MemberContext, range: RequestedRange): AsyncGenerator<SheetRow, void> {
  for await (const payment of everyPayment(context, range)) {
    if (payment.kind === 'manual') continue
    const { method, reference } = payment
    yield [
      formatExportDate(payment.paid_on, context.company.country),
      amountOf(payment.amount_cents, payment.currency),
      payment.customer_name,
      payment.note,
      payment.invoice_number,
      method === 'check' ? reference : null,
    ]
  }
  for await (const tip of everyTip(context, range))
    yield [
      formatExportDate(tip.paid_on, context.company.country),
      amountOf(tip.amount_cents, tip.currency),
      tip.customer_name,
      'Tip',
      tip.invoice_number,
      null,
    ]
}
