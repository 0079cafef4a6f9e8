import { longField } from '../../screens/fields/fields.ts'
import type { Action } from '../../screens/screen.ts'
import type { Invoice } from './invoice.ts'
import type { InvoiceStatus } from './status.ts'

type Open = Exclude<InvoiceStatus, 'void'>

const LABELS: Readonly<Record<Open, string>> = {
  draft: 'Back to draft',
  sent: 'Mark as sent',
  partially_paid: 'Mark as partly paid',
  paid: 'Mark as paid',
  uncollectible: 'Mark as uncollectible',
}

/** Lists what people usually do next; the form of one that is no draft has every status. */
const USUAL: Readonly<Record<Open, readonly Open[]>> = {
  draft: ['sent', 'paid'],
  sent: ['paid', 'uncollectible', 'draft'],
  partially_paid: ['paid', 'uncollectible'],
  paid: ['sent'],
  uncollectible: ['sent', 'paid'],
}

/** Returns what can be done to an invoice now. Nothing is sent by it: sending is done elsewhere, and recorded here. */
export const invoiceActions = ({ status, display_number }: Invoice): Action[] =>
  status === 'void'
    ? []
    : [
        ...USUAL[status].map((to): Action => ({
          wire: 'invoices_update',
          given: { status: to },
          label: status === 'paid' ? 'Not paid after all' : LABELS[to],
          kind: 'quiet',
        })),
        {
          wire: 'invoices_void',
          label: 'Void invoice',
          kind: 'danger',
          fields: [longField({ name: 'reason', label: 'Reason', rows: 2 })],
          warns: `${display_number} keeps its number, its lines and its history, and nothing is owed by it any more. This can't be undone.`,
        },
      ]
