import type { SetupRefusal } from '../../../payments/saved/setup.ts'
import { listAutopay, type Autopay } from '../../../payments/saved/autopay_consent.ts'
import { listRunsOf, type AutopayRun } from '../../../payments/saved/autopay_runs.ts'
import { findPaymentSettings, type PaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { findLostMethod, findSavedMethod, type SavedMethod } from '../../../payments/saved/saved_method.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { newId } from '../../../platform/validation/id.ts'
import { say } from '../../../platform/i18n/say.ts'
import { activePlansOf } from '../../../records/plans/index.ts'
import { money, shortDay } from '../../../records/format/formats.ts'
import type { FlashMessage } from '../../flash_message.ts'
import { customerPage } from '../customer_page.ts'
import type { LinkContext } from '../link_context.ts'
import { autopayText, savingText } from './consent_texts.ts'
import { expiryText, methodText } from '../../../payments/saved/method_text.ts'

/** Customer's saved method and consents, and the choices offered. */
export type SavedPaymentsView = {
  settings: PaymentSettings
  method: SavedMethod | undefined
  lostMethod: SavedMethod | undefined
  autopay: Autopay[]
  plans: { id: string; name: string }[]
  runs: AutopayRun[]
}

export async function readSavedPayments({ link, read }: LinkContext): Promise<SavedPaymentsView> {
  const customer = link.customer_id
  return read(async (db) => {
    const [settings, method, lostMethod, autopay, plans, runs] = await Promise.all([
      findPaymentSettings(db),
      findSavedMethod(db, customer),
      findLostMethod(db, customer),
      listAutopay(db, customer),
      activePlansOf(db, customer),
      listRunsOf(db, customer),
    ])
    return { settings, method, lostMethod, autopay, plans, runs }
  })
}

/** Checks whether the page has anything to show to the link's customer. */
export const hasSavedPage = ({ settings, method }: Pick<SavedPaymentsView, 'settings' | 'method'>): boolean =>
  settings.saves_methods || method !== undefined

type MethodPageOptions = { flashMessage?: FlashMessage | undefined; status?: number; problem?: string | undefined }

const lostText = (): string =>
  [
    say`Your bank or card company ended it. Automatic payments have stopped.`,
    say`Save another card or account to continue.`,
  ].join(' ')

/** Draws the page where a customer manages their saved method and autopay. */
export function methodPage(
  context: LinkContext,
  view: SavedPaymentsView,
  { problem, ...options }: MethodPageOptions = {},
): Response {
  const { company, base, link } = context
  const { method, lostMethod, settings } = view
  return customerPage({
    ...options,
    from: company,
    back: base,
    title: say`Saved payment method`,
    leavesSite: true,
    scripts: ['form.js'],
    body: html`${when(problem, (problem) => notice({ kind: 'error', title: problem }))}
<h1>${say`Saved payment method`}</h1>
<p class="lead">${link.customer_name}</p>${when(lostMethod, (lost) =>
      notice({ kind: 'warning', title: say`${methodText(lost)} can’t be used anymore`, body: lostText() }),
    )}${when(method, (method) => methodHtml(base, method))}${when(settings.saves_methods, () =>
      saveForm(context, method !== undefined),
    )}${runsHtml(view)}${autopayHtml(context, view)}`,
  })
}

const methodHtml = (base: string, method: SavedMethod): Html => html`
<section class="part">
  <h2>${methodText(method)}</h2>${when(
    expiryText(method),
    (text) => html`
  <p>${text}</p>`,
  )}
  <details><summary>${say`What you agreed to`}</summary>
  <p>${method.consent}</p></details>
  <form method="post" action="${base}/saved">${hidden('act', 'remove')}${button({
    label: say`Remove`,
    kind: 'quiet',
  })}</form>
</section>`

const saveForm = ({ base, company }: LinkContext, isReplacement: boolean): Html => html`
<section class="part">
  <h2>${isReplacement ? say`Use another card or account` : say`Save a card or bank account`}</h2>
  <form class="form" method="post" action="${base}/saved">
    ${hidden('act', 'save')}${hidden('press', newId())}
    <p>${savingText(company.name)}</p>
    <p class="help">${say`You enter it on the page of our payments provider. We never see the number.`}</p>
    <p class="actions">${button({
      label: isReplacement ? say`Agree and replace` : say`Agree and continue`,
      kind: isReplacement ? 'plain' : 'main',
    })}</p>
  </form>
</section>`

const runsHtml = ({ runs }: SavedPaymentsView): Html | '' =>
  when(
    runs.length > 0,
    () => html`
<section class="part"><h2>${say`Automatic payments to come`}</h2>
<ul class="papers">${runs.map(
      (run) => html`
  <li>${say`Invoice ${run.display_number}`} <span>${runText(run)}</span>
    <b>${money(run.balance_due_cents, run.currency)}</b></li>`,
    )}
</ul></section>`,
  )

/** Describes an automatic payment's status to its customer. */
function runText({ state, charge_on, failures }: Pick<AutopayRun, 'state' | 'charge_on' | 'failures'>): string {
  if (state === 'charging') return say`is being charged`
  if (state === 'failed') return say`failed; please pay it, or save another card or account`
  return failures > 0 ? say`failed; tried again on ${shortDay(charge_on)}` : say`on ${shortDay(charge_on)}`
}

function autopayHtml(
  { base, company }: LinkContext,
  { settings, method, autopay, plans }: SavedPaymentsView,
): Html | '' {
  const allInvoices = autopay.find(({ plan_id }) => plan_id === null)
  const offeredPlans = plans.filter(({ id }) => !autopay.some(({ plan_id }) => plan_id === id))
  const isOffered = settings.offers_autopay && method !== undefined
  if (autopay.length === 0 && !isOffered) return ''
  return html`
<section class="part"><h2>${say`Automatic payments`}</h2>${autopay.map(
    ({ id, plan_name, consent }) => html`
  <form class="form" method="post" action="${base}/saved">
    <p><b>${plan_name ?? say`All invoices`}</b></p>
    <details><summary>${say`What you agreed to`}</summary>
    <p>${consent}</p></details>
    ${hidden('act', 'stop')}${hidden('id', id)}
    <p class="actions">${button({ label: say`Stop`, kind: 'quiet' })}</p>
  </form>`,
  )}${when(
    isOffered,
    () =>
      html`${[...(allInvoices === undefined ? [{ id: '', name: null }] : []), ...offeredPlans].map(
        ({ id, name }) => html`
  <form class="form" method="post" action="${base}/saved">
    <p><b>${name ?? say`All invoices`}</b></p>
    <p>${autopayText(company.name, name)}</p>
    ${hidden('act', 'autopay')}${hidden('plan', id)}
    <p class="actions">${button({ label: say`Agree and pay automatically` })}</p>
  </form>`,
      )}`,
  )}
</section>`
}

/** Explains to a customer why the provider's page can't be opened. */
export function setupRefusalText(reason: SetupRefusal, { company }: LinkContext): string {
  return reason === 'unreachable'
    ? say`The page isn’t available right now. Nothing was saved. Try again later.`
    : say`A card or account can’t be saved here now. Ask ${company.name}.`
}
