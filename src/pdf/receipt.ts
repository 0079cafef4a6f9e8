import { companyOf, type Company } from '../identity/companies/company.ts'
import { findLogo } from '../files/logo.ts'
import { languageOf, withReader, type Language } from '../platform/i18n/reader.ts'
import { say } from '../platform/i18n/say.ts'
import type { Db } from '../platform/db/tenant.ts'
import { notFound } from '../platform/errors/refusal.ts'
import { todayIn } from '../platform/validation/formats/instants.ts'
import { money, shortDay } from '../records/format/formats.ts'
import { findInvoice, findReceipt, paymentLabel, type Invoice, type PaymentReceipt } from '../records/invoices/index.ts'
import type { PdfDocumentData } from './document.ts'
import { toAddressBlocks, type PdfContent, type PdfRecipient } from './content.ts'
import { findPdfRecipient, toPdfDocument } from './read_document.ts'

type ReceiptSource = {
  payment: string
  /** Invoice that the payment must belong to. */
  invoice?: string
  /** False to leave out the customer's contacts. True by default. */
  namesContact?: boolean
  /** Reader's language, used if the customer has no preferred language. */
  language?: Language
}

/** Returns a payment's receipt in the language that its customer prefers. Throws `not_found` for other payments. */
export async function readReceiptDocument(
  db: Db,
  { payment, invoice, namesContact = true, language }: ReceiptSource,
): Promise<PdfDocumentData> {
  const receipt = await findReceipt(db, payment, invoice)
  if (receipt === undefined) throw notFound('payment')
  const company = await companyOf(db)
  const [paidInvoice, to, logo] = await Promise.all([
    findInvoice(db, receipt.invoice_id, todayIn(company.timezone).toString()),
    findPdfRecipient(db, 'invoices', receipt.invoice_id),
    findLogo(db),
  ])
  const recipient = namesContact ? to : { ...to, contact: null, contact_phone: null }
  return withReader({ language: languageOf(to.preferred_language, language), country: company.country }, () =>
    toPdfDocument('receipts', company, logo, toContent(receipt, paidInvoice, recipient, company)),
  )
}

const toContent = (receipt: PaymentReceipt, invoice: Invoice, to: PdfRecipient, company: Company): PdfContent => {
  const { ordinal, kind, method, reference, amount_cents, before_cents, paid_on, at, is_taken_back } = receipt
  const { display_number, currency, total_cents, subject } = invoice
  const amount = (cents: number): string => money(cents, currency)
  return {
    name: say`Receipt`,
    number: `${display_number}-${ordinal}`,
    at,
    status: is_taken_back
      ? { text: say`Payment undone`, look: 'ended' }
      : { text: say`Payment received`, look: 'done' },
    headline: is_taken_back ? undefined : { amount: amount(amount_cents), detail: say`paid ${shortDay(paid_on)}` },
    addressBlocks: toAddressBlocks(say`Received from`, invoice, to, company),
    facts: [
      { label: say`Date`, value: shortDay(paid_on) },
      { label: say`How`, value: paymentLabel(kind, method) },
      ...(reference === null ? [] : [{ label: say`Reference`, value: reference }]),
    ],
    title: null,
    message: null,
    table: {
      caption: say`Payment`,
      headers: [say`Description`, say`Amount`],
      rows: [{ name: say`Payment for invoice ${display_number}`, description: subject, cells: [amount(amount_cents)] }],
      empty: '',
    },
    sums: [
      { label: say`Invoice total`, amount: amount(total_cents), look: 'plain' },
      ...(before_cents === 0
        ? []
        : [{ label: say`Paid before`, amount: amount(-before_cents), look: 'plain' as const }]),
      { label: say`This payment`, amount: amount(-amount_cents), look: 'plain' },
      { label: say`Amount due`, amount: amount(total_cents - before_cents - amount_cents), look: 'due' },
    ],
    sumsNote: undefined,
    parts: [],
    signature: undefined,
  }
}
