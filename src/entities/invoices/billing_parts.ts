import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { table } from '../../html/table.ts'
import { moment, money, phone, words } from '../../screens/formats.ts'
import { part, state } from '../../screens/parts.ts'
import type { PageContext } from '../../screens/page_context.ts'
import type { Billing } from './billing.ts'
import type { Delivery, Invoice } from './invoice.ts'

const KINDS = { manual: 'Marked as paid', charge: 'Payment', refund: 'Refund', dispute: 'Lost dispute' } as const

/** Draws the notice of a dispute, before everything else. */
export const disputeNotice = ({ disputed }: Billing): Html | '' =>
  when(disputed, () =>
    notice({
      kind: 'warning',
      title: 'This invoice is disputed',
      body: 'The bank asks for money back. Answer it at your payments provider; what comes of it is noted here.',
    }),
  )

/** Draws what was paid, and what is disputed of it. */
export function billingHtml({ company }: PageContext, { currency }: Invoice, { disputes, payments }: Billing): Html {
  const at = (instant: string | null): string => (instant === null ? 'Not told' : moment(instant, company.timezone))
  return html`
${when(payments.length > 0, () =>
  part(
    'Payments',
    table({
      caption: 'Payments',
      isCaptionHidden: true,
      empty: '',
      rows: payments,
      columns: [
        { label: 'When', cell: (payment) => at(payment.at) },
        { label: 'What', cell: ({ kind }) => KINDS[kind] },
        { label: "Provider's number", cell: ({ charge }) => when(charge, (charge) => html`<code>${charge}</code>`) },
        { label: 'Amount', cell: ({ amount_cents }) => money(amount_cents, currency), isNumber: true },
      ],
    }),
  ),
)}
${when(disputes.length > 0, () =>
  part(
    'Disputes',
    table({
      caption: 'Disputes',
      isCaptionHidden: true,
      empty: '',
      rows: disputes,
      columns: [
        { label: "Provider's number", cell: ({ dispute }) => html`<code>${dispute}</code>` },
        { label: 'Why', cell: ({ reason }) => (reason === null ? 'Not told' : words(reason)) },
        { label: 'Opened', cell: ({ opened_at }) => at(opened_at) },
        {
          label: 'Ended',
          cell: ({ closed, closed_at, outcome }) =>
            closed ? html`${at(closed_at)}${outcome === null ? '' : `: ${words(outcome)}`}` : state('open'),
        },
        {
          label: 'Amount',
          cell: ({ amount_cents }) => (amount_cents === null ? '' : money(amount_cents, currency)),
          isNumber: true,
        },
      ],
    }),
  ),
)}`
}

/** Draws what became of the messages that carried the invoice. */
export const deliveriesHtml = ({ company }: PageContext, deliveries: readonly Delivery[]): Html | '' =>
  when(deliveries.length > 0, () =>
    part(
      'Deliveries',
      table({
        caption: 'Deliveries',
        isCaptionHidden: true,
        empty: '',
        rows: deliveries,
        columns: [
          { label: 'When', cell: ({ at }) => moment(at, company.timezone) },
          { label: 'How', cell: ({ channel }) => (channel === 'sms' ? 'SMS' : 'E-mail') },
          { label: 'To', cell: ({ channel, to }) => (channel === 'sms' ? phone(to) : to) },
          {
            label: 'Status',
            cell: ({ status, error_message, error_code }) =>
              html`${state(status)}${error_message === null && error_code === null ? '' : html`<span class="help">${[error_message, error_code].filter(Boolean).join(' ')}</span>`}`,
          },
          {
            label: 'Read',
            cell: ({ read_at }) => (read_at === null ? 'Not known' : moment(read_at, company.timezone)),
          },
        ],
      }),
    ),
  )
