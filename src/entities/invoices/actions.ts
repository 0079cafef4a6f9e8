import { say } from '../../language/say.ts'
import { longField } from '../../screens/fields/fields.ts'
import type { Action } from '../../screens/screen.ts'
import type { Invoice } from './invoice.ts'
import type { InvoiceStatus } from './status.ts'

type Open = Exclude<InvoiceStatus, 'void'>

const labels = (): Readonly<Record<Open, string>> => ({
  draft: say`Back to draft`,
  sent: say`Mark as sent`,
  partially_paid: say`Mark as partly paid`,
  paid: say`Mark as paid`,
  uncollectible: say`Mark as uncollectible`,
})

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
          label: status === 'paid' ? say`Mark as not paid` : labels()[to],
          kind: 'quiet',
        })),
        {
          wire: 'invoices_void',
          label: say`Void invoice`,
          kind: 'danger',
          fields: [longField({ name: 'reason', label: say`Reason`, rows: 2 })],
          warns: say`${display_number} keeps its number, lines and history, and is no longer owed. This can't be undone.`,
        },
      ]
