import { ownAddress } from '../../../identity/people/recovery/email_verification.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { say } from '../../../platform/i18n/say.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { settingsPath } from '../settings_page.ts'

/** Draws a person's email address, its verification, and how to verify or change it where email is set up. */
export async function addressPart({ database, mailing }: Site, context: MemberContext): Promise<Html> {
  const { email, isVerified } = await ownAddress(database, context.user.id)
  return part(
    say`Email`,
    html`
  <p><span class="mail">${email}</span> ${
    isVerified ? status(say`Confirmed`, 'good') : status(say`Not confirmed yet`)
  }</p>${when(
    !isVerified,
    () => html`
  <p class="help">
    ${say`Confirm that it's yours. Then you can reset your own password if you forget it, and other companies can add you.`}
  </p>`,
  )}${when(
    mailing === 'none',
    () => html`
  <p class="help">${say`This service sends no mail, so an address can't be confirmed or changed here.`}</p>`,
  )}${when(
    mailing !== 'none' && !isVerified,
    () => html`
  <form class="form" method="post" action="/account/proof">${hidden('to', settingsPath(context, ''))}
    <p class="actions">${button({ label: say`Confirm address` })}</p>
  </form>`,
  )}${when(
    mailing !== 'none',
    () => html`
  <details>
    <summary>${say`Use another address`}</summary>
    <form class="form" method="post" action="${context.path('settings', 'address')}">
      ${field({
        name: 'address',
        label: say`New email address`,
        type: 'email',
        autocomplete: 'email',
        isRequired: true,
        help: say`We'll send a link to the new address. Open it to complete the change.`,
      })}
      ${field({ name: 'password', label: say`Your password`, type: 'password', autocomplete: 'current-password' })}
      <p class="actions">${button({ label: say`Send link` })}</p>
    </form>
  </details>`,
  )}`,
  )
}
