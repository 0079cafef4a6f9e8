import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { status as tag } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { storedTextForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say, sayFor } from '../../../platform/i18n/say.ts'
import { moment, money, phone, shortDay } from '../../format/formats.ts'
import { wordFor } from '../../page/states.ts'
import { part, statusTag } from '../../page/parts.ts'
import type { PageContext } from '../../page/page_context.ts'
import type { Billing, Payment } from './billing.ts'
import type { Delivery, Invoice } from '../fields.ts'
import { paymentLabel } from '../payments/payment_labels.ts'

/** Renders the notices of a dispute and of a bank payment, at the top of the page. */
export const moneyNotices = (billing: Billing, invoice: Invoice): Html =>
  html`${disputeNotice(billing)}${bankPaymentNotice(billing, invoice)}`

const disputeNotice = ({ disputed }: Billing): Html | '' =>
  when(disputed, () =>
    notice({
      kind: 'warning',
      title: say`This invoice is disputed`,
      body: say`The bank asks for money back. Answer it at your payments provider; the outcome is noted here.`,
    }),
  )

/** Renders the notice of a pending or failed bank payment, while something is owed. */
const bankPaymentNotice = ({ bank_payment }: Billing, { status, balance_due_cents, currency }: Invoice): Html | '' =>
  when(status === 'void' || balance_due_cents <= 0 ? null : bank_payment, ({ state, amount_cents }) => {
    const amount = money(amount_cents ?? balance_due_cents, currency)
    return state === 'pending'
      ? notice({
          kind: 'info',
          title: say`A bank payment of ${amount} is being processed`,
          body: say`The bank can take several business days. Until then no reminders go out, and the customer can’t pay again.`,
        })
      : notice({
          kind: 'warning',
          title: say`A bank payment of ${amount} didn’t go through`,
          body: say`Nothing was charged. The customer can pay again, and reminders resume.`,
        })
  })

/** Renders the payments, tips and disputes. */
export function billingHtml(context: PageContext, invoice: Invoice, { disputes, payments, tips }: Billing): Html {
  const [{ company }, { currency }] = [context, invoice]
  const formatInstant = (instant: string | null): string =>
    instant === null ? say`Unknown` : moment(instant, company.timezone)
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
        { label: say`Date`, cell: ({ paid_on }) => shortDay(paid_on), isOneLine: true },
        { label: say`How`, cell: methodCell },
        { label: say`Reference`, cell: referenceOf },
        { label: say`Who`, cell: ({ recorded_by }) => recorded_by ?? '' },
        { label: say`Amount`, cell: ({ amount_cents }) => money(amount_cents, currency), isNumber: true },
        ...(payments.some(hasReceipt)
          ? [{ label: say`Receipt`, cell: (payment: Payment) => receiptLink(context, invoice, payment) }]
          : []),
        ...(payments.some((payment) => reversalLink(context, invoice, payment) !== '')
          ? [{ label: say`Undo payment`, cell: (payment: Payment) => reversalLink(context, invoice, payment) }]
          : []),
      ],
    }),
  ),
)}
${tipsHtml(tips, currency)}
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
        { label: say`Opened`, cell: ({ opened_at }) => formatInstant(opened_at) },
        {
          label: sayFor('dispute')`Ended`,
          cell: ({ closed, closed_at, outcome }) =>
            closed
              ? html`${formatInstant(closed_at)}${outcome === null ? '' : `: ${wordFor(outcome)}`}`
              : statusTag('open', 'dispute'),
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

const tipsHtml = (tips: Billing['tips'], currency: string): Html | '' =>
  when(tips.length > 0, () =>
    part(
      say`Tips`,
      table({
        caption: say`Tips`,
        isCaptionHidden: true,
        empty: '',
        rows: tips,
        columns: [
          { label: say`Date`, cell: ({ paid_on }) => shortDay(paid_on), isOneLine: true },
          { label: say`How`, cell: ({ kind }) => tipLabel(kind) },
          { label: say`Amount`, cell: ({ amount_cents }) => money(amount_cents, currency), isNumber: true },
        ],
      }),
    ),
  )

const tipLabel = (kind: Billing['tips'][number]['kind']): string =>
  kind === 'tip' ? say`Tip` : kind === 'refund' ? say`Refund` : say`Lost dispute`

const methodCell = ({ kind, method, is_taken_back, note }: Payment): Html =>
  html`<span>${paymentLabel(kind, method)}${when(
    is_taken_back,
    () => html` ${tag(sayFor('payment')`Undone`, 'ended')}`,
  )}${when(note, (note) => html`<span class="help written">${note}</span>`)}</span>`

const referenceOf = ({ charge, reference }: Payment): Html | string =>
  charge === null ? (reference ?? '') : html`<code>${charge}</code>`

/** Checks whether a payment has a receipt: incoming money that was recorded here or reported by the provider. */
const hasReceipt = ({ kind, amount_cents }: Payment): boolean =>
  (kind === 'recorded' || kind === 'charge') && amount_cents > 0

const receiptLink = (context: PageContext, { id }: Invoice, payment: Payment): Html | '' =>
  hasReceipt(payment)
    ? html`<a href="${context.path('invoices', id, 'payments', payment.id, 'receipt')}">${say`Receipt`}</a>`
    : ''

/** Renders the link or button that undoes a payment. Provider payments are undone at the provider. */
function reversalLink(
  context: PageContext,
  { id, status }: Invoice,
  { id: payment, kind, is_taken_back }: Payment,
): Html | '' {
  if (status === 'void' || is_taken_back || !context.may('write:invoices')) return ''
  if (kind === 'recorded')
    return linkButton(say`Undo payment…`, context.path('invoices', id, 'payments', payment, 'take-back'), 'quiet')
  return kind !== 'manual' || status !== 'paid'
    ? ''
    : html`<form method="post"
      action="${context.path('invoices', id, 'do', 'invoices_update-sent')}">${button({
        label: say`Undo payment`,
        kind: 'quiet',
      })}</form>`
}

/** Renders the delivery status of the invoice's messages. */
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
          { label: say`How`, cell: ({ channel }) => (channel === 'sms' ? sayFor('message')`Text` : say`Email`) },
          { label: say`To`, cell: ({ channel, to }) => (channel === 'sms' ? phone(to) : to) },
          {
            label: say`Status`,
            cell: ({ status, error_message, error_code }) =>
              html`${statusTag(status, 'message')}${
                error_message === null && error_code === null
                  ? ''
                  : html`<span class="help">${[error_message && storedTextForPeople(error_message), error_code]
                      .filter(Boolean)
                      .join(' ')}</span>`
              }`,
          },
          {
            label: say`Read`,
            cell: ({ read_at }) => (read_at === null ? say`Unknown` : moment(read_at, company.timezone)),
          },
        ],
      }),
    ),
  )
