import type { LedgerAccount } from '../money/posting.ts'

export const PROGRAMS = ['quickbooks', 'xero'] as const
export type ProgramName = (typeof PROGRAMS)[number]

/** What people call a program. */
export const PROGRAM_NAMES: Readonly<Record<ProgramName, string>> = { quickbooks: 'QuickBooks Online', xero: 'Xero' }

/** Accounts of the ledger that an owner names in their program, which keeps receivables itself. */
export const BOOK_ACCOUNTS = ['income', 'tax', 'deposits', 'undeposited', 'clearing', 'bad_debts', 'tips'] as const
export type BookAccount = Exclude<LedgerAccount, 'receivable'>

/** The program's id of each account; empty where none is chosen, as for tips that aren't sent. */
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

/** An account of the program, and what it may be chosen for. */
export type ProgramAccount = { id: string; name: string; uses: readonly BookAccount[] }

/** The company at the program. */
export type Organization = { id: string; name: string; country: string; currency: string }

export type BooksKind = 'customer' | 'item' | 'invoice' | 'payment' | 'refund' | 'credit' | 'reversal' | 'tip'

/** `mark` is written into what is made, and finds it again; it names our record and how often it was made. */
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

/** A line; `item` is the program's id. `quantity` and its price are null where they don't come to the cents. */
export type BooksLine = {
  account: BookAccount
  item: string | null
  text: string
  quantity: number | null
  unit_cents: number | null
  cents: number
}

/** A sum of money of a customer, whose `customer` is the program's id. */
type MoneyDocument = Marked & { number: string; customer: string; day: string; currency: string; cents: number }

export type InvoiceDocument = MoneyDocument & {
  kind: 'invoice'
  due: string
  reference: string | null
  /** Address of our page. */
  url: string
  lines: readonly BooksLine[]
}

/** A payment of an invoice; of none where it is void. `refunds` are those of the invoice, which it pays after it. */
export type PaymentDocument = MoneyDocument & {
  kind: 'payment'
  invoice: string | null
  refunds: readonly string[]
  account: BookAccount
}

/** Moves money between two accounts: `refund` went back, so that the customer owes it again. */
export type JournalDocument = MoneyDocument & {
  kind: 'refund' | 'tip'
  debit: LedgerAccount
  credit: BookAccount
  text: string
}

/** Takes off what an invoice asks: `credit` is lost, `reversal` was never owed. */
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

/** A record at the program; `cents` is its total where it has one. */
export type RemoteRecord = { id: string; cents: number | null }

/**
 * An accounting program, at one company of it. Every method throws `BooksError`. `request` names a writing request: one
 * that is repeated under the same name is done once.
 */
export type BooksProgram = {
  /** Whether lines need an item each; otherwise an account is enough. */
  readonly needsItems: boolean
  /** Maximum characters of a document's number. */
  readonly maxNumber: number
  listAccounts(): Promise<readonly ProgramAccount[]>
  readOrganization(): Promise<Organization>
  /** Finds what was made of a document, or of a customer or item what has its name. */
  find(document: BooksDocument): Promise<RemoteRecord | undefined>
  make(document: BooksDocument, request: string): Promise<RemoteRecord>
  /** Makes what is there like the document. */
  change(remote: string, document: BooksDocument, request: string): Promise<RemoteRecord>
  /** Takes a credit off its invoice, as far as that owes; done before, it does nothing. */
  apply(remote: string, document: CreditDocument, request: string): Promise<void>
  /** Voids or deletes; `applied`: it is an invoice on which payments stand. */
  cancel(kind: BooksKind, remote: string, request: string): Promise<'cancelled' | 'applied'>
}
