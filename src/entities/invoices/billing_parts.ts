import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { table } from '../../html/table.ts'
import { say } from '../../language/say.ts'
import { moment, money, phone } from '../../screens/formats.ts'
import { wordFor } from '../../screens/states.ts'
import { part, state } from '../../screens/parts.ts'
import type { PageContext } from '../../screens/page_context.ts'
import type { Billing } from './billing.ts'
import type { Delivery, Invoice } from './invoice.ts'

const kinds = () => ({
  manual: say`Marked as paid`,
  charge: say`Payment`,
  refund: say`Refund`,
  dispute: say`Lost dispute`,
})

/** Draws the notice of a dispute, before everything else. */
export const disputeNotice = ({ disputed }: Billing): Html | '' =>
  when(disputed, () =>
    notice({
      kind: 'warning',
      title: say`This invoice is disputed`,
      body: say`The bank asks for money back. Answer it at your payments provider; the outcome is noted here.`,
    }),
  )

/** Draws what was paid, and what is disputed of it. */
export function billingHtml({ company }: PageContext, { currency }: Invoice, { disputes, payments }: Billing): Html {
  const at = (instant: string | null): string => (instant === null ? say`Unknown` : moment(instant, company.timezone))
  return html`
${when(payments.length > 0, () =>
  part(
    say`Payments`,
    table({
      caption: say`Payments`,
      isCaptionHidden: true,
      empty: '',
      rows: payments,
      columns: [
        { label: say`When`, cell: (payment) => at(payment.at) },
        { label: say`What`, cell: ({ kind }) => kinds()[kind] },
        { label: say`Reference`, cell: ({ charge }) => when(charge, (charge) => html`<code>${charge}</code>`) },
        { label: say`Amount`, cell: ({ amount_cents }) => money(amount_cents, currency), isNumber: true },
      ],
    }),
  ),
)}
${when(disputes.length > 0, () =>
  part(
    say`Disputes`,
    table({
      caption: say`Disputes`,
      isCaptionHidden: true,
      empty: '',
      rows: disputes,
      columns: [
        { label: say`Reference`, cell: ({ dispute }) => html`<code>${dispute}</code>` },
        { label: say`Why`, cell: ({ reason }) => (reason === null ? say`Unknown` : wordFor(reason)) },
        { label: say`Opened`, cell: ({ opened_at }) => at(opened_at) },
        {
          label: say`Ended`,
          cell: ({ closed, closed_at, outcome }) =>
            closed ? html`${at(closed_at)}${outcome === null ? '' : `: ${wordFor(outcome)}`}` : state('open'),
        },
        {
          label: say`Amount`,
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
      say`Deliveries`,
      table({
        caption: say`Deliveries`,
        isCaptionHidden: true,
        empty: '',
        rows: deliveries,
        columns: [
          { label: say`When`, cell: ({ at }) => moment(at, company.timezone) },
          { label: say`How`, cell: ({ channel }) => (channel === 'sms' ? say`Text` : say`E-mail`) },
          { label: say`To`, cell: ({ channel, to }) => (channel === 'sms' ? phone(to) : to) },
          {
            label: say`Status`,
            cell: ({ status, error_message, error_code }) =>
              html`${state(status)}${error_message === null && error_code === null ? '' : html`<span class="help">${[error_message, error_code].filter(Boolean).join(' ')}</span>`}`,
          },
          {
            label: say`Read`,
            cell: ({ read_at }) => (read_at === null ? say`Unknown` : moment(read_at, company.timezone)),
          },
        ],
      }),
    ),
  )
