import { html, type Html } from '../../platform/html/html.ts'

/** Explains how to get a company of one's own after trying the demo. */
export const ownCompany = (): Html => html`
<header class="page-head"><h1>Start your own company</h1></header>
<p class="lead">Whoever runs this service makes a company with one command, which shows the owner's password once:</p>
<pre class="code"><code>npx callout tenant create --name "Your Company" --owner-name "Your Name" --owner-email you@example.com</code></pre>
<p>With <code>--timezone</code>, <code>--country</code> and <code>--currency</code> it says where the company is. Sign
  in as the owner: Today lists the first steps. The demo company can stay beside it; nobody but its own people sees
  it. With <code>NEW_COMPANIES_PER_DAY</code> people start theirs at <a href="/start">/start</a>.</p>`
