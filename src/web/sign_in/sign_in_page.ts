import { button, linkButton } from '../../platform/html/parts/button.ts'
import { hiddenFields } from '../../platform/html/confirm_page.ts'
import { field } from '../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { passkeyButton } from '../../platform/html/parts/passkey_button.ts'
import { say } from '../../platform/i18n/say.ts'
import { mayStart } from '../setup/may_start.ts'
import type { Site } from '../site.ts'

export type SignInForm = {
  /** Path to continue to. */
  to: string
  email?: string
  /** Form that was sent after the session had ended, in Base64. */
  typed?: string | undefined
  /** True if passkeys work on this installation. */
  hasPasskeys: boolean
  problem?: { title: string; body: string } | undefined
  /** Name of the installation's provider, if it has one. */
  provider?: string | undefined
  /** Provider of the company whose page was requested. */
  company?: { name: string; href: string } | undefined
  /** True if people may start companies. */
  mayStart?: boolean
}

/** Returns the sign-in methods of this installation besides a password. */
export const signInMethods = (site: Pick<Site, 'relyingParty' | 'provider' | 'newCompaniesPerDay' | 'mailing'>) => ({
  hasPasskeys: site.relyingParty !== null,
  provider: site.provider?.name,
  mayStart: mayStart(site),
})

export const signInPage = ({
  to,
  email = '',
  typed,
  hasPasskeys,
  problem,
  provider,
  company,
  mayStart: canStart = false,
}: SignInForm): Html =>
  layout({
    title: say`Sign in`,
    isNarrow: true,
    scripts: hasPasskeys ? ['passkey.js'] : [],
    body: html`
<section class="ticket">
  <h1>${say`Sign in`}</h1>${when(
    isConsent(to),
    () => html`
  <p class="lead">${say`An app asks to be connected to your company. Sign in to decide.`}</p>`,
  )}${when(
    typed !== undefined,
    () => html`
  <p class="lead">${say`Your session has ended. Sign in again. Your changes are kept.`}</p>`,
  )}${when(problem, (problem) => notice({ kind: 'error', ...problem }))}${when(
    hasPasskeys,
    () => html`
  <form class="form by-passkey" method="post" action="/sign-in">${hiddenFields({ to })}
    <p class="actions">${passkeyButton({ label: say`Sign in with a passkey`, purpose: 'sign_in' })}</p>
  </form>`,
  )}
${when(
  company,
  ({ name, href }) => html`<p class="actions">${linkButton(say`Continue with ${name}`, href)}</p>`,
)}${when(
      provider !== undefined && typed === undefined ? provider : undefined,
      (provider) => html`
  <p class="actions by-provider">
    ${linkButton(say`Sign in with ${provider}`, `/sign-in/provider?to=${encodeURIComponent(to)}`)}
  </p>
  <p class="help">${say`Or with your password:`}</p>`,
    )}
${passwordForm({ to, email, typed })}${helpLinks(canStart)}
</section>`,
  })

const isConsent = (path: string): boolean => path.startsWith('/oauth/consent?')

const passwordForm = ({ to, email = '', typed }: Pick<SignInForm, 'to' | 'email' | 'typed'>): Html => html`
  <form class="form" method="post" action="/sign-in">${hiddenFields({ to, typed })}
    ${field({
      name: 'email',
      label: say`Email`,
      type: 'email',
      value: email,
      autocomplete: 'username webauthn',
      isRequired: true,
      isFocused: email === '',
    })}
    ${field({
      name: 'password',
      label: say`Password`,
      type: 'password',
      autocomplete: 'current-password',
      isRequired: true,
      isFocused: email !== '',
    })}
    <p class="actions">${button({ label: say`Sign in`, kind: 'main' })}</p>
  </form>`

/** Draws help for people who can't sign in or have no company yet. */
const helpLinks = (canStart: boolean): Html => html`
  <p class="help"><a href="/forgot-password">${say`Forgot your password?`}</a></p>${when(
    canStart,
    () => html`
  <p class="help"><a href="/start">${say`Start your company`}</a></p>`,
  )}`
