import { button } from '../../html/button.ts'
import { field } from '../../html/field.ts'
import { html, when, type Html } from '../../html/html.ts'
import { layout } from '../../html/layout.ts'
import { notice } from '../../html/notice.ts'
import { say } from '../../language/say.ts'

export type SignInForm = {
  /** Is where to go afterwards. */
  to: string
  email?: string
  /** Is a form that was sent when the session had ended, as it was typed, in Base64. */
  typed?: string | undefined
  problem?: { title: string; body: string } | undefined
}

export const signInPage = ({ to, email = '', typed, problem }: SignInForm): Html =>
  layout({
    title: say`Sign in`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Sign in`}</h1>${when(
    isConsent(to),
    () => html`
  <p class="lead">${say`An app asks to be connected to your company. Sign in to decide.`}</p>`,
  )}${when(
    typed !== undefined,
    () => html`
  <p class="lead">${say`Your session has ended. Sign in again: nothing that you typed is lost.`}</p>`,
  )}${when(problem, (problem) => notice({ kind: 'error', ...problem }))}
  <form class="form" method="post" action="/sign-in">
    <input type="hidden" name="to" value="${to}">${when(
      typed,
      (typed) => html`
    <input type="hidden" name="typed" value="${typed}">`,
    )}
    ${field({ name: 'email', label: say`E-mail`, type: 'email', value: email, autocomplete: 'username', isRequired: true, isFocused: email === '' })}
    ${field({ name: 'password', label: say`Password`, type: 'password', autocomplete: 'current-password', isRequired: true, isFocused: email !== '' })}
    <p class="actions">${button({ label: say`Sign in`, kind: 'main' })}</p>
  </form>
  <p class="help">${say`Forgot your password? Whoever runs this installation can give you another one.`}</p>
</section>`,
  })

const isConsent = (path: string): boolean => path.startsWith('/oauth/consent?')
