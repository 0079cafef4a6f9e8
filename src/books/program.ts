import type { LedgerAccount } from '../money/posting.ts'

export const PROGRAMS = ['quickbooks', 'xero'] as const
export type ProgramName = (typeof PROGRAMS)[number]

/** Display names of the programs. */
export const PROGRAM_NAMES: Readonly<Record<ProgramName, string>> = { quickbooks: 'QuickBooks Online', xero: 'Xero' }

/** Ledger accounts that an owner maps to the program's; it manages receivables itself. */
export const BOOK_ACCOUNTS = ['income', 'tax', 'deposits', 'undeposited', 'clearing', 'bad_debts', 'tips'] as const
export type BookAccount = Exclude<LedgerAccount, 'receivable'>

/** The program's id of each account; empty if none is chosen, as for tips that aren't sent. */
export type AccountMap = Readonly<Record<BookAccount, string>>

export const NO_ACCOUNTS: AccountMap = {
  income: '',
  tax: '',
  deposits: '',
  undeposited: '',
  clearing: '',
  bad_debts: '',
  tips: '',
}

/** An account of the program, with its allowed uses. */
export type ProgramAccount = { id: string; name: string; uses: readonly BookAccount[] }

/** The company at the program. */
export type Organization = { id: string; name: string; country: string; currency: string }

export type BooksKind = 'customer' | 'item' | 'invoice' | 'payment' | 'refund' | 'credit' | 'reversal' | 'tip'

/** `mark` is written into the created record to find it again: the id of our record and its edition. */
type Marked = { id: string; mark: string }

export type CustomerDocument = Marked & {
  kind: 'customer'
  name: string
  company: string | null
  first: string | null
  last: string | null
  email: string | null
  phone: string | null
  street: string | null
  city: string | null
  region: string | null
  postal: string | null
  country: string | null
}

export type ItemDocument = Marked & {
  kind: 'item'
  name: string
  code: string
  description: string | null
  isProduct: boolean
  account: BookAccount
}

/** A line; `item` is the program's id. `quantity` and `unit_cents` are null if their product isn't exactly `cents`. */
export type BooksLine = {
  account: BookAccount
  item: string | null
  text: string
  quantity: number | null
  unit_cents: number | null
  cents: number
}

/** A document with an amount; `customer` is the program's id. */
type MoneyDocument = Marked & { number: string; customer: string; day: string; currency: string; cents: number }

export type InvoiceDocument = MoneyDocument & {
  kind: 'invoice'
  due: string
  reference: string | null
  /** URL of our page. */
  url: string
  lines: readonly BooksLine[]
}

/** A payment; `invoice` is null if it is void. `refunds` are the invoice's refunds, which can be paid next. */
export type PaymentDocument = MoneyDocument & {
  kind: 'payment'
  invoice: string | null
  refunds: readonly string[]
  account: BookAccount
}

/** A transfer between two accounts. A `refund` makes the customer owe its amount again. */
export type JournalDocument = MoneyDocument & {
  kind: 'refund' | 'tip'
  debit: LedgerAccount
  credit: BookAccount
  text: string
}

/** A reduction of an invoice's balance: `credit` for a write-off, `reversal` for an invoice never owed. */
export type CreditDocument = MoneyDocument & {
  kind: 'credit' | 'reversal'
  invoice: string
  lines: readonly BooksLine[]
}

export type BooksDocument =
  | CustomerDocument
  | ItemDocument
  | InvoiceDocument
  | PaymentDocument
  | JournalDocument
  | CreditDocument

/** A record at the program; `cents` is its total, null if it has none. */
export type RemoteRecord = { id: string; cents: number | null }

/**
 * One company at an accounting program. Every method may throw `BooksError`. `request` is the idempotency key of a
 * write.
 */
export type BooksProgram = {
  /** Whether lines need an item each; otherwise an account is enough. */
  readonly needsItems: boolean
  /** Maximum characters of a document's number. */
  readonly maxNumber: number
  listAccounts(): Promise<readonly ProgramAccount[]>
  readOrganization(): Promise<Organization>
  /** Finds the record of a document; for a customer or an item, the record with its name. */
  find(document: BooksDocument): Promise<RemoteRecord | undefined>
  create(document: BooksDocument, request: string): Promise<RemoteRecord>
  /** Updates a record to match the document. */
  update(remote: string, document: BooksDocument, request: string): Promise<RemoteRecord>
  /** Applies a credit to its invoice, up to the invoice's balance. Idempotent. */
  apply(remote: string, document: CreditDocument, request: string): Promise<void>
  /** Voids or deletes a record; returns `applied` for an invoice with payments, which stays. */
  cancel(kind: BooksKind, remote: string, request: string): Promise<'cancelled' | 'applied'>
}
