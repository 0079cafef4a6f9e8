import { say } from '../../../platform/i18n/say.ts'
import type { PaymentKind } from '../billing/billing.ts'
import type { PaymentMethod } from './recorded_payments.ts'

export const methodLabel = (method: PaymentMethod): string => METHOD_LABELS[method]()

const METHOD_LABELS: Readonly<Record<PaymentMethod, () => string>> = {
  cash: () => say`Cash`,
  check: () => say`Check`,
  card: () => say`Card`,
  bank_transfer: () => say`Bank transfer`,
  other: () => say`Other`,
}

/** Returns the label of a payment's method, or else of its source. */
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
