import { answer } from '../../html/answer.ts'
import { bars, shares } from '../../html/bars.ts'
import { linkButton } from '../../html/button.ts'
import { html, when, type Html } from '../../html/html.ts'
import type { Visit } from '../../html/visit.ts'
import { day, moment, money, phone, time, words } from '../../screens/formats.ts'
import { JOB_STATUSES } from '../../entities/jobs/index.ts'
import { countUnread, listMessages } from '../../messages/inbox.ts'
import { recordLink } from '../../screens/links.ts'
import { part, state } from '../../screens/parts.ts'
import type { Results } from '../../tools/results.ts'
import { boundFrom, boundTo, todayIn } from '../../shape/instants.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { frame } from '../frame.ts'
import { weekOf } from '../schedule/asked.ts'
import type { Site } from '../site.ts'
import { firstSteps } from './first_steps.ts'
import { invoicedByWeek, jobsByStatus } from './figures.ts'

/** Shows today at a glance: each part for those who may see it. */
export async function showHome(site: Site, visit: Visit): Promise<Response> {
  const context = await requireMemberContext(site, visit)
  const today = todayIn(context.company.timezone)
  const [ofWork, ofOffice] = await Promise.all([
    Promise.all(context.may('read:jobs') ? [visits(context, today), week(context, today)] : []),
    Promise.all([
      ...(context.may('read:invoices') ? [overdue(context)] : []),
      ...(context.may('read:quotes') ? [waiting(context)] : []),
      ...(context.may('read:customers') ? [unread(context)] : []),
      ...(context.may('read:invoices') ? [invoiced(context, today)] : []),
    ]),
  ])
  return answer(
    frame(context, {
      title: 'Today',
      here: context.path(),
      body: html`
<header class="page-head">
  <div><p class="eyebrow">${context.company.name}</p><h1>${day(today.toString())}</h1></div>
  <p class="actions">${when(context.may('write:jobs'), () => linkButton('New job', context.path('jobs', 'new'), 'main'))}${when(context.may('write:customers'), () => linkButton('New customer', context.path('customers', 'new')))}</p>
</header>${await firstSteps(context)}
<div class="parts">${[ofWork, ofOffice]
        .filter(({ length }) => length > 0)
        .map(
          (parts) => html`
  <div class="column">${parts}</div>`,
        )}
</div>`,
    }),
  )
}

type Visited = Results['jobs_list']['rows'][number]

/** Draws visits by technician, one's own first. */
async function visits(context: MemberContext, today: Temporal.PlainDate): Promise<Html> {
  const { rows } = await context.call('jobs_list', {
    scheduled_from: today.toString(),
    scheduled_to: today.toString(),
    limit: 100,
  })
  const live = rows.filter(({ status }) => status !== 'cancelled')
  const crews = Map.groupBy(
    live.flatMap((job) => crewOf(job).map((name) => ({ name, job }))),
    ({ name }) => name,
  )
  return part(
    'Visits',
    live.length === 0
      ? html`<p class="empty">Nothing is scheduled today.</p>`
      : html`${[...crews]
          .sort(([a], [b]) => Number(b === context.user.name) - Number(a === context.user.name) || a.localeCompare(b))
          .map(
            ([name, jobs]) => html`
  <h3>${name}</h3>
  <ul class="agenda">${jobs.map(
    ({ job }) => html`
    <li><span class="agenda-time">${job.all_day || job.scheduled_start === undefined ? 'Any time' : time(job.scheduled_start, context.company.timezone)}</span>
      <span>${recordLink(context, 'jobs', job.id, job.title)}<span class="help">${job.customer_name}</span></span>${state(job.status)}</li>`,
  )}
  </ul>`,
          )}`,
    linkButton('Schedule', context.path('schedule')),
  )
}

const crewOf = ({ assignees }: Visited): string[] =>
  assignees.length === 0 ? ['Nobody yet'] : assignees.map(({ name }) => name)

async function overdue(context: MemberContext): Promise<Html> {
  const { rows, total = rows.length } = await context.call('invoices_list', {
    overdue: true,
    limit: 6,
    include_total: true,
  })
  return part(
    total === 0 ? 'Overdue invoices' : `Overdue invoices (${total})`,
    rows.length === 0
      ? html`<p class="empty">Nobody is late.</p>`
      : html`
  <ul class="agenda">${rows.map(
    (invoice) => html`
    <li><span>${recordLink(context, 'invoices', invoice.id, invoice.display_number)}<span class="help">${invoice.customer_name}, due ${day(invoice.due_date)}</span></span>
      <b class="amount">${money(invoice.balance_due_cents, invoice.currency)}</b></li>`,
  )}
  </ul>`,
    when(total !== 0, () => linkButton('All', `${context.path('invoices')}?overdue=yes`)),
  )
}

async function waiting(context: MemberContext): Promise<Html> {
  const { rows, total = rows.length } = await context.call('quotes_list', {
    status: 'sent',
    limit: 6,
    include_total: true,
  })
  return part(
    total === 0 ? 'Quotes waiting' : `Quotes waiting (${total})`,
    rows.length === 0
      ? html`<p class="empty">No quote waits for an answer.</p>`
      : html`
  <ul class="agenda">${rows.map(
    (quote) => html`
    <li><span>${recordLink(context, 'quotes', quote.id, `${quote.display_number} ${quote.title}`)}<span class="help">${quote.customer_name}${quote.valid_until === undefined ? '' : `, until ${day(quote.valid_until)}`}</span></span>
      <b class="amount">${money(quote.total_cents, context.company.currency)}</b></li>`,
  )}
  </ul>`,
    when(total !== 0, () => linkButton('All', `${context.path('quotes')}?status=sent`)),
  )
}

async function unread(context: MemberContext): Promise<Html> {
  const [{ rows }, total] = await context.read((db) =>
    Promise.all([listMessages(db, { unread: true }, { limit: 5 }), countUnread(db)]),
  )
  return part(
    total === 0 ? 'Unread messages' : `Unread messages (${total})`,
    rows.length === 0
      ? html`<p class="empty">Everything is read.</p>`
      : html`
  <ul class="agenda">${rows.toReversed().map(
    ({ sender, customer_id, customer_name, subject, body, occurred_at }) => html`
    <li><span>${customer_id === null ? html`<a href="${context.path('messages')}">${phone(sender)}</a>` : recordLink(context, 'customers', customer_id, customer_name ?? phone(sender))}
      <span class="help">${moment(occurred_at, context.company.timezone)} · ${(subject ?? body).slice(0, 90)}</span></span></li>`,
  )}
  </ul>`,
    when(total !== 0, () => linkButton('All', context.path('messages'))),
  )
}

async function invoiced(context: MemberContext, today: Temporal.PlainDate): Promise<Html> {
  const weeks = await context.read((db) => invoicedByWeek(db, today.toString()))
  return part(
    'Invoiced by week',
    weeks.every(({ total_cents }) => total_cents === 0)
      ? html`<p class="empty">Nothing was invoiced lately.</p>`
      : bars(
          'Invoiced by week',
          weeks.map(({ monday, total_cents }) => ({
            label: Temporal.PlainDate.from(monday).toLocaleString('en-US', { month: 'short', day: 'numeric' }),
            value: total_cents,
            says: money(total_cents, context.company.currency),
          })),
        ),
  )
}

async function week(context: MemberContext, today: Temporal.PlainDate): Promise<Html> {
  const { timezone, country } = context.company
  const days = weekOf(today, country)
  const [from, until] = [boundFrom(timezone, days[0]!.toString()), boundTo(timezone, days.at(-1)!.toString())]
  const counts = (await context.read((db) => jobsByStatus(db, from, until))).sort(
    (a, b) => JOB_STATUSES.indexOf(a.status) - JOB_STATUSES.indexOf(b.status),
  )
  return part(
    "This week's jobs",
    counts.length === 0
      ? html`<p class="empty">No jobs this week.</p>`
      : shares(
          "This week's jobs by status",
          counts.map(({ status, count }) => ({ label: words(status), value: count, says: String(count) })),
        ),
  )
}
