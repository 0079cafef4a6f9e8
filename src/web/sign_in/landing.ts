import { entities } from '../../records/index.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { say } from '../../platform/i18n/say.ts'

/** Draws the start page for signed-out visitors. */
export const landingPage = (baseUrl: string, mayStart: boolean): Html =>
  layout({
    title: say`Field service, shared with your assistant`,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Field service`}</p>
  <h1>${say`The back office that people and assistants share`}</h1>
  <p class="lead">
    ${say`Customers, visits, quotes and invoices of a field-service company. Your assistant works through ${entities.flatMap(({ tools }) => tools).length} typed tools; you see every change it made, and by whom.`}
  </p>
  <p class="actions">${when(mayStart, () => linkButton(say`Start your company`, '/start', 'main'))}${linkButton(
    say`Sign in`,
    '/sign-in',
    mayStart ? 'plain' : 'main',
  )}${linkButton(say`How to connect`, '/docs')}</p>
  <hr class="tear">
  <h2>${say`What to ask for`}</h2>
  <ul class="asks">
    <li>${say`Who called from 0143? Book them for Thursday morning.`}</li>
    <li>${say`Quote the lake house: a water heater, two hours of labor, ten percent off.`}</li>
    <li>${say`Which invoices are overdue, and who owes the most?`}</li>
  </ul>
  <hr class="tear">
  <h2>${say`The address for assistants`}</h2>
  <pre class="code"><code>${baseUrl}/api/mcp</code></pre>
  <p class="help"><a href="/privacy">${say`Privacy`}</a></p>
</section>`,
  })
