import { agingOf, pastDueCents, receivedOf, salesOf } from '../../records/invoices/index.ts'
import { answer } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { money } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import { frame } from '../frame.ts'
import type { Site } from '../site.ts'
import { addressOf, thisMonth } from './range.ts'
import { requireBooks } from './report_page.ts'

/** Shows what the company's money comes to now, and every report and file there is. */
export async function showReports(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireBooks(site, visit)
  const { timezone, currency } = context.company
  const today = todayIn(timezone).toString()
  const month = thisMonth(timezone)
  const [aging, sales, received] = await context.read((db) =>
    Promise.all([agingOf(db, today, 1), salesOf(db, 'month', month, 1), receivedOf(db, month)]),
  )
  const late = pastDueCents(aging.sums)
  const came = received.reduce((sum, { cents }) => sum + cents, 0)
  const to = (...steps: string[]): string => context.path('reports', ...steps)
  return answer(
    frame(context, {
      title: say`Reports`,
      here: context.path('reports'),
      styles: ['money.css'],
      body: html`
<header class="page-head">
  <h1>${say`Reports`}</h1>
  <p class="actions">${linkButton(say`Accounting exports`, to('exports'))}</p>
</header>
<div class="figures">
  ${figure(
    say`Unpaid`,
    money(aging.sums.balance_cents, currency),
    sayCount(aging.customers, 'one customer', '{0} customers'),
    to('aging'),
  )}
  ${figure(
    say`Past due`,
    money(late, currency),
    late === 0 ? say`No overdue invoices` : say`By customer and age`,
    to('aging'),
  )}
  ${figure(
    say`Sales this month`,
    money(sales.sums.sales_cents, currency),
    say`Tax ${money(sales.sums.tax_cents, currency)}`,
    addressOf(to('sales'), month),
  )}
  ${figure(say`Received this month`, money(came, currency), say`Less refunds`, addressOf(to('received'), month))}
</div>
${reportLinks(to, context.path('payments'))}`,
    }),
  )
}

const figure = (label: string, value: string, says: string, href: string): Html => html`
<a class="figure" href="${href}"><span>${label}</span><b>${value}</b><small>${says}</small></a>`

/** Links every report; `to` returns the address of one. */
const reportLinks = (to: (...steps: string[]) => string, payments: string): Html => html`
<div class="parts">
${part(
  say`Sales and tax`,
  html`<ul class="links">
  ${link(say`By month`, `${to('sales')}?by=month`)}
  ${link(say`By customer`, `${to('sales')}?by=customer`)}
  ${link(say`By technician`, `${to('sales')}?by=technician`)}
  ${link(say`By category`, `${to('sales')}?by=category`)}
</ul>`,
)}
${part(
  say`Payments`,
  html`<ul class="links">
  ${link(say`Unpaid invoices by age`, to('aging'))}
  ${link(say`Received by method and month`, to('received'))}
  ${link(say`All payments`, payments)}
  ${link(say`Accounting exports`, to('exports'))}
  ${link(say`Journal entries`, to('ledger'))}
</ul>`,
)}
</div>`

const link = (label: string, href: string): Html => html`<li><a href="${href}">${label}</a></li>`
