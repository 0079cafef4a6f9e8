import { describeScopes } from '../../permissions/names.ts'
import type { AppPolicyDecision } from '../../apps/app_policy_decision.ts'
import type { AnySession } from '../../sign_in/sessions.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { facts } from '../../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import {
  clientFact,
  nameOf,
  redirectFact,
  redirectWarning,
  switchPersonForm,
  chooseAgainNotice,
} from './client_parts.ts'
import { areaChoices, type Levels } from './areas.ts'
import { IDLE_DAYS } from '../lifetimes.ts'
import type { Interaction, Offer } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'

export type ConsentScreen = {
  interaction: Interaction
  session: AnySession
  offer: Offer
  /** HMAC of everything the screen shows; its forms send it back. */
  seal: string
  levels: Levels
  /** Whether the user may connect the app directly, or needs an owner's approval. */
  policyDecision: AppPolicyDecision
  /** True while the areas are chosen individually. */
  isInDetail: boolean
  /** True if the user can choose another company. */
  hasOthers: boolean
  /** Reason an earlier decision was not accepted. */
  rejectionReason: string | undefined
  /** True if it was approved with every area at None. */
  isUnchosen?: boolean
}

/**
 * Renders what an app may do for a user in a company: nothing until they press a button, View everywhere as the
 * default, each area in detail.
 */
export const consentPage = (screen: ConsentScreen): Html =>
  layout({
    title: say`Connect ${screen.interaction.client.name}`,
    person: screen.session.user,
    styles: ['areas.css'],
    body: html`
<section class="ticket consent">
  <p class="eyebrow">${say`Connection request`}</p>
  <h1>${sayHtml`Connect ${nameOf(screen.interaction)} to ${screen.offer.tenant.name}?`}</h1>${
    screen.rejectionReason === undefined ? '' : chooseAgainNotice(screen.rejectionReason)
  }

  ${facts([clientFact(screen.interaction, screen.offer.tenant.name), redirectFact(screen.interaction)])}
  ${redirectWarning(screen.interaction)}
  <hr class="tear">
  ${isEmpty(screen.offer) ? emptyConsentForm(screen) : consentForm(screen)}
  ${otherCompany(screen)}${switchPersonForm(screen.interaction, screen.session)}
</section>`,
  })

/** Returns the URL of the company choice. */
export const companyChoiceAddress = ({ id }: Pick<Interaction, 'id'>): string =>
  `/oauth/consent?authorization_id=${encodeURIComponent(id)}`

/** Renders a link back to the company choice, for a user with several companies. */
const otherCompany = ({ interaction, hasOthers }: ConsentScreen): Html | '' =>
  when(
    hasOthers,
    () => html`
<p><a href="${companyChoiceAddress(interaction)}">${say`Choose another company`}</a></p>`,
  )

const consentForm = (screen: ConsentScreen): Html => html`${when(screen.isUnchosen === true, () =>
  notice({
    kind: 'error',
    title: say`Nothing is chosen yet`,
    body: say`Set at least one area to View or Edit, or deny.`,
  }),
)}
<form class="form" method="post" action="/oauth/consent">
  ${requestFields(screen)}${decisionFields(screen)}
  <p class="actions">${approveButton(screen.policyDecision)}${denyButton()}</p>
</form>
<p class="help">${approvalHelp(screen.policyDecision)}</p>
${areaChoices({
  areas: screen.offer.areas,
  levels: screen.levels,
  requestFields: requestFields(screen),
  decisionFields: decisionFields(screen),
  isOpen: screen.isInDetail,
  label:
    screen.policyDecision.outcome === 'ask' && screen.policyDecision.request?.state !== 'approved'
      ? say`Ask an owner`
      : say`Allow access`,
})}
${durationHelp(screen)}`

/** Renders the default button: View everywhere, a request for it to an owner, or what an owner approved. */
function approveButton(policyDecision: AppPolicyDecision): Html {
  if (policyDecision.outcome !== 'ask')
    return button({ label: say`Allow View everywhere`, kind: 'main', name: 'decision', value: 'view' })
  if (policyDecision.request?.state !== 'approved')
    return button({ label: say`Ask for View everywhere`, kind: 'main', name: 'decision', value: 'view' })
  return button({ label: say`Allow what was approved`, kind: 'main', name: 'decision', value: 'approved' })
}

function approvalHelp(policyDecision: AppPolicyDecision): string {
  if (policyDecision.outcome !== 'ask')
    return say`It gets no access until you press the button. With View, it sees what you can see and changes nothing.`
  if (policyDecision.request?.state !== 'approved')
    return say`In this company, an owner must approve it first. Until then it gets no access.`
  return say`An owner approved: ${describeScopes(policyDecision.request.scopes, policyDecision.request.proposes)}. To get more, ask again.`
}

const emptyConsentForm = (screen: ConsentScreen): Html => html`
${notice({
  kind: 'warning',
  title: say`You can’t grant any access here`,
  body: say`Either you have no permissions in ${screen.offer.tenant.name}, or this app isn’t registered for any of them. You can connect it, but it can’t see or change anything.`,
})}
<form class="form" method="post" action="/oauth/consent">
  ${requestFields(screen)}${decisionFields(screen)}
  <p class="actions">${button({
    label: say`Connect without access`,
    kind: 'main',
    name: 'decision',
    value: 'approve',
  })}${denyButton()}</p>
</form>
${durationHelp(screen)}`

/** Renders how long the approval lasts and where to withdraw it. */
const durationHelp = ({ offer: { tenant } }: ConsentScreen): Html => html`
<p class="help">${sayHtml`It can never do more than you can. Access lasts for a year, or until the app hasn’t been used for ${IDLE_DAYS} days. You can revoke it at any time in ${html`<a href="/${tenant.id}/settings/apps">${say`the settings, under Connected apps`}</a>`}.`}</p>`

const requestFields = ({
  interaction,
  offer,
}: ConsentScreen): Html => html`<input type="hidden" name="authorization_id" value="${interaction.id}">
  <input type="hidden" name="company" value="${offer.tenant.id}">`

/** Renders the hidden fields that tie a decision to its user and offer. */
const decisionFields = ({ session, seal }: ConsentScreen): Html => html`
  <input type="hidden" name="person" value="${session.user.id}">
  <input type="hidden" name="shown" value="${seal}">`

const denyButton = (): Html => button({ label: say`Deny`, name: 'decision', value: 'deny' })

/** Checks whether this member can give nothing to this client. */
export const isEmpty = ({ areas }: Offer): boolean => areas.every(({ maxLevel }) => maxLevel === 'none')
