import { discountOf, listInvoicedRates, taxByRate, type InvoicedRate } from '../../../records/invoices/index.ts'
import { say } from '../../../platform/i18n/say.ts'
import { wordFor } from '../../../records/page/states.ts'
import type { MemberContext } from '../../member_context.ts'
import { everyInvoice } from './export_rows.ts'
import { paymentSheet } from '../payments/payments.ts'
import type { RequestedRange } from '../range.ts'
import { channelLabel } from '../payments/received.ts'
import { amountOf, type Sheet, type SheetRow } from '../../sheet.ts'

/** Maximum tax rates with their own column. The tax of all other rates shares one column. */
const MAX_RATES = 20

/** Builds the invoice file: one line per invoice, with a column per tax rate. */
export async function invoiceFile(context: MemberContext, range: RequestedRange): Promise<Omit<Sheet, 'name'>> {
  const rates = await context.read((db) => listInvoicedRates(db, range, MAX_RATES))
  return {
    columns: [
      say`Invoice`,
      say`Status`,
      say`Customer`,
      say`Subject`,
      say`Date`,
      say`Due`,
      say`Subtotal`,
      say`Discount`,
      say`Deposit`,
      ...rates.map(({ name, rate_decimal }) => say`Tax ${name} ${percentOf(rate_decimal)}`),
      say`Other tax`,
      say`Tax`,
      say`Total`,
      say`Amount paid`,
      say`To pay`,
      say`Method`,
      say`Currency`,
    ],
    rows: linesOf(context, range, rates),
  }
}

async function* linesOf(
  context: MemberContext,
  range: RequestedRange,
  rates: readonly InvoicedRate[],
): AsyncGenerator<SheetRow, void> {
  for await (const invoice of everyInvoice(context, range)) {
    const amount = (cents: number): string => amountOf(cents, invoice.currency)
    const { byRate, other } = taxByRate(invoice, rates)
    yield [
      invoice.display_number,
      wordFor(invoice.status, 'invoice'),
      invoice.customer_name,
      invoice.subject,
      invoice.issue_date,
      invoice.due_date,
      amount(invoice.subtotal_cents),
      amount(discountOf(invoice)),
      amount(invoice.deducted_cents),
      ...byRate.map(amount),
      amount(other),
      amount(invoice.tax_cents),
      amount(invoice.total_cents),
      amount(invoice.amount_paid_cents),
      amount(invoice.balance_due_cents),
      invoice.channels.map(channelLabel).join('; '),
      invoice.currency,
    ]
  }
}

const percentOf = (rate: number): string => `${Number((rate * 100).toFixed(4))}%`

export const paymentFile = async (context: MemberContext, range: RequestedRange): Promise<Omit<Sheet, 'name'>> =>
  paymentSheet(context, range)
