import { longField } from '../../screens/fields/fields.ts'
import type { Action } from '../../screens/screen.ts'
import type { Invoice } from './invoice.ts'
import type { InvoiceStatus } from './status.ts'

type Open = Exclude<InvoiceStatus, 'void'>

const LABELS: Readonly<Record<Exclude<Open, 'partially_paid'>, string>> = {
  draft: 'Back to draft',
  sent: 'Mark as sent',
  paid: 'Mark as paid',
  uncollectible: 'Mark as uncollectible',
}

/** Lists what people usually do next beside recording a payment, which alone makes an invoice paid while money is owed. */
const USUAL: Readonly<Record<Open, readonly (keyof typeof LABELS)[]>> = {
  draft: ['sent'],
  sent: ['uncollectible', 'draft'],
  partially_paid: ['uncollectible'],
  paid: ['sent'],
  uncollectible: ['sent'],
}

/** Returns what can be done to an invoice now. Nothing is sent by it: sending is done elsewhere, and recorded here. */
export const invoiceActions = ({ status, display_number, balance_due_cents }: Invoice): Action[] =>
  status === 'void'
    ? []
    : [
        ...[...(isSettled(status, balance_due_cents) ? (['paid'] as const) : []), ...USUAL[status]].map(
          (to, i): Action => ({
            wire: 'invoices_update',
            given: { status: to },
            label: LABELS[to],
            isHidden: status === 'paid',
            ...(i === 0 && to !== 'uncollectible' ? { kind: 'main' } : {}),
          }),
        ),
        {
          wire: 'invoices_void',
          label: 'Void the invoice',
          kind: 'danger',
          fields: [longField({ name: 'reason', label: 'Reason', rows: 2 })],
          warns: `${display_number} keeps its number, its lines and its history, and nothing is owed by it any more. This can't be undone.`,
        },
      ]

/** Tells whether nothing is owed though nobody paid, as on an invoice that came to nothing. */
const isSettled = (status: Open, balance: number): boolean => status !== 'paid' && status !== 'draft' && balance <= 0

/** Tells whether a payment can be recorded: money is owed, whatever it is marked as. */
export const isOwed = ({ status, balance_due_cents }: Invoice): boolean => status !== 'void' && balance_due_cents > 0
