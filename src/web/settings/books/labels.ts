import type { BooksReason } from '../../../books/books_error.ts'
import type { BooksRow } from '../../../books/overview.ts'
import type { BookAccount, BooksKind } from '../../../books/program.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Returns what an account is for. */
export function accountLabel(account: BookAccount): string {
  switch (account) {
    case 'income':
      return say`Sales`
    case 'tax':
      return say`Sales tax you owe`
    case 'deposits':
      return say`Customer deposits`
    case 'undeposited':
      return say`Cash, checks and transfers`
    case 'clearing':
      return say`Online payments`
    case 'tips':
      return say`Tips you owe your people`
    default:
      return say`Bad debts`
  }
}

/** Returns the name of several records of a kind. */
export function kindLabel(kind: BooksKind): string {
  switch (kind) {
    case 'customer':
      return say`Customers`
    case 'item':
      return say`Items`
    case 'invoice':
      return say`Invoices`
    case 'payment':
      return say`Payments`
    case 'refund':
      return say`Refunds`
    case 'tip':
      return say`Tips`
    case 'credit':
      return say`Write-offs`
    default:
      return say`Credits for void invoices`
  }
}

/** Returns the name of one record of a kind. */
export function recordLabel(kind: BooksKind): string {
  switch (kind) {
    case 'customer':
      return say`Customer`
    case 'item':
      return say`Item`
    case 'invoice':
      return say`Invoice`
    case 'payment':
      return say`Payment`
    case 'refund':
      return say`Refund`
    case 'tip':
      return say`Tip`
    case 'credit':
      return say`Write-off`
    default:
      return say`Credit for void invoice`
  }
}

/** Returns what became of a record. */
export function stateLabel(state: BooksRow['state']): string {
  switch (state) {
    case 'sent':
      return say`Sent`
    case 'held':
      return say`Held`
    case 'failed':
      return say`Rejected there`
    case 'cancelled':
      return say`Taken back`
    default:
      return say`Waiting`
  }
}

/** Returns why a record is held, and what to do. */
export function reasonLabel(reason: BooksReason, program: string): string {
  switch (reason) {
    case 'inexact':
      return say`Its lines don’t add up to its total. Save it again, or enter it by hand.`
    case 'total':
      return say`${program} computed another total, so it was taken back. Check the tax settings there.`
    case 'number_taken':
      return say`${program} has another document with this number. Change the number there, or delete it.`
    case 'name_taken':
      return say`Another record of yours has this name in ${program}. Rename one of the two.`
    case 'number_long':
      return say`Its number is too long for ${program}.`
    case 'paid_elsewhere':
      return say`Its invoice owes less in ${program} than this payment. Check what was paid there.`
    case 'changed_when_paid':
      return say`It changed after it was paid in ${program}. Enter the difference there.`
    case 'no_invoice':
      return say`${program} takes no payment without an invoice. Enter it there.`
    case 'gone':
      return say`It isn’t in ${program} any more. Somebody may have deleted it there.`
    default:
      return say`${program} refused it.`
  }
}
