import { say } from '../../platform/i18n/say.ts'
import type { ParkedReason } from '../../payments/events/parked_events.ts'
import type { ParkedDetails } from '../../payments/events/parked_review.ts'

/** Returns why a payment event waits for a person. */
export const parkedReasonText = (reason: ParkedReason): string => PARKED_REASONS[reason]()

const PARKED_REASONS: Readonly<Record<ParkedReason, () => string>> = {
  mode_mismatch: () => say`It is a test event on a live service, or a live event on a test service`,
  no_account: () => say`It is for an invoice but names no connected account`,
  unknown_account: () => say`It is for an invoice, but no company has connected its account`,
  void_invoice: () => say`The invoice is void`,
  other_currency: () => say`Its currency isn’t the invoice’s`,
  other_invoice: () => say`It names a different invoice than the payment it belongs to`,
  unreadable_amount: () => say`Its amount can’t be read`,
}

/** Returns what a payment event would do. */
export function effectText(effect: ParkedDetails['effect']): string {
  switch (effect) {
    case null:
      return say`Nothing`
    case 'charge':
      return say`Record a payment`
    case 'authorized':
      return say`Note that a payment was authorized`
    case 'refund':
      return say`Record a refund`
    case 'dispute_opened':
      return say`Open a dispute`
    case 'dispute_closed':
      return say`Close a dispute`
    case 'failed':
      return say`Note that a payment failed`
    case 'pending':
      return say`Note that a bank payment was started`
    case 'given_up':
      return say`Note that a bank payment was given up`
  }
}
