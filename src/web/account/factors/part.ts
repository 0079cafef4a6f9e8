import { factorsOf } from '../../../identity/factors/factors.ts'
import { listPasskeys, type Passkey } from '../../../identity/factors/passkeys/passkeys.ts'
import { button } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { passkeyButton } from '../../../platform/html/parts/passkey_button.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { Site } from '../../site.ts'

/** User whose factors are shown, page to return to after a change, and time zone of the times. */
type FactorsView = { user: string; to: string; zone: string }

/** Renders a user's passkeys and authenticator app. */
export async function factorsPart(site: Site, view: FactorsView): Promise<Html> {
  const [passkeys, factors] = await Promise.all([
    listPasskeys(site.database, view.user),
    factorsOf(site.database.send, view.user),
  ])
  return html`
${part(
  say`Passkeys`,
  html`
  <p class="help">
    ${say`A passkey signs you in with your fingerprint, face or PIN, and counts as two factors. Nobody can guess it or ask you for it.`}
  </p>
  ${passkeyListHtml(passkeys, view)}
  ${
    site.relyingParty === null
      ? html`<p class="help">${say`Passkeys need an https address with a name. This service has none.`}</p>`
      : addPasskeyHtml(view)
  }`,
)}
${part(say`Authenticator app`, factors.hasTotp ? authenticatorHtml(factors.remainingCodes, view) : setUpAuthenticatorHtml(view))}`
}

const passkeyListHtml = (passkeys: readonly Passkey[], view: FactorsView): Html =>
  html`${when(
    passkeys.length > 0,
    () => html`
  <ul class="passkeys">${passkeys.map(
    ({ id, name, isSynced, created_at, last_used_at }) => html`
    <li>
      <p><b>${name}</b> ${status(isSynced ? say`On all your devices` : say`On one device`, 'plain')}</p>
      <p class="help">${say`Added ${moment(created_at, view.zone)}`} · ${
        last_used_at === null ? say`not used yet` : say`last used ${moment(last_used_at, view.zone)}`
      }</p>
      <details>
        <summary>${say`Rename or remove`}</summary>
        <form class="form" method="post" action="/factors/passkeys/${id}">${hidden('to', view.to)}
          <div class="field"><label for="name-${id}">${say`Name`}</label><input id="name-${id}" name="name" value="${name}" maxlength="100" autocomplete="off" required></div>
          <p class="actions">
            ${button({ label: say`Rename`, name: 'act', value: 'rename' })}
            ${button({ label: say`Remove`, kind: 'danger', name: 'act', value: 'remove' })}
          </p>
        </form>
      </details>
    </li>`,
  )}
  </ul>`,
  )}`

const addPasskeyHtml = ({ to }: FactorsView): Html => html`
  <form class="form" method="post" action="/factors/passkeys">${hidden('to', to)}
    ${field({
      name: 'passkey_name',
      label: say`Name of a new passkey`,
      help: say`Such as Work phone. Empty: the name of this browser.`,
    })}
    <p class="actions">${passkeyButton({ label: say`Add a passkey`, purpose: 'add', isMain: true })}</p>
    <noscript><p class="help">${say`Passkeys need JavaScript, which is off in this browser.`}</p></noscript>
  </form>`

const setUpAuthenticatorHtml = ({ to }: FactorsView): Html => html`
  <p class="help">${say`An app on your phone shows a six-digit code. You enter it after your password.`}</p>
  <form class="form" method="post" action="/factors/authenticator">${hidden('to', to)}
    <p class="actions">${button({ label: say`Set up an authenticator app` })}</p>
  </form>`

const authenticatorHtml = (codesLeft: number, { to }: FactorsView): Html => html`
  <p>${status(say`On`, codesLeft > 2 ? 'good' : 'warning')} ${sayCount(
    codesLeft,
    'One recovery code is left.',
    '{0} recovery codes are left.',
  )}</p>
  <form class="form" method="post" action="/factors/authenticator/act">${hidden('to', to)}
    <p class="actions">
      ${button({ label: say`Create new recovery codes`, name: 'act', value: 'codes' })}
      ${button({ label: say`Remove the app`, kind: 'danger', name: 'act', value: 'remove' })}
    </p>
  </form>`
