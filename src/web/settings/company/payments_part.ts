import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { say } from '../../../platform/i18n/say.ts'
import { findPaymentAccounts, type PaymentAccount } from '../../../payments/accounts.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'

/** Draws which account card payments go to, and how one is connected; nothing where the installation takes none. */
export async function paymentsPart({ payments }: Site, context: MemberContext): Promise<Html | ''> {
  if (payments === null) return ''
  const accounts = await context.read(findPaymentAccounts)
  return html`
<section class="part" id="payments">
  <header class="part-head"><h2>${say`Card payments`}</h2></header>${
    accounts.length === 0
      ? html`
  <p>${say`No account is connected yet, so customers see no way to pay by card. Send the id of your account at the payments provider to whoever runs this service. They connect it with this command:`}</p>
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
  }
</section>`
}

function stateOf({ closed, charges_enabled }: PaymentAccount): Html {
  if (closed) return status(say`Closed`)
  return charges_enabled === false ? status(say`Can’t take payments`, 'warning') : status(say`Connected`, 'good')
}
