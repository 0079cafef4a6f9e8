import { billingStateOf, type Invoice, type Payment } from '../../../records/invoices/index.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal, notFound } from '../../../platform/errors/refusal.ts'
import { dayField } from '../../../records/fields/fields.ts'
import { fillForm, type FormField, type FormValues } from '../../../records/fields/form_field.ts'
import { formHtml, loadForm, readForm } from '../../../records/form/form.ts'
import { day, money } from '../../../records/format/formats.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../../records/form/problems.ts'
import { statusOf } from '../../faults.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { requireCashier } from '../payments/payment.ts'

const dateField = (): FormField =>
  dayField({
    name: 'paid_on',
    label: say`Date`,
    help: say`The payment's own day for a mistake; for a check that bounced, the day it came back`,
  })

/** Asks for confirmation before a payment is reversed. */
export async function showPaymentReversal(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCashier(site, request)
  const [invoice, payment] = await requirePayment(context, request)
  return pageResponse(
    await confirmationPage(context, invoice, payment, fillForm([dateField()], payment, context.company)),
  )
}

/** Reverses a payment. Without a date, as from the undo right after recording, it uses the payment's own date. */
export async function reversePayment(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCashier(site, request)
  const values = await readFormFields(request.req.raw)
  const [invoice, payment] = await requirePayment(context, request)
  const form = await loadForm(context, [dateField()], 'update', values)
  try {
    const input = { id: invoice.id, payment_id: payment.id, ...readForm(form, values) }
    const { display_number, balance_due_cents, currency } = await context.call('invoices_take_back_payment', input)
    return redirectWithMessage(context.path('invoices', invoice.id), {
      sentence: say`Payment undone. ${money(balance_due_cents, currency)} is left to pay on ${display_number}.`,
      next: { label: say`Record payment`, href: context.path('invoices', invoice.id, 'payment') },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const page = await confirmationPage(context, invoice, payment, values, problemsOf(error, form.fields))
    return pageResponse(page, { status: statusOf(error) })
  }
}

async function requirePayment(context: MemberContext, { req }: PageRequest): Promise<[Invoice, Payment]> {
  const id = req.param('id')!
  const [invoice, { payments }] = await Promise.all([
    context.call('invoices_get', { id }),
    context.read((db) => billingStateOf(db, id)),
  ])
  const payment = payments.find((payment) => payment.id === req.param('payment'))
  if (payment === undefined) throw notFound('payment')
  return [invoice, payment]
}

async function confirmationPage(
  context: MemberContext,
  { id, display_number, customer_name, currency }: Invoice,
  payment: Payment,
  values: FormValues,
  problems: Problems = NO_PROBLEMS,
): Promise<Html> {
  const form = await loadForm(context, [dateField()], 'update', values)
  return frame(context, {
    title: say`Undo payment`,
    here: context.path('invoices'),
    width: 'narrow',
    body: html`
<section class="ticket">
  <p class="eyebrow">${display_number} · ${customer_name}</p>
  <h1>${say`Undo the ${money(payment.amount_cents, currency)} payment of ${day(payment.paid_on)}?`}</h1>
  <p class="lead">
    ${say`Both entries stay in the list of payments, and the amount is owed again. This doesn’t move any money. Refund the customer yourself.`}
  </p>
  ${formHtml({
    form,
    values,
    problems,
    action: context.path('invoices', id, 'payments', payment.id, 'take-back'),
    actions: html`${button({ label: say`Undo payment`, kind: 'danger' })}${linkButton(
      say`Keep payment`,
      context.path('invoices', id),
      'quiet',
    )}`,
  })}
</section>`,
  })
}
