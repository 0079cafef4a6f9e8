import { button } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { layout } from '../../../platform/html/layout.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say } from '../../../platform/i18n/say.ts'

/** Reason why sign-in failed, and the status of the page that shows it. */
export type CompanyProblem = { title: string; body: string; status: number }

type CompanySignInView = {
  tenant: string
  provider: { name: string; company: string; isOn: boolean; isRequired: boolean }
}

/** Draws the sign-in page for a company's own provider. It is the same for everybody. */
export const companySignInPage = (
  { tenant, provider: { name, company, isOn, isRequired } }: CompanySignInView,
  { to, isAgain, problem }: { to: string; isAgain: boolean; problem?: CompanyProblem },
): Html =>
  layout({
    title: say`Sign in to ${company}`,
    isNarrow: true,
    body: html`
<section class="ticket">
  <h1>${say`Sign in to ${company}`}</h1>${when(
    isAgain,
    () => html`
  <p class="lead">${say`Confirm who you are to continue.`}</p>`,
  )}${when(problem, ({ title, body }) => notice({ kind: 'error', title, body }))}${when(
    isOn,
    () => html`
  <form class="form" method="post" action="/${tenant}/sign-in">${hidden('to', to)}${when(isAgain, () =>
    hidden('again', 'yes'),
  )}
    <p class="actions">${button({ label: say`Continue with ${name}`, kind: 'main' })}</p>
  </form>`,
  )}
  <p class="help">${
    isRequired
      ? say`Members of this company sign in this way. An owner with a second factor can use their own account, for when it doesn't work.`
      : say`This signs you in to this company only.`
  }</p>
  <p><a href="/sign-in?to=${encodeURIComponent(to)}">${say`Sign in with your own account`}</a></p>
</section>`,
  })
