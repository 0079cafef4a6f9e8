import { findRun, type AutopayRun } from '../../../payments/saved/autopay_runs.ts'
import { hasOpenCharge, listCharges, type SavedCharge } from '../../../payments/saved/open_charges.ts'
import { findPaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { findSavedMethod } from '../../../payments/saved/saved_method.ts'
import { isOffice } from '../../../identity/permissions/areas.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { say } from '../../../platform/i18n/say.ts'
import { findInvoice } from '../../../records/invoices/index.ts'
import { day, moment, money } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { methodText } from '../../../payments/saved/method_text.ts'
import type { MemberContext } from '../../member_context.ts'
import { declineText, reviewReason } from './decline_text.ts'

/** Checks whether a member may charge saved cards: office only, with write access to invoices. */
export const mayCharge = (context: MemberContext): boolean =>
  isOffice(context.caller) && context.may('read:invoices') && context.may('write:invoices')

/** Draws the saved method to charge for an invoice, its autopay status, and past charges. */
export async function invoiceMethodPart(context: MemberContext, id: string): Promise<Html | ''> {
  if (!context.may('read:invoices')) return ''
  const invoice = await context.read((db) => findInvoice(db, id, todayIn(context.company.timezone).toString()))
  const [settings, method, charges, run, isCharging] = await context.read((db) =>
    Promise.all([
      findPaymentSettings(db),
      findSavedMethod(db, invoice.customer_id),
      listCharges(db, id),
      findRun(db, id),
      hasOpenCharge(db, id),
    ]),
  )
  const isOwed = invoice.status !== 'draft' && invoice.status !== 'void' && invoice.balance_due_cents > 0
  if (charges.length === 0 && (method === undefined || !isOwed)) return ''
  const isOffered = isOwed && method !== undefined && !isCharging && mayCharge(context) && settings.max_charge_cents > 0
  return part(
    say`Saved payment method`,
    html`${when(isOwed ? run : undefined, (run) => runNotice(run))}${when(
      method,
      (method) => html`<p><b>${methodText(method)}</b></p>`,
    )}${when(charges.length > 0, () => chargesTable(context, invoice.currency, charges))}`,
    when(isOffered, () => linkButton(say`Charge`, context.path('invoices', id, 'charge'))),
  )
}

function runNotice({ state, charge_on, failures, code }: AutopayRun): Html | '' {
  if (state === 'stopped' || (failures === 0 && state !== 'waiting')) return ''
  if (failures === 0) return notice({ kind: 'info', title: say`Charged automatically on ${day(charge_on)}` })
  return notice({
    kind: 'warning',
    title: say`The automatic payment failed`,
    body: html`${declineText(code, null)} ${
      state === 'failed'
        ? say`It won’t be tried again automatically. Call the customer, or record how they paid.`
        : say`It will be tried again on ${day(charge_on)}.`
    }`,
  })
}

const chargesTable = (context: MemberContext, currency: string, charges: readonly SavedCharge[]): Html =>
  table({
    caption: say`Charges`,
    isCaptionHidden: true,
    empty: '',
    rows: charges,
    columns: [
      { label: say`When`, cell: ({ created_at }) => moment(created_at, context.company.timezone) },
      { label: say`From`, cell: (charge) => methodText(charge) },
      { label: say`Who`, cell: ({ cause, user_name }) => (cause === 'autopay' ? say`Automatic` : (user_name ?? '')) },
      { label: say`Status`, cell: chargeStatus },
      { label: say`Amount`, cell: ({ amount_cents }) => money(amount_cents, currency), isNumber: true },
    ],
  })

function chargeStatus({ state, code, message }: SavedCharge): Html {
  switch (state) {
    case 'succeeded':
      return code === null
        ? status(say`Charged`, 'good')
        : html`${status(say`Charged, not booked`, 'warning')}<span class="help">${reviewReason(code)}</span>`
    case 'failed':
      return html`${status(say`Failed`, 'error')}<span class="help">${declineText(code, message)}</span>`
    case 'canceled':
      return html`${status(say`Not charged`, 'ended')}<span class="help">${declineText(code, message)}</span>`
    case 'processing':
      return status(say`The bank decides`)
    default:
      return status(say`Being charged`)
  }
}
