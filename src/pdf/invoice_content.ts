import type { Company } from '../identity/companies/company.ts'
import { deductionLabel, type DeductedDeposit, type Invoice } from '../records/invoices/index.ts'
import { say } from '../platform/i18n/say.ts'
import { money, shortDay } from '../records/format/formats.ts'
import { dayIn } from './days.ts'
import type { PdfDocumentData } from './document.ts'
import { exemptionNote, toAddressBlocks, toPriceTable, toSums, type PdfRecipient, type PdfContent } from './content.ts'

/** Returns the content of an invoice for its customer. The memo is internal and left out. */
export const toInvoiceContent = (
  invoice: Invoice,
  deducted: readonly DeductedDeposit[],
  to: PdfRecipient,
  company: Company,
): PdfContent => ({
  name: say`Invoice`,
  number: invoice.display_number,
  at: invoice.updated_at,
  status: statusOf(invoice),
  headline: headlineOf(invoice, company),
  addressBlocks: toAddressBlocks(say`Bill to`, invoice, to, company),
  facts: [
    { label: say`Date`, value: shortDay(invoice.issue_date) },
    { label: say`Due`, value: shortDay(invoice.due_date) },
    ...(invoice.po_number === null ? [] : [{ label: say`Purchase order`, value: invoice.po_number }]),
  ],
  title: invoice.subject,
  message: invoice.message,
  table: toPriceTable(invoice, invoice.currency),
  sums: [
    ...toSums(
      invoice,
      invoice.currency,
      deducted.map((one) => [deductionLabel(one), -one.amount_cents]),
    ),
    ...paymentSums(invoice),
  ],
  sumsNote: exemptionNote(invoice),
  parts:
    company.how_to_pay === null || invoice.status === 'void' || invoice.balance_due_cents <= 0
      ? []
      : [{ title: say`How to pay`, text: company.how_to_pay }],
  signature: undefined,
})

function statusOf({ status }: Invoice): PdfDocumentData['status'] {
  if (status === 'draft') return { text: say`Draft`, look: 'open' }
  if (status === 'paid') return { text: say`Paid`, look: 'done' }
  return status === 'void' ? { text: say`Void`, look: 'ended' } : undefined
}

function headlineOf(
  { status, balance_due_cents, total_cents, due_date, paid_at, currency }: Invoice,
  { timezone }: Company,
): PdfDocumentData['headline'] {
  if (status === 'void') return undefined
  if (status !== 'paid') return { amount: money(balance_due_cents, currency), detail: say`due ${shortDay(due_date)}` }
  if (paid_at === null) return undefined
  return { amount: money(total_cents, currency), detail: say`paid ${shortDay(dayIn(paid_at, timezone))}` }
}

/** Returns the sums after the total: the amounts paid and due. */
const paymentSums = ({ amount_paid_cents, balance_due_cents, status, currency }: Invoice): PdfDocumentData['sums'] => [
  ...(amount_paid_cents === 0 && status !== 'void'
    ? []
    : [{ label: say`Payments`, amount: money(-amount_paid_cents, currency), look: 'plain' as const }]),
  { label: say`Amount due`, amount: money(balance_due_cents, currency), look: 'due' },
]
