import { say } from '../../i18n/say.ts'
import { html, type Html } from '../html.ts'

/**
 * Draws a button that asks for a passkey and submits its form with it. A script (`passkey.js`) shows it if the browser
 * supports passkeys.
 */
export const passkeyButton = ({ label, purpose, isMain = false }: PasskeyButton): Html =>
  html`<button class="button ${isMain ? 'main' : 'plain'}" type="button" data-passkey="${purpose}"
  data-failed="${say`That didn't work. Nothing was changed. Try again, or use another way.`}" hidden>${label}</button>`

type PasskeyButton = {
  label: string
  /** Purpose that the browser sends to the server. */
  purpose: 'sign_in' | 'second' | 'confirm' | 'add' | 'join' | 'start'
  isMain?: boolean
}
