import type { JsonFields } from '../../platform/validation/json_fields.ts'
import {
  NO_ACCOUNTS,
  type AccountMap,
  type BooksDocument,
  type BooksLine,
  type CreditDocument,
  type CustomerDocument,
  type InvoiceDocument,
  type ItemDocument,
  type PaymentDocument,
  type JournalDocument,
} from '../program.ts'
import type { LedgerAccount } from '../../money/posting.ts'
import { amountOf } from '../reading.ts'

/** `openCents` is the balance of a payment's invoice in cents; `receivable` is the accounts receivable account. */
type BodyOptions = { accounts: AccountMap | null; country: string; openCents: number; receivable: string }

/** Returns the request body of a document for QuickBooks Online (Accounting API, version 3). */
export function toBody(document: BooksDocument, options: BodyOptions): JsonFields {
  const accounts = options.accounts ?? NO_ACCOUNTS
  switch (document.kind) {
    case 'customer':
      return customerBody(document)
    case 'item':
      return itemBody(document, accounts)
    case 'invoice':
      return invoiceBody(document, options.country)
    case 'payment':
      return paymentBody(document, accounts, options.openCents)
    case 'refund':
    case 'tip':
      return journalBody(document, { ...accounts, receivable: options.receivable })
    default:
      return creditBody(document, options.country)
  }
}

const customerBody = (customer: CustomerDocument): JsonFields => ({
  DisplayName: customer.name,
  ...(customer.company !== null && { CompanyName: customer.company.slice(0, 100) }),
  ...(customer.first !== null && { GivenName: customer.first.slice(0, 100) }),
  ...(customer.last !== null && { FamilyName: customer.last.slice(0, 100) }),
  ...(customer.email !== null && { PrimaryEmailAddr: { Address: customer.email.slice(0, 100) } }),
  ...(customer.phone !== null && { PrimaryPhone: { FreeFormNumber: customer.phone.slice(0, 30) } }),
  ...(customer.street !== null && {
    BillAddr: {
      Line1: customer.street.slice(0, 500),
      City: customer.city?.slice(0, 255) ?? '',
      CountrySubDivisionCode: customer.region?.slice(0, 255) ?? '',
      PostalCode: customer.postal?.slice(0, 30) ?? '',
      Country: customer.country ?? '',
    },
  }),
})

const itemBody = (item: ItemDocument, accounts: AccountMap): JsonFields => ({
  Name: item.name,
  Type: item.isProduct ? 'NonInventory' : 'Service',
  IncomeAccountRef: { value: accounts[item.account] },
  ...(item.description !== null && { Description: item.description.slice(0, 4000) }),
})

const invoiceBody = (invoice: InvoiceDocument, country: string): JsonFields => ({
  ...salesBody(invoice, country),
  DueDate: invoice.due,
})

const creditBody = (credit: CreditDocument, country: string): JsonFields => salesBody(credit, country)

/** Returns the common fields of invoices and credit memos. The program computes no tax: it is a separate line. */
const salesBody = (document: InvoiceDocument | CreditDocument, country: string): JsonFields => ({
  DocNumber: document.number,
  CustomerRef: { value: document.customer },
  TxnDate: document.day,
  CurrencyRef: { value: document.currency },
  PrivateNote: document.mark,
  ...(country !== 'US' && { GlobalTaxCalculation: 'NotApplicable' }),
  Line: document.lines.map((line) => lineBody(line, document.currency, country)),
})

const lineBody = (line: BooksLine, currency: string, country: string): JsonFields => ({
  DetailType: 'SalesItemLineDetail',
  Amount: amountOf(line.cents, currency),
  Description: line.text.slice(0, 4000),
  SalesItemLineDetail: {
    ItemRef: { value: line.item ?? '' },
    ...(line.quantity !== null &&
      line.unit_cents !== null && { Qty: line.quantity, UnitPrice: amountOf(line.unit_cents, currency) }),
    ...(country === 'US' && { TaxCodeRef: { value: 'NON' } }),
  },
})

/** Returns a payment, applied to its invoice up to the balance; the rest becomes the customer's credit. */
const paymentBody = (payment: PaymentDocument, accounts: AccountMap, openCents: number): JsonFields => ({
  CustomerRef: { value: payment.customer },
  TxnDate: payment.day,
  TotalAmt: amountOf(payment.cents, payment.currency),
  CurrencyRef: { value: payment.currency },
  PaymentRefNum: payment.number.slice(0, 21),
  PrivateNote: payment.mark,
  DepositToAccountRef: { value: accounts[payment.account] },
  Line:
    payment.invoice === null || openCents <= 0
      ? []
      : [
          {
            Amount: amountOf(Math.min(openCents, payment.cents), payment.currency),
            LinkedTxn: [{ TxnId: payment.invoice, TxnType: 'Invoice' }],
          },
        ],
})

/** Returns a journal entry of two lines; the receivables line names the customer. */
function journalBody(journal: JournalDocument, accounts: AccountMap & { receivable: string }): JsonFields {
  const line = (PostingType: 'Debit' | 'Credit', account: LedgerAccount): JsonFields => ({
    DetailType: 'JournalEntryLineDetail',
    Amount: amountOf(journal.cents, journal.currency),
    Description: journal.text.slice(0, 4000),
    JournalEntryLineDetail: {
      PostingType,
      AccountRef: { value: accounts[account] },
      ...(account === 'receivable' && { Entity: { Type: 'Customer', EntityRef: { value: journal.customer } } }),
    },
  })
  return {
    DocNumber: journal.number,
    TxnDate: journal.day,
    CurrencyRef: { value: journal.currency },
    PrivateNote: journal.mark,
    Line: [line('Debit', journal.debit), line('Credit', journal.credit)],
  }
}
