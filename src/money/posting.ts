import { sum } from './rounding.ts'

/** Ledger accounts, in the order of an entry's lines. */
export const ACCOUNTS = [
  'receivable',
  'undeposited',
  'clearing',
  'bad_debts',
  'income',
  'deposits',
  'tips',
  'tax',
] as const
export type LedgerAccount = (typeof ACCOUNTS)[number]

/** Change of each account in cents: debits are positive, credits negative. All of them sum to 0. */
export type Postings = Readonly<Record<LedgerAccount, number>>

/** The fields of a document that affect the ledger. */
export type BookedDocument =
  | { of: 'invoice'; total_cents: number; tax_cents: number; deducted_cents: number; is_deposit: boolean }
  | { of: 'write_off'; lost_cents: number }
  | { of: 'payment'; amount_cents: number; is_online: boolean }
  | { of: 'tip'; amount_cents: number }

/** Entry that changes no account. */
export const NO_POSTINGS: Postings = {
  receivable: 0,
  undeposited: 0,
  clearing: 0,
  bad_debts: 0,
  income: 0,
  deposits: 0,
  tips: 0,
  tax: 0,
}

/** Returns the entry that replaces a document's earlier postings with its current ones; null means none. */
export function postingsBetween(before: BookedDocument | null, after: BookedDocument | null): Postings {
  const [from, to] = [postingsOf(before), postingsOf(after)]
  return Object.fromEntries(ACCOUNTS.map((account) => [account, to[account] - from[account]])) as Postings
}

function postingsOf(booking: BookedDocument | null): Postings {
  switch (booking?.of) {
    case 'invoice':
      return invoicePostings(booking)
    case 'write_off':
      return { ...NO_POSTINGS, bad_debts: booking.lost_cents, receivable: 0 - booking.lost_cents }
    case 'payment': {
      const { amount_cents: amount, is_online } = booking
      return { ...NO_POSTINGS, [is_online ? 'clearing' : 'undeposited']: amount, receivable: 0 - amount }
    }
    // Owed to the worker who earned it, so it isn't income.
    case 'tip':
      return { ...NO_POSTINGS, clearing: booking.amount_cents, tips: 0 - booking.amount_cents }
    default:
      return NO_POSTINGS
  }
}

/** Books a deposit as a liability to the customer until an invoice deducts it and it becomes income. */
function invoicePostings(invoice: BookedDocument & { of: 'invoice' }): Postings {
  const { total_cents: total, tax_cents: tax, deducted_cents: deducted, is_deposit } = invoice
  const sold = total - tax + deducted
  return {
    ...NO_POSTINGS,
    receivable: total,
    income: is_deposit ? 0 : 0 - sold,
    deposits: deducted - (is_deposit ? sold : 0),
    tax: 0 - tax,
  }
}

/** Returns the lines of an entry: each changed account with its cents. */
export const linesOf = (postings: Postings): { account: LedgerAccount; cents: number }[] =>
  ACCOUNTS.map((account) => ({ account, cents: postings[account] })).filter(({ cents }) => cents !== 0)

/** Returns the sum of an entry's debits, which equals the sum of its credits. */
export const debitsOf = (postings: Postings): number =>
  Number(sum(ACCOUNTS.map((account) => BigInt(Math.max(postings[account], 0)))))
