import { say } from '../../platform/i18n/say.ts'
import type { ParkedReason } from '../../payments/events/parked_events.ts'
import type { ParkedDetails } from '../../payments/events/parked_review.ts'

/** Returns why a payment event waits for a person. */
export function parkedReasonText(reason: ParkedReason): string {
  switch (reason) {
    case 'mode_mismatch':
      return say`It is a test event on a live service, or a live event on a test service`
    case 'no_account':
      return say`It is for an invoice but names no connected account`
    case 'unknown_account':
      return say`It is for an invoice, but no company has connected its account`
    case 'void_invoice':
      return say`The invoice is void`
    case 'other_currency':
      return say`Its currency isn’t the invoice’s`
    case 'other_invoice':
      return say`It names a different invoice than the payment it belongs to`
    case 'unreadable_amount':
      return say`Its amount can’t be read`
  }
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
