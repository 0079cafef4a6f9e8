import type { OpenedLink } from '../../../customer_portal/open_link.ts'
import { findRun, type AutopayRun } from '../../../payments/saved/autopay_runs.ts'
import { findPaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { findSavedMethod, type SavedMethod } from '../../../payments/saved/saved_method.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { say } from '../../../platform/i18n/say.ts'
import { day, money } from '../../../records/format/formats.ts'
import type { LinkContext } from '../link_context.ts'
import { methodText } from '../../../payments/saved/method_text.ts'

/** Saved payment method and autopay status that a link's page shows. */
type MethodState = { isOffered: boolean; method: SavedMethod | undefined; run: AutopayRun | undefined }

/** Reads the state; empty for a link to a quote, which may be forwarded. */
export async function findMethodState(
  db: Db,
  link: Pick<OpenedLink, 'kind' | 'customer_id'>,
  invoice: string | null,
): Promise<MethodState> {
  if (link.kind === 'quotes') return { isOffered: false, method: undefined, run: undefined }
  const [settings, method, run] = await Promise.all([
    findPaymentSettings(db),
    findSavedMethod(db, link.customer_id),
    invoice === null ? undefined : findRun(db, invoice),
  ])
  return { isOffered: settings.saves_methods, method, run }
}

/** Draws the link to the saved payment method. */
export const methodButton = ({ base }: LinkContext, { isOffered, method }: MethodState): Html | '' =>
  method === undefined && !isOffered
    ? ''
    : linkButton(method === undefined ? say`Save a card` : methodText(method), `${base}/saved`, 'quiet')

/** Draws the link in its own line. */
export const methodLine = (context: LinkContext, state: MethodState): Html =>
  html`${when(
    methodButton(context, state),
    (link) => html`
<p class="actions">${link}</p>`,
  )}`

type Amount = { balance_due_cents: number; currency: string }

/** Draws when an invoice is charged automatically, or that the charge failed. */
export function autopayNotice({ method, run }: MethodState, { balance_due_cents, currency }: Amount): Html | '' {
  if (run === undefined || run.state === 'stopped') return ''
  const amount = money(balance_due_cents, currency)
  if (run.failures > 0)
    return notice({
      kind: 'warning',
      title: say`Your automatic payment of ${amount} didn’t go through`,
      body:
        run.state === 'failed'
          ? say`Nothing was charged. Please pay here, or save another card or account.`
          : say`Nothing was charged. We will try again on ${day(run.charge_on)}. You can also pay now.`,
    })
  return method === undefined
    ? ''
    : notice({
        kind: 'info',
        title: say`${amount} will be charged automatically on ${day(run.charge_on)}`,
        body: say`To ${methodText(method)}. You can also pay now, and nothing is charged then.`,
      })
}
