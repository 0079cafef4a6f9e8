import { say } from '../../platform/i18n/say.ts'
import { textAreaField } from '../fields/fields.ts'
import type { Action } from '../page/screen.ts'
import type { Invoice } from './fields.ts'
import type { InvoiceStatus } from './status.ts'

type OpenStatus = Exclude<InvoiceStatus, 'void'>
type SettableStatus = Exclude<OpenStatus, 'partially_paid'>

const labels = (): Readonly<Record<SettableStatus, string>> => ({
  draft: say`Back to draft`,
  sent: say`Mark as sent`,
  paid: say`Mark as paid`,
  uncollectible: say`Mark as uncollectible`,
})

/** Usual next statuses, besides recording a payment: only payments make an invoice paid while money is owed. */
const NEXT_STATUSES: Readonly<Record<OpenStatus, readonly SettableStatus[]>> = {
  draft: ['sent'],
  sent: ['uncollectible', 'draft'],
  partially_paid: ['uncollectible'],
  paid: ['sent'],
  uncollectible: ['sent'],
}

/** Returns the current actions of an invoice. None of them sends it: sending is done elsewhere, and recorded here. */
export const invoiceActions = ({ status, display_number, balance_due_cents }: Invoice): Action[] =>
  status === 'void'
    ? []
    : [
        ...[...(isSettled(status, balance_due_cents) ? (['paid'] as const) : []), ...NEXT_STATUSES[status]].map(
          (to): Action => ({
            wire: 'invoices_update',
            input: { status: to },
            label: status === 'paid' ? say`Mark as not paid` : labels()[to],
            isHidden: status === 'paid',
            kind: 'quiet',
          }),
        ),
        {
          wire: 'invoices_void',
          label: say`Void invoice`,
          kind: 'danger',
          fields: [textAreaField({ name: 'reason', label: say`Reason`, rows: 2 })],
          warning: say`${display_number} keeps its number, lines and history, and is no longer owed. This can't be undone.`,
        },
      ]

/** Checks whether nothing is owed on an unpaid invoice, such as one with a total of 0. */
const isSettled = (status: OpenStatus, balance: number): boolean =>
  status !== 'paid' && status !== 'draft' && balance <= 0

/** Checks whether a payment can be recorded: the invoice isn't void, and money is owed. */
export const isOwed = ({ status, balance_due_cents }: Invoice): boolean => status !== 'void' && balance_due_cents > 0
