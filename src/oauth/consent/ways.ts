import type { Session } from '../../access/sign_in/sessions.ts'
import { html, type Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { nameOf, otherPerson, shownAgain } from './client_parts.ts'
import type { Interaction, Offer } from '../port.ts'

const ROLES = { owner: 'Owner', office: 'Office', tech: 'Technician' } as const

/** Asks a person of several companies for one, since a grant is bound to one. */
export const companyChoicePage = (
  interaction: Interaction,
  session: Session,
  offers: readonly Offer[],
  again: string | undefined,
): Html =>
  layout({
    title: `Connect ${interaction.client.name}`,
    person: session.user,
    isNarrow: true,
    body: html`
<section class="ticket">
  <p class="eyebrow">Connection request</p>
  <h1>Which company is ${nameOf(interaction)} for?</h1>${again === undefined ? '' : shownAgain(again)}
  <p class="lead">It will work in this one alone. What it may do there comes next.</p>
  <ul class="companies">${offers.map(
    ({ tenant, role }) => html`
    <li><a href="/oauth/consent?authorization_id=${encodeURIComponent(interaction.id)}&amp;company=${tenant.id}">
      <span><b>${tenant.name}</b><span class="help">${ROLES[role]}</span></span></a></li>`,
  )}
  </ul>
  <form method="post" action="/oauth/consent">
    <input type="hidden" name="authorization_id" value="${interaction.id}">
    <p class="actions"><button class="button plain" name="decision" value="deny">Deny</button></p>
  </form>
  ${otherPerson(interaction, session)}
</section>`,
  })

/** Leads on to an app that was approved before. */
export const passOnPage = (interaction: Interaction, address: string): Html =>
  layout({
    title: 'Signed in',
    isNarrow: true,
    goesOn: address,
    body: html`
<section class="ticket">
  <h1>You are signed in</h1>
  <p>Going back to ${nameOf(interaction)}, which you approved before.</p>
  <p class="actions"><a class="button main" href="${address}">Go on</a></p>
</section>`,
  })
