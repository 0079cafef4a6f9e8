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
import { amountOf } from '../reading.ts'

/** `paidInvoice` is the invoice that a payment pays; `codeOf` returns the code of an account, which journals need. */
type BodyOptions = { accounts: AccountMap | null; paidInvoice: string; codeOf: (account: string) => string }

/** Returns the request body of a document for Xero (Accounting API, version 2.0). */
export function toBody(document: BooksDocument, { accounts: chosen, paidInvoice, codeOf }: BodyOptions): JsonFields {
  const accounts = chosen ?? NO_ACCOUNTS
  switch (document.kind) {
    case 'customer':
      return { Contacts: [contact(document)] }
    case 'item':
      return { Items: [item(document)] }
    case 'payment':
      return { Payments: [payment(document, accounts, paidInvoice)] }
    case 'invoice':
      return { Invoices: [invoice(document, accounts)] }
    case 'refund':
      return { Invoices: [refund(document, accounts)] }
    case 'tip':
      return { ManualJournals: [manualJournal(document, accounts, codeOf)] }
    default:
      return { CreditNotes: [creditNote(document, accounts)] }
  }
}

const contact = (customer: CustomerDocument): JsonFields => ({
  Name: customer.name,
  ContactNumber: customer.id,
  ...(customer.first !== null && { FirstName: customer.first.slice(0, 255) }),
  ...(customer.last !== null && { LastName: customer.last.slice(0, 255) }),
  ...(customer.email !== null && { EmailAddress: customer.email.slice(0, 255) }),
  ...(customer.phone !== null && { Phones: [{ PhoneType: 'DEFAULT', PhoneNumber: customer.phone.slice(0, 50) }] }),
  ...(customer.street !== null && {
    Addresses: [
      {
        AddressType: 'POBOX',
        AddressLine1: customer.street.slice(0, 500),
        City: customer.city?.slice(0, 255) ?? '',
        Region: customer.region?.slice(0, 255) ?? '',
        PostalCode: customer.postal?.slice(0, 50) ?? '',
        Country: customer.country ?? '',
      },
    ],
  }),
})

const item = ({ code, name, description }: ItemDocument): JsonFields => ({
  Code: code,
  Name: name.slice(0, 50),
  IsSold: true,
  ...(description !== null && { Description: description.slice(0, 4000) }),
})

/** Returns the URL of our page, which identifies an invoice as ours. */
export function urlOf(document: InvoiceDocument | JournalDocument): string {
  const page = document.kind === 'invoice' ? document.url : 'https://callout.invalid/refund'
  return `${page}?books=${encodeURIComponent(document.mark)}`
}

const invoice = (document: InvoiceDocument, accounts: AccountMap): JsonFields => ({
  Type: 'ACCREC',
  InvoiceNumber: document.number,
  ...sales(document, accounts),
  DueDate: document.due,
  Url: urlOf(document),
  ...(document.reference !== null && { Reference: document.reference }),
})

/** Returns the invoice by which a customer owes a refunded amount again. */
const refund = (document: JournalDocument, accounts: AccountMap): JsonFields => ({
  Type: 'ACCREC',
  InvoiceNumber: document.number,
  ...sales(
    {
      ...document,
      lines: [
        {
          account: document.credit,
          item: null,
          text: document.text,
          quantity: null,
          unit_cents: null,
          cents: document.cents,
        },
      ],
    },
    accounts,
  ),
  DueDate: document.day,
  Url: urlOf(document),
})

/** Returns the narration that identifies a journal entry. */
export const narrationOf = ({ text, mark }: Pick<JournalDocument, 'text' | 'mark'>): string =>
  `${text.replace(/["\\]/g, ' ').slice(0, 200)} ${mark}`

function manualJournal(
  { debit, credit, cents, ...document }: JournalDocument,
  accounts: AccountMap,
  codeOf: BodyOptions['codeOf'],
): JsonFields {
  const line = (account: string, amount: number): JsonFields => ({
    AccountCode: codeOf(account),
    LineAmount: amountOf(amount, document.currency),
  })
  return {
    Narration: narrationOf(document),
    Date: document.day,
    LineAmountTypes: 'NoTax',
    Status: 'POSTED',
    JournalLines: [line(debit === 'receivable' ? '' : accounts[debit], cents), line(accounts[credit], -cents)],
  }
}

const creditNote = (document: CreditDocument, accounts: AccountMap): JsonFields => ({
  Type: 'ACCRECCREDIT',
  CreditNoteNumber: document.number,
  ...sales(document, accounts),
  Reference: document.mark,
})

type Sale = { customer: string; day: string; currency: string; lines: readonly BooksLine[] }

/** Returns the common fields of invoices and credit notes. The program computes no tax: it is a separate line. */
const sales = ({ customer, day, currency, lines }: Sale, accounts: AccountMap): JsonFields => ({
  Contact: { ContactID: customer },
  Date: day,
  CurrencyCode: currency,
  LineAmountTypes: 'NoTax',
  Status: 'AUTHORISED',
  LineItems: lines.map((line) => ({
    Description: line.text.slice(0, 4000),
    Quantity: line.quantity ?? 1,
    UnitAmount: amountOf(line.unit_cents ?? line.cents, currency),
    LineAmount: amountOf(line.cents, currency),
    AccountID: accounts[line.account],
    ...(line.item !== null && { ItemCode: line.item }),
  })),
})

/** Returns the reference that identifies a payment: Xero can search by no other field of ours. */
export const referenceOf = ({ number, mark }: PaymentDocument): string =>
  `${number.replace(/["\\]/g, ' ').slice(0, 100)} ${mark}`

const payment = (document: PaymentDocument, accounts: AccountMap, paidInvoice: string): JsonFields => ({
  Invoice: { InvoiceID: paidInvoice },
  Account: { AccountID: accounts[document.account] },
  Date: document.day,
  Amount: amountOf(document.cents, document.currency),
  Reference: referenceOf(document),
})
