import { basename } from 'node:path'
import { programCommand } from '../../platform/config/program_command.ts'
import { html, type Html } from '../../platform/html/html.ts'

const COMMAND = [
  basename(programCommand()),
  'tenant create --name "Your Company" --owner-name "Your Name" --owner-email you@example.com',
].join(' ')

/** Explains how to get a company of one's own after trying the demo. Never shows the program's folder to the public. */
export const ownCompany = (): Html => html`
<header class="page-head"><h1>Start your own company</h1></header>
<p class="lead">This service's administrator creates a company with one command, which shows the owner's password
  once:</p>
<pre class="code"><code>${COMMAND}</code></pre>
<p><code>--timezone</code>, <code>--country</code> and <code>--currency</code> set the company's location. Sign in as
  the owner: Today lists the first steps. You can keep the demo company; only its own members see it. With
  <code>NEW_COMPANIES_PER_DAY</code>, people can start their own at <a href="/start">/start</a>.</p>`
