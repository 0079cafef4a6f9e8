import type { PaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, hidden, select } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { newId } from '../../../platform/validation/id.ts'
import { readMoney } from '../../../records/fields/fields.ts'
import { money } from '../../../records/format/formats.ts'
import type { Invoice } from '../../../records/invoices/index.ts'
import type { PortalDocument } from '../document.ts'

/** Suggested tips, in percent of the balance due. */
const TIP_PERCENTS: readonly number[] = [10, 15, 20]

type Choices = Pick<PaymentSettings, 'takes_parts' | 'takes_tips'>

/** Draws the button that pays the full balance. */
export const payForm = ({ base }: PortalDocument, { balance_due_cents, currency }: Invoice): Html => html`
    <form method="post" action="${base}/pay">
      ${hidden('press', newId())}${button({ label: say`Pay ${money(balance_due_cents, currency)}`, kind: 'main' })}
    </form>`

/** Draws the choices of a partial payment and a tip, if the company allows them. */
export const payChoices = (
  { base }: PortalDocument,
  { balance_due_cents, currency }: Invoice,
  { takes_parts, takes_tips }: Choices,
): Html | '' =>
  when(
    takes_parts || takes_tips,
    () => html`
<section class="part">
  <h2>${choicesLabel(takes_parts, takes_tips)}</h2>
  <form class="form" method="post" action="${base}/pay">
    ${hidden('press', newId())}${when(takes_parts, () =>
      field({
        name: 'part',
        label: say`Amount to pay now (${currency})`,
        help: say`Leave it empty to pay ${money(balance_due_cents, currency)}`,
        keys: 'decimal',
      }),
    )}${when(takes_tips, () => tipFields({ balance_due_cents, currency }))}
    <p class="actions">${button({ label: say`Continue to pay` })}</p>
  </form>
</section>`,
  )

const choicesLabel = (isPart: boolean, isTip: boolean): string =>
  isPart && isTip ? say`Pay a part or add a tip` : isPart ? say`Pay a part` : say`Add a tip`

type Due = Pick<Invoice, 'balance_due_cents' | 'currency'>

const tipFields = ({ balance_due_cents: due, currency }: Due): Html =>
  html`${select({
    name: 'tip',
    label: say`Tip`,
    none: say`No tip`,
    options: TIP_PERCENTS.map((percent) => {
      const cents = Math.round((due * percent) / 100)
      return { value: String(cents), label: say`${money(cents, currency)} (${percent}%)` }
    }),
  })}${field({ name: 'other_tip', label: say`Another tip (${currency})`, keys: 'decimal' })}`

/** Reads a customer's choices; undefined for an invalid amount. */
export function readPayAmounts(
  sent: URLSearchParams,
  currency: string,
): { part_cents: number | null; tip_cents: number } | undefined {
  try {
    const part = readMoney('part', (sent.get('part') ?? '').trim(), currency)
    const other = readMoney('other_tip', (sent.get('other_tip') ?? '').trim(), currency)
    const chosen = sent.get('tip') ?? ''
    if (!/^\d{0,12}$/.test(chosen) || (other ?? 0) < 0 || (part ?? 1) <= 0) return undefined
    return { part_cents: part ?? null, tip_cents: other ?? Number(chosen) }
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return undefined
  }
}
