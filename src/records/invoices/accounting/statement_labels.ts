import { say } from '../../../platform/i18n/say.ts'
import { paymentLabel } from '../payments/payment_labels.ts'
import type { Ages } from './aging.ts'
import type { StatementEntry } from './statement.ts'

/** Returns the label of a statement's entry. */
export function statementLabel({ kind, display_number }: Pick<StatementEntry, 'kind' | 'display_number'>): string {
  switch (kind) {
    case 'invoice':
      return say`Invoice ${display_number}`
    case 'write_off':
      return say`Invoice ${display_number} written off`
    case 'void':
      return say`Invoice ${display_number} voided`
    case 'refund':
      return say`Refund on ${display_number}`
    case 'dispute':
      return say`Lost dispute on ${display_number}`
    case 'taken_back':
      return say`Payment on ${display_number} undone`
    default:
      return say`Payment on ${display_number}`
  }
}

/** Returns the payment method of an entry with its reference; null if the entry isn't a payment. */
export function statementMethod({ kind, method, reference }: StatementEntry): string | null {
  if (kind === 'invoice' || kind === 'write_off' || kind === 'void' || kind === 'refund' || kind === 'dispute')
    return null
  const label = paymentLabel(kind === 'taken_back' ? 'recorded' : kind, method)
  return reference === null ? label : `${label} · ${reference}`
}

/** Returns the labels of the aging groups, by days past due. */
export const listAges = (): { age: Exclude<keyof Ages, 'balance_cents'>; label: string }[] => [
  { age: 'current_cents', label: say`Not due` },
  { age: 'to_30_cents', label: say`1–30 days` },
  { age: 'to_60_cents', label: say`31–60 days` },
  { age: 'to_90_cents', label: say`61–90 days` },
  { age: 'over_90_cents', label: say`Over 90 days` },
]
