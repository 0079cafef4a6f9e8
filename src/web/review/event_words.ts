import { say } from '../../platform/i18n/say.ts'
import type { ParkedReason } from '../../payments/events/parked_events.ts'
import type { ParkedDetails } from '../../payments/events/parked_review.ts'

/** Returns why a payment event awaits a decision. */
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
export const effectText = (effect: ParkedDetails['effect']): string =>
  effect === null ? say`Nothing` : EFFECTS[effect]()

const EFFECTS: Readonly<Record<NonNullable<ParkedDetails['effect']>, () => string>> = {
  charge: () => say`Record a payment`,
  authorized: () => say`Note that a payment was authorized`,
  refund: () => say`Record a refund`,
  dispute_opened: () => say`Open a dispute`,
  dispute_closed: () => say`Close a dispute`,
  failed: () => say`Note that a payment failed`,
  pending: () => say`Note that a bank payment was started`,
  given_up: () => say`Note that a bank payment was given up`,
}
