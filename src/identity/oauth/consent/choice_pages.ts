import type { AnySession } from '../../sign_in/sessions.ts'
import { roleName } from '../../permissions/names.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { nameOf, switchPersonForm, chooseAgainNotice } from './client_parts.ts'
import type { Interaction, Offer } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'

/** Renders the choice of a company, since a grant is bound to one. */
export const companyChoicePage = (
  interaction: Interaction,
  session: AnySession,
  offers: readonly Offer[],
  rejectionReason: string | undefined,
): Html =>
  layout({
    title: say`Connect ${interaction.client.name}`,
    person: session.user,
    isNarrow: true,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Connection request`}</p>
  <h1>${sayHtml`Which company is ${nameOf(interaction)} for?`}</h1>${rejectionReason === undefined ? '' : chooseAgainNotice(rejectionReason)}
  <p class="lead">${say`It will work only in this one. Next, you choose what it can do there.`}</p>
  <ul class="companies">${offers.map(
    ({ tenant, role }) => html`
    <li><a href="/oauth/consent?authorization_id=${encodeURIComponent(interaction.id)}&amp;company=${tenant.id}">
      <span><b>${tenant.name}</b><span class="help">${roleName(role)}</span></span></a></li>`,
  )}
  </ul>
  <form method="post" action="/oauth/consent">
    <input type="hidden" name="authorization_id" value="${interaction.id}">
    <p class="actions"><button class="button plain" name="decision" value="deny">${say`Deny`}</button></p>
  </form>
  ${switchPersonForm(interaction, session)}
</section>`,
  })

/** Renders the page that continues to an app approved before. */
export const continuePage = (interaction: Interaction, address: string): Html =>
  layout({
    title: say`Signed in`,
    isNarrow: true,
    redirectTo: address,
    body: html`
<section class="ticket">
  <h1>${say`You are signed in`}</h1>
  <p>${sayHtml`Going back to ${nameOf(interaction)}, which you approved before.`}</p>
  <p class="actions"><a class="button main" href="${address}">${say`Continue`}</a></p>
</section>`,
  })
