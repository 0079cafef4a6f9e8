import { evaluateAppPolicy, type AppPolicyDecision } from '../../apps/app_policy_decision.ts'
import { listOwnerNames } from '../../apps/requests.ts'
import { AREA_NAMES, GRANT_LEVELS, grantLevelsOf } from '../../permissions/areas.ts'
import { describeScopes } from '../../permissions/names.ts'
import type { AnySession } from '../../sign_in/sessions.ts'
import type { Database } from '../../../platform/db/tenant.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { copyable } from '../../../platform/html/parts/copyable.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { say } from '../../../platform/i18n/say.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'
import type { Interaction, Offer } from '../port.ts'
import { companyChoiceAddress } from './page.ts'
import type { Levels } from './areas.ts'
import { hostOf, nameOf, switchPersonForm } from './client_parts.ts'

type ConsentRequest = {
  interaction: Interaction
  session: AnySession
  offer: Offer
  path: string
  hasOthers: boolean
  isChosenAnew: boolean
}

/** Judges an app by the current policy of the chosen company (docs/spec/oauth.md#policy-on-apps). */
export const evaluateRequest = (
  database: Database,
  { interaction, session, offer }: Omit<ConsentRequest, 'path' | 'hasOthers' | 'isChosenAnew'>,
): Promise<AppPolicyDecision> => evaluateAppPolicy(database, offer.tenant.id, interaction.client, session.user.id)

/** Returns a page on why the app can't be connected and whom to ask; undefined if there is something to choose. */
export async function blockedPage(
  database: Database,
  policyDecision: AppPolicyDecision,
  request: ConsentRequest,
): Promise<Response | undefined> {
  const page = async (
    render: (request: ConsentRequest, owners: string, policyDecision: AppPolicyDecision) => PageContent,
  ): Promise<Response> => {
    const { title, body, status } = render(
      request,
      (await listOwnerNames(database, request.offer.tenant.id)).join(', '),
      policyDecision,
    )
    return pageResponse(renderContent(request, title, body), { status, leavesSite: true })
  }
  if (policyDecision.outcome === 'not_listed') return page(notListedContent)
  if (
    policyDecision.outcome === 'free' ||
    policyDecision.request === null ||
    policyDecision.request.state === 'approved'
  )
    return undefined
  if (policyDecision.request.state === 'declined') return page(refusalContent)
  return request.isChosenAnew ? undefined : page(waitingContent)
}

/** Checks whether levels stay within an owner's approval. */
export function isCovered(levels: Levels, policyDecision: AppPolicyDecision): boolean {
  if (policyDecision.outcome === 'free') return true
  if (policyDecision.outcome === 'not_listed' || policyDecision.request?.state !== 'approved') return false
  const approved = toApprovedLevels(policyDecision)
  return AREA_NAMES.every(
    (area) => GRANT_LEVELS.indexOf(levels[area] ?? 'none') <= GRANT_LEVELS.indexOf(approved[area] ?? 'none'),
  )
}

/** Returns the levels that an owner approved, or none. */
export const toApprovedLevels = (policyDecision: AppPolicyDecision): Levels =>
  policyDecision.outcome === 'ask' && policyDecision.request?.state === 'approved'
    ? grantLevelsOf(policyDecision.request.scopes, policyDecision.request.proposes)
    : {}

type PageContent = { title: string; body: Html; status: number }

const notListedContent = ({ interaction, offer }: ConsentRequest, owners: string): PageContent => ({
  title: say`This app isn't on the list`,
  status: 403,
  body: html`
  <p>${sayHtml`In ${offer.tenant.name} members connect only the apps that an owner has listed. ${nameOf(interaction)} isn't one of them.`}</p>
  <p>${say`Ask an owner: ${owners}.`}</p>
  <p class="help">${
    interaction.client.kind === 'document'
      ? say`Host that an owner can add to the list, under Settings, Connected apps`
      : say`Client ID that an owner can add to the list, under Settings, Connected apps`
  }</p>
  <p>${copyable(
    interaction.client.kind === 'document' ? hostOf(interaction.client.id) : interaction.client.id,
  )}</p>${when(
    offer.role === 'owner',
    () => html`
  <p><a href="/${offer.tenant.id}/settings/apps#policy">${say`You are an owner: open the list`}</a></p>`,
  )}`,
})

const waitingContent = (
  { interaction, path }: ConsentRequest,
  owners: string,
  policyDecision: AppPolicyDecision,
): PageContent => ({
  title: say`An owner was asked`,
  status: 200,
  body: html`
  <p>${sayHtml`You asked to connect ${nameOf(interaction)}: ${describeRequest(policyDecision)}. It gets no access until an owner approves.`}</p>
  <p>${say`Owners who can approve: ${owners}.`}</p>
  <p>${say`You’ll be notified when an owner answers. Then connect the app again.`}</p>
  <p><a href="${path}">${say`Look again`}</a> · <a href="${path}&amp;anew=yes">${say`Ask for something else`}</a></p>`,
})

const refusalContent = ({ interaction, offer }: ConsentRequest, owners: string): PageContent => ({
  title: say`An owner declined this app`,
  status: 403,
  body: html`
  <p>
    ${sayHtml`${nameOf(interaction)} can't be connected to ${offer.tenant.name}. If you need it, talk to an owner: ${owners}.`}
  </p>`,
})

const describeRequest = (policyDecision: AppPolicyDecision): string =>
  policyDecision.outcome === 'ask' && policyDecision.request !== null
    ? describeScopes(policyDecision.request.scopes, policyDecision.request.proposes)
    : ''

const renderContent = ({ interaction, session, hasOthers }: ConsentRequest, title: string, body: Html): Html =>
  layout({
    title,
    person: session.user,
    isNarrow: true,
    styles: ['areas.css'],
    scripts: ['copy.js'],
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Connection request`}</p>
  <h1>${title}</h1>${body}${when(
    hasOthers,
    () => html`
  <p><a href="${companyChoiceAddress(interaction)}">${say`Choose another company`}</a></p>`,
  )}
  <form method="post" action="/oauth/consent">
    ${hidden('authorization_id', interaction.id)}
    <p class="actions">${button({ label: say`Go back to the app`, kind: 'main', name: 'decision', value: 'deny' })}</p>
  </form>
  ${switchPersonForm(interaction, session)}
</section>`,
  })
