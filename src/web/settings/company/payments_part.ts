import { button } from '../../../platform/html/parts/button.ts'
import { checkbox, field } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { say } from '../../../platform/i18n/say.ts'
import { findPaymentAccounts, type PaymentAccount } from '../../../payments/accounts.ts'
import { findPaymentSettings, type PaymentSettings } from '../../../payments/saved/payment_settings.ts'
import { decimalText, digitsOf } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { settingsPath } from '../settings_page.ts'

/** Draws the account that card payments go to, or how to connect one; nothing if the installation takes no payments. */
export async function paymentsPart({ payments }: Site, context: MemberContext): Promise<Html | ''> {
  if (payments === null) return ''
  const [accounts, settings] = await context.read((db) =>
    Promise.all([findPaymentAccounts(db), findPaymentSettings(db)]),
  )
  return html`
<section class="part" id="payments">
  <header class="part-head"><h2>${say`Card payments`}</h2></header>${
    accounts.length === 0
      ? html`
  <p>${say`No account is connected yet, so customers see no way to pay by card. Send the id of your account at the payments provider to this service’s administrator. They connect it with this command:`}</p>
  <pre class="code"><code>callout payment-account add acct_… --tenant ${context.company.id}</code></pre>`
      : html`
  <ul class="agenda">${accounts.map(
    (account) => html`
    <li><span>${account.account_id}${when(
      (account.requirements?.due.length ?? 0) > 0,
      () => html`<span class="help">${say`The payments provider asks you for more. See your account there.`}</span>`,
    )}</span>${stateOf(account)}</li>`,
  )}
  </ul>`
  }${when(accounts.length > 0, () => settingsForm(context, settings))}
</section>`
}

/** Draws the settings for saved cards and bank accounts. */
const settingsForm = (context: MemberContext, settings: PaymentSettings): Html => html`
  <form class="form" method="post" action="${paymentsPath(context)}">
    ${checkbox({
      name: 'saves_methods',
      label: say`Customers may save a card or bank account`,
      isChecked: settings.saves_methods,
      help: say`They enter it on the provider’s page, from their link. You never see the number.`,
    })}
    ${checkbox({
      name: 'offers_autopay',
      label: say`Customers may turn on automatic payments`,
      isChecked: settings.offers_autopay,
      help: say`Each invoice is charged when it is due. Plan invoices are then sent without your review.`,
    })}
    ${checkbox({
      name: 'takes_parts',
      label: say`Customers may pay a part of an invoice`,
      isChecked: settings.takes_parts,
    })}
    ${checkbox({
      name: 'takes_tips',
      label: say`Customers may add a tip`,
      isChecked: settings.takes_tips,
      help: say`A tip is recorded separately from the invoice, without tax.`,
    })}
    ${field({
      name: 'max_charge',
      label: say`Maximum that one person may charge at once (${context.company.currency})`,
      value: decimalText(settings.max_charge_cents, digitsOf(context.company.currency)),
      keys: 'decimal',
      help: say`Enter 0 if nobody in the office may charge a saved card.`,
    })}
    <p class="actions">${button({ label: say`Save card payments` })}</p>
  </form>`

const paymentsPath = (context: MemberContext): string => `${settingsPath(context, 'company')}/payments`

function stateOf({ closed, charges_enabled }: PaymentAccount): Html {
  if (closed) return status(say`Closed`)
  return charges_enabled === false ? status(say`Can’t take payments`, 'warning') : status(say`Connected`, 'good')
}
