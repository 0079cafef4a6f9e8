import { say } from '../i18n/say.ts'
import { button } from './parts/button.ts'
import { field, hidden } from './parts/field.ts'
import { html, when, type Html } from './html.ts'
import { layout } from './layout.ts'
import { notice, type Notice } from './parts/notice.ts'
import { passkeyButton } from './parts/passkey_button.ts'

export type ConfirmForm = {
  person: { name: string }
  /** Destination after confirmation. */
  to: string
  /** Submitted form in Base64, to resubmit afterwards. */
  typed?: string | undefined
  /** Whether to ask for a second factor, not to confirm the person's identity. */
  isSecond: boolean
  /** Methods that this person can use. */
  methods: { password: boolean; passkey: boolean; code: boolean }
  problem?: Omit<Notice, 'kind'> | undefined
}

/** Draws the page that asks a signed-in person to confirm their identity, or for a second factor. */
export const confirmPage = ({ person, to, typed, isSecond, methods, problem }: ConfirmForm): Html =>
  layout({
    title: isSecond ? say`Second factor` : say`Confirm it's you`,
    person,
    isNarrow: true,
    scripts: ['passkey.js'],
    body: html`
<section class="ticket">
  <h1>${isSecond ? say`One more step` : say`Confirm it's you, ${person.name}`}</h1>
  <p class="lead">${
    isSecond
      ? say`Confirm with your second factor to continue: a passkey, or a code from your app.`
      : say`You signed in a while ago. Confirm this important change.`
  }${when(
    typed !== undefined,
    () => html` ${say`Your changes are kept.`}`,
  )}</p>${when(problem, (problem) => notice({ kind: 'error', ...problem }))}${when(
    methods.passkey,
    () => html`
  <form class="form" method="post" action="/confirm">${hiddenFields({
    to,
    typed: (isSecond ? methods.code : methods.password) ? undefined : typed,
    isSecond,
  })}
    <p class="actions">${passkeyButton({ label: say`Confirm with a passkey`, purpose: 'confirm', isMain: true })}</p>
  </form>`,
  )}${when(
    isSecond ? methods.code : methods.password,
    () => html`
  <form class="form" method="post" action="/confirm">${hiddenFields({ to, typed, isSecond })}
    ${isSecond ? codeField() : passwordField(!methods.passkey)}
    <p class="actions">${button({ label: say`Confirm`, kind: methods.passkey ? 'plain' : 'main' })}</p>
  </form>`,
  )}
  <form method="post" action="/sign-out">
    ${hidden('to', `/sign-in?to=${encodeURIComponent(to)}`)}
    <p class="help">${say`Not you, or none of these works?`}</p>
    <p class="actions">${button({ label: say`Sign out and in again`, kind: 'quiet' })}</p>
  </form>
</section>`,
  })

const passwordField = (isFocused: boolean): Html =>
  field({
    name: 'password',
    label: say`Password`,
    type: 'password',
    autocomplete: 'current-password',
    isRequired: true,
    isFocused,
  })

/** Draws the field for an authenticator code or a recovery code. */
export const codeField = (): Html =>
  field({
    name: 'code',
    label: say`Code`,
    autocomplete: 'one-time-code',
    isRequired: true,
    isFocused: true,
    help: say`Six digits from your authenticator app, or a recovery code`,
  })

/** Draws a form's hidden fields: the destination, and the submitted form. */
export const hiddenFields = ({
  to,
  typed,
  isSecond = false,
}: {
  to: string
  typed?: string | undefined
  isSecond?: boolean
}): Html => html`
    ${hidden('to', to)}${when(typed, (form) => hidden('typed', form))}${when(isSecond, () => hidden('second', 'yes'))}`
