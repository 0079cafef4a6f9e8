import { button } from '../../platform/html/parts/button.ts'
import { hiddenFields, codeField } from '../../platform/html/confirm_page.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { passkeyButton } from '../../platform/html/parts/passkey_button.ts'
import { say } from '../../platform/i18n/say.ts'

/** Draws the page that asks for an authenticator code after a correct password. */
export const secondFactorPage = ({ email, hasPasskey, problem, ...form }: SecondFactorForm): Html =>
  layout({
    title: say`Second factor`,
    isNarrow: true,
    scripts: ['passkey.js'],
    body: html`
<section class="ticket">
  <h1>${say`One more step`}</h1>
  <p class="lead">${email}</p>${when(problem, (problem) => notice({ kind: 'error', ...problem }))}
  <form class="form" method="post" action="/sign-in/second">${hiddenFields(form)}
    ${codeField()}
    <p class="actions">${button({ label: say`Sign in`, kind: 'main' })}</p>
  </form>${when(
    hasPasskey,
    () => html`
  <form class="form" method="post" action="/sign-in/second">${hiddenFields(form)}
    <p class="actions">${passkeyButton({ label: say`Use a passkey`, purpose: 'second' })}</p>
  </form>`,
  )}
  <p class="help">
    ${say`Lost the app and the codes? An owner of your company or this service’s administrator can reset your second factor.`}
  </p>
</section>`,
  })

type SecondFactorForm = {
  email: string
  hasPasskey: boolean
  /** Path to continue to. */
  to: string
  /** Form that was sent after the session had ended, in Base64. */
  typed?: string | undefined
  problem?: { title: string; body: string } | undefined
}
