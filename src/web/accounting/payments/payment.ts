import { defaultPaymentMethod, type Invoice } from '../../../records/invoices/index.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { fillForm, type FormValues } from '../../../records/fields/form_field.ts'
import { formHtml, loadForm, readForm } from '../../../records/form/form.ts'
import { money } from '../../../records/format/formats.ts'
import { NO_PROBLEMS, problemsOf, type Problems } from '../../../records/form/problems.ts'
import { newId } from '../../../platform/validation/id.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { statusOf } from '../../faults.ts'
import { frame } from '../../frame.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { paymentFields } from './payment_form.ts'

/** Shows the payment form, filled in with the full balance due. */
export async function showPayment(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCashier(site, request)
  const invoice = await context.call('invoices_get', { id: request.req.param('id') })
  const method = await context.read((db) => defaultPaymentMethod(db, invoice.customer_id))
  const record = {
    amount_cents: invoice.balance_due_cents,
    method,
    paid_on: todayIn(context.company.timezone).toString(),
  }
  const values = fillForm(paymentFields(), record, context.company)
  return pageResponse(await paymentPage(context, invoice, values, newId(), NO_PROBLEMS))
}

/** Records the payment, or shows the form again with its errors. The same form sent twice records one payment. */
export async function recordPayment(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCashier(site, request)
  const values = await readFormFields(request.req.raw)
  const invoice = await context.call('invoices_get', { id: request.req.param('id') })
  const { id, display_number, currency } = invoice
  const form = await loadForm(context, paymentFields(), 'create', values)
  try {
    const input = { id, ...readForm(form, values), idempotency_key: values.get('idempotency_key') ?? newId() }
    const { payment_id, balance_due_cents } = await context.call('invoices_record_payment', input)
    return redirectWithMessage(context.path('invoices', id), {
      sentence:
        balance_due_cents > 0
          ? say`Payment recorded on ${display_number}. ${money(balance_due_cents, currency)} is left to pay.`
          : say`Payment recorded. ${display_number} is paid.`,
      next: { label: say`Unpaid invoices`, href: context.path('reports', 'aging') },
      undo: { action: context.path('invoices', id, 'payments', payment_id, 'take-back'), fields: {} },
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    const page = await paymentPage(context, invoice, values, newId(), problemsOf(error, form.fields))
    return pageResponse(page, { status: statusOf(error) })
  }
}

/** Answers 404 to members who can't write invoices. */
export async function requireCashier(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:invoices') || !context.may('write:invoices')) throw notFoundRefusal()
  return context
}

async function paymentPage(
  context: MemberContext,
  invoice: Invoice,
  values: FormValues,
  key: string,
  problems: Problems,
): Promise<Html> {
  const { id, display_number, customer_name, balance_due_cents, currency } = invoice
  const form = await loadForm(context, paymentFields(), 'create', values)
  const there = context.path('invoices', id)
  const back = linkButton(say`Cancel`, there, 'quiet')
  return frame(context, {
    title: say`Record payment`,
    here: context.path('invoices'),
    width: 'narrow',
    styles: ['money.css'],
    body: html`
<section class="ticket">
  <p class="eyebrow">${display_number} · ${customer_name}</p>
  <h1>${say`Record payment`}</h1>
  ${
    balance_due_cents <= 0
      ? html`${notice({ kind: 'info', title: say`Nothing is owed on this invoice`, body: reasonOf(invoice) })}
  <p class="actions">${linkButton(say`Back`, there, 'main')}</p>`
      : html`<p class="lead">${say`${money(balance_due_cents, currency)} is left to pay.`}${
          invoice.status === 'draft' ? html` ${say`It is a draft: a payment issues it as it stands.`}` : ''
        }</p>
  ${formHtml({
    form,
    values,
    problems,
    action: context.path('invoices', id, 'payment'),
    hiddenInputs: { idempotency_key: key },
    actions: html`${button({ label: say`Record payment`, kind: 'main' })}${back}`,
  })}`
  }
</section>`,
  })
}

function reasonOf({ status }: Invoice): string {
  if (status === 'void') return say`It is void.`
  return status === 'paid' ? say`It is already paid.` : say`Nothing left to pay.`
}
