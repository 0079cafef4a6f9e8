import { say } from '../../../platform/i18n/say.ts'
import type { PaymentKind } from '../billing/billing.ts'
import type { PaymentMethod } from './recorded_payments.ts'

export function methodLabel(method: PaymentMethod): string {
  switch (method) {
    case 'cash':
      return say`Cash`
    case 'check':
      return say`Check`
    case 'card':
      return say`Card`
    case 'bank_transfer':
      return say`Bank transfer`
    default:
      return say`Other`
  }
}

/** Returns how the money came: by the payment's method, or else by what created the payment. */
const paymentMethodLabel = (kind: PaymentKind, method: PaymentMethod | null): string =>
  method !== null ? methodLabel(method) : kind === 'manual' ? say`Marked as paid` : say`Online`

/** Returns the label of a payment in an invoice's list of payments. */
export function paymentLabel(kind: PaymentKind, method: PaymentMethod | null): string {
  switch (kind) {
    case 'refund':
      return say`Refund`
    case 'dispute':
      return say`Lost dispute`
    case 'charge':
      return say`Online payment`
    case 'taken_back':
      return say`${paymentMethodLabel(kind, method)}, taken back`
    default:
      return paymentMethodLabel(kind, method)
  }
}
