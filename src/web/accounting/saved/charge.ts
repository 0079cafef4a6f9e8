import { chargeSavedMethod, type ChargeRefusal } from '../../../payments/saved/charge.ts'
import { chargeRefusal } from '../../../payments/saved/proposed_charge.ts'
import type { ChargeOutcome } from '../../../payments/saved/charge_outcome.ts'
import { listCharges } from '../../../payments/saved/open_charges.ts'
import { findPaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { findSavedMethod, type SavedMethod } from '../../../payments/saved/saved_method.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { readMoney } from '../../../records/fields/fields.ts'
import { decimalText, digitsOf, money } from '../../../records/format/formats.ts'
import { findInvoice, type Invoice } from '../../../records/invoices/index.ts'
import { methodText } from '../../../payments/saved/method_text.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { frame } from '../../frame.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { requireRecent } from '../../sign_in/recent.ts'
import type { Site } from '../../site.ts'
import { chargeReason, declineText, reviewReason } from './decline_text.ts'
import { mayCharge } from './invoice_part.ts'

type ChargeRequest = { context: MemberContext; invoice: Invoice; method: SavedMethod | undefined; max: number }

/** Shows the amount that a saved card or account would be charged. */
export async function showCharge(site: Site, request: PageRequest): Promise<Response> {
  const chargeRequest = await readChargeRequest(site, request)
  return pageResponse(chargePage(chargeRequest, newId()))
}

/**
 * Charges it, for office members who recently authenticated. The same form sent twice charges once. There is no tool
 * for this, so an assistant can't do it.
 */
export async function makeCharge(site: Site, request: PageRequest): Promise<Response> {
  const chargeRequest = await readChargeRequest(site, request)
  const { context, invoice } = chargeRequest
  await requireRecent(site, request, context.session)
  const sent = await readFormFields(request.req.raw)
  const idempotencyKey = sent.get('press') ?? ''
  const id = isId(idempotencyKey) ? idempotencyKey : newId()
  const amount = readAmount(sent.get('amount_cents') ?? '', context.company.currency)
  if (amount === undefined)
    return pageResponse(chargePage(chargeRequest, id, say`Enter an amount above 0, such as 125.00.`), { status: 422 })
  if (site.payments === null || site.savedPayments === null) throw notFoundRefusal()
  const outcome = await chargeSavedMethod(
    (work) =>
      context.write((db) => {
        if (!mayCharge(context)) throw notFoundRefusal()
        return work(db)
      }),
    { checkout: site.payments, saved: site.savedPayments },
    {
      id,
      invoice: invoice.id,
      amount_cents: amount,
      user: context.user.id,
      today: todayIn(context.company.timezone).toString(),
    },
  )
  if (!isOutcome(outcome))
    return pageResponse(chargePage(chargeRequest, newId(), reasonOf(outcome, chargeRequest)), { status: 409 })
  return redirectWithMessage(context.path('invoices', invoice.id), {
    sentence: await outcomeText(context, invoice, outcome, amount, id),
  })
}

async function readChargeRequest(site: Site, request: PageRequest): Promise<ChargeRequest> {
  const context = await requireMemberContext(site, request)
  const id = request.req.param('id') ?? ''
  if (!mayCharge(context) || site.savedPayments === null) throw notFoundRefusal()
  const invoice = await context.read((db) => findInvoice(db, id, todayIn(context.company.timezone).toString()))
  const [method, settings] = await context.read((db) =>
    Promise.all([findSavedMethod(db, invoice.customer_id), findPaymentSettings(db)]),
  )
  return { context, invoice, method, max: settings.max_charge_cents }
}

function readAmount(text: string, currency: string): number | undefined {
  try {
    const cents = readMoney('amount_cents', text.trim(), currency)
    return cents !== undefined && cents > 0 ? cents : undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}

const OUTCOMES: ReadonlySet<string> = new Set(['starting', 'created', 'processing', 'succeeded', 'failed', 'canceled'])
const isOutcome = (result: ChargeOutcome | ChargeRefusal): result is ChargeOutcome => OUTCOMES.has(result)

async function outcomeText(
  context: MemberContext,
  { id, currency }: Invoice,
  outcome: ChargeOutcome,
  cents: number,
  charge: string,
): Promise<string> {
  const amount = money(cents, currency)
  const row = (await context.read((db) => listCharges(db, id))).find((one) => one.id === charge)
  const reason = row === undefined ? declineText(null, null) : chargeReason(row)
  switch (outcome) {
    case 'succeeded':
      return row?.code == null
        ? say`${amount} was charged.`
        : `${say`${amount} was charged, and not booked.`} ${reviewReason(row.code)}`
    case 'processing':
      return say`The bank decides on ${amount} within a few days. You don’t need to do anything.`
    case 'failed':
      return say`Nothing was charged. ${reason}`
    case 'canceled':
      return say`Nothing was charged. ${reason}`
    default:
      return say`The payments provider hasn’t answered yet. The result will show here.`
  }
}

const reasonOf = (refusal: ChargeRefusal, { invoice, max }: ChargeRequest): string =>
  refusalForPeople(chargeRefusal(refusal, invoice, max))

function chargePage(request: ChargeRequest, idempotencyKey: string, problem?: string): Html {
  const { context, invoice, method, max } = request
  const { id, display_number, customer_name, balance_due_cents, currency } = invoice
  const there = context.path('invoices', id)
  const back = linkButton(say`Cancel`, there, 'quiet')
  const isOwed = invoice.status !== 'draft' && invoice.status !== 'void' && balance_due_cents > 0
  const value = decimalText(Math.min(balance_due_cents, max), digitsOf(currency))
  return frame(context, {
    title: say`Charge saved payment method`,
    here: context.path('invoices'),
    width: 'narrow',
    styles: ['money.css'],
    body: html`
<section class="ticket">
  <p class="eyebrow">${display_number} · ${customer_name}</p>
  <h1>${method === undefined ? say`Charge saved payment method` : say`Charge ${methodText(method)}`}</h1>${when(
    problem,
    (problem) => notice({ kind: 'error', title: problem }),
  )}${
    !isOwed || method === undefined || max === 0
      ? html`
  ${notice({ kind: 'info', title: reasonText(request, isOwed) })}
  <p class="actions">${linkButton(say`Back`, there, 'main')}</p>`
      : html`
  <p class="lead">${say`${money(balance_due_cents, currency)} is left to pay.`}</p>
  <form class="form" method="post" action="${context.path('invoices', id, 'charge')}">
    ${hidden('press', idempotencyKey)}
    ${field({ name: 'amount_cents', label: say`Amount (${currency})`, value, keys: 'decimal', isRequired: true })}
    <p class="help">${say`The customer agreed to charges of this card or account, and gets a receipt.`}</p>
    <p class="actions">${button({ label: say`Charge now`, kind: 'main' })}${back}</p>
  </form>`
  }
</section>`,
  })
}

const reasonText = ({ method }: ChargeRequest, isOwed: boolean): string =>
  !isOwed
    ? say`There is nothing to pay on this invoice.`
    : method === undefined
      ? say`Nothing is on file. Ask the customer to save a card or bank account.`
      : say`An owner decided that nobody charges saved cards.`
