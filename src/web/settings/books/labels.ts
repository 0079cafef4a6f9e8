import type { BooksReason } from '../../../books/books_error.ts'
import type { BooksRow } from '../../../books/overview.ts'
import type { BookAccount, BooksKind } from '../../../books/program.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Returns the purpose of an account. */
export const accountLabel = (account: BookAccount): string => ACCOUNT_LABELS[account]()

const ACCOUNT_LABELS: Readonly<Record<BookAccount, () => string>> = {
  income: () => say`Sales`,
  tax: () => say`Sales tax you owe`,
  deposits: () => say`Customer deposits`,
  undeposited: () => say`Cash, checks and transfers`,
  clearing: () => say`Online payments`,
  tips: () => say`Tips you owe your people`,
  bad_debts: () => say`Bad debts`,
}

/** Returns the plural name of a kind of record. */
export const kindLabel = (kind: BooksKind): string => KIND_LABELS[kind]()

const KIND_LABELS: Readonly<Record<BooksKind, () => string>> = {
  customer: () => say`Customers`,
  item: () => say`Items`,
  invoice: () => say`Invoices`,
  payment: () => say`Payments`,
  refund: () => say`Refunds`,
  tip: () => say`Tips`,
  credit: () => say`Write-offs`,
  reversal: () => say`Credits for void invoices`,
}

/** Returns the singular name of a kind of record. */
export const recordLabel = (kind: BooksKind): string => RECORD_LABELS[kind]()

const RECORD_LABELS: Readonly<Record<BooksKind, () => string>> = {
  customer: () => say`Customer`,
  item: () => say`Item`,
  invoice: () => say`Invoice`,
  payment: () => say`Payment`,
  refund: () => say`Refund`,
  tip: () => say`Tip`,
  credit: () => say`Write-off`,
  reversal: () => say`Credit for void invoice`,
}

export const stateLabel = (state: BooksRow['state']): string => STATE_LABELS[state]()

const STATE_LABELS: Readonly<Record<BooksRow['state'], () => string>> = {
  sent: () => say`Sent`,
  held: () => say`Held`,
  failed: () => say`Rejected there`,
  cancelled: () => say`Reversed`,
  due: () => say`Waiting`,
  sending: () => say`Waiting`,
}

/** Explains why a record is held, and what to do. */
export const reasonLabel = (reason: BooksReason, program: string): string => REASON_LABELS[reason](program)

const REASON_LABELS: Readonly<Record<BooksReason, (program: string) => string>> = {
  inexact: () => say`Its lines don’t add up to its total. Save it again, or enter it manually.`,
  total: (program) => say`${program} calculated a different total, so it was reversed. Check the tax settings there.`,
  number_taken: (program) =>
    say`${program} has another document with this number. Change the number there, or delete it.`,
  name_taken: (program) => say`Another record of yours has this name in ${program}. Rename one of the two.`,
  number_long: (program) => say`Its number is too long for ${program}.`,
  paid_elsewhere: (program) => say`Its invoice owes less in ${program} than this payment. Check what was paid there.`,
  changed_when_paid: (program) => say`It changed after it was paid in ${program}. Enter the difference there.`,
  no_invoice: (program) => say`${program} doesn’t accept payments without an invoice. Enter it there.`,
  gone: (program) => say`It isn’t in ${program} anymore. Someone may have deleted it there.`,
  program: (program) => say`${program} refused it.`,
}
