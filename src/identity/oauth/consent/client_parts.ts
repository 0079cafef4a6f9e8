import type { AnySession } from '../../sign_in/sessions.ts'
import type { Fact } from '../../../platform/html/parts/facts.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'
import type { Interaction } from '../port.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Renders an app's own name, isolated because it may have any text direction. */
export const nameOf = ({ client }: Interaction): Html => html`<bdi>${client.name}</bdi>`

/**
 * Renders the client and who vouches for it: nobody, the company that created it, or the operator. A client with a
 * metadata document is shown by its host, in large letters, because the document proves it; the name is unverified.
 */
export const clientFact = (interaction: Interaction, company: string): Fact =>
  interaction.client.kind === 'document'
    ? {
        label: say`App, verified as from`,
        value: html`<span class="proven">${hostOf(interaction.client.id)}</span>`,
        says: sayHtml`It calls itself ${nameOf(interaction)}. Nobody has checked this name.`,
      }
    : { label: say`App`, value: nameOf(interaction), says: voucherOf(interaction, company) }

const voucherOf = ({ client: { kind, company } }: Interaction, companyName: string): string => {
  if (kind === 'registered') return say`It registered itself. Nobody has checked this name.`
  return company === null ? say`This service's administrator added it.` : say`An owner of ${companyName} added it.`
}

/** Renders the reason why an earlier decision must be repeated. */
export const chooseAgainNotice = (reason: string): Html =>
  notice({ kind: 'error', title: say`No access was granted`, body: `${reason} ${say`Please choose again.`}` })

/** Renders where the browser goes next. */
export const redirectFact = ({ redirect: { kind, host } }: Interaction): Fact => {
  switch (kind) {
    case 'web':
      return { label: say`You’ll go to`, value: host, says: say`Continue only if you know this site.` }
    case 'loopback':
      return { label: say`You’ll go to`, value: say`A program on this device`, says: host }
    case 'app':
      return { label: say`You’ll go to`, value: say`An app on this device`, says: say`It opens ${host}: links` }
  }
}

export const redirectWarning = ({ redirect: { kind } }: Interaction): Html | '' =>
  when(kind !== 'web', () =>
    notice({
      kind: 'warning',
      title: say`Did you start this yourself, just now?`,
      body:
        kind === 'loopback'
          ? say`Any program on this device could be waiting for the answer. If you didn't start it, deny.`
          : say`Any app on this device could have claimed this kind of link. If you didn't start it, deny.`,
    }),
  )

/** Renders the current user, with a link to switch accounts and come back. */
export const switchPersonForm = ({ id }: Interaction, { user }: AnySession): Html => html`
<form class="who" method="post" action="/sign-out">
  <input type="hidden" name="to" value="/oauth/consent?authorization_id=${encodeURIComponent(id)}">
  <span>${say`You are ${user.name} (${user.email}).`}</span>
  <button class="as-link">${say`Use another account`}</button>
</form>`

/** Returns the host of a client's metadata document, which proves the client's origin. */
export const hostOf = (address: string): string => URL.parse(address)?.host ?? address
