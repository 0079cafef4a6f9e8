import { bars } from '../../platform/html/parts/bars.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { countUnread, listMessages } from '../../messaging/inbox/inbox.ts'
import { day, dayOfYear, moment, money, phone } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import { weeklyInvoiceTotals } from '../../records/invoices/index.ts'
import { part, statusTag } from '../../records/page/parts.ts'
import type { MemberContext } from '../member_context.ts'

/** Draws the jobs that have no time yet, the urgent ones first, each with the way to give it one. */
export async function jobsToSchedulePart(context: MemberContext): Promise<Html> {
  const { rows, total = rows.length } = await context.call('jobs_list', {
    status: ['unscheduled'],
    sort: 'created_desc',
    limit: 50,
    include_total: true,
  })
  const first = [...rows].sort((a, b) => rankOf(a.priority) - rankOf(b.priority)).slice(0, 6)
  return part(
    total === 0 ? say`To schedule` : say`To schedule (${total})`,
    first.length === 0
      ? html`<p class="empty">${say`All jobs are scheduled.`}</p>`
      : html`
  <ul class="agenda">${first.map(
    ({ id, title, customer_name, priority }) => html`
    <li><span>${recordLink(context, 'jobs', id, title)}<span class="help">${customer_name}</span></span>${when(
      rankOf(priority) < 2,
      () => statusTag(priority),
    )}${when(
      context.may('write:jobs'),
      () =>
        html`<a class="button plain"
          href="${context.path('schedule', 'move', id)}">${sayFor('action')`Schedule`}<span class="unseen"> ${title}</span></a>`,
    )}</li>`,
  )}
  </ul>`,
    when(total > first.length, () => linkButton(sayFor('jobs')`All`, `${context.path('jobs')}?status=unscheduled`)),
  )
}

const PRESSING = ['urgent', 'high', 'normal', 'low']
const rankOf = (priority: string): number => PRESSING.indexOf(priority)

/** Draws what is owed past its day. */
export async function overduePart(context: MemberContext): Promise<Html> {
  const { rows, total = rows.length } = await context.call('invoices_list', {
    overdue: true,
    limit: 6,
    include_total: true,
  })
  return part(
    total === 0 ? say`Overdue invoices` : say`Overdue invoices (${total})`,
    rows.length === 0
      ? html`<p class="empty">${say`No overdue invoices.`}</p>`
      : html`
  <ul class="agenda">${rows.map(
    (invoice) => html`
    <li><span>${recordLink(
      context,
      'invoices',
      invoice.id,
      invoice.display_number,
    )}<span class="help">${say`${invoice.customer_name}, due ${day(invoice.due_date)}`}</span></span>
      <b class="amount">${money(invoice.balance_due_cents, invoice.currency)}</b></li>`,
  )}
  </ul>`,
    when(total !== 0, () => linkButton(sayFor('invoices')`All`, `${context.path('invoices')}?overdue=yes`)),
  )
}

/** Draws the quotes that wait for an answer. */
export async function openQuotesPart(context: MemberContext): Promise<Html> {
  const { rows, total = rows.length } = await context.call('quotes_list', {
    status: 'sent',
    limit: 6,
    include_total: true,
  })
  return part(
    total === 0 ? say`Quotes waiting` : say`Quotes waiting (${total})`,
    rows.length === 0
      ? html`<p class="empty">${say`No quotes are waiting for a reply.`}</p>`
      : html`
  <ul class="agenda">${rows.map(
    (quote) => html`
    <li><span>${recordLink(context, 'quotes', quote.id, `${quote.display_number} ${quote.title}`)}<span class="help">${
      quote.valid_until === undefined
        ? quote.customer_name
        : say`${quote.customer_name}, until ${day(quote.valid_until)}`
    }</span></span>
      <b class="amount">${money(quote.total_cents, context.company.currency)}</b></li>`,
  )}
  </ul>`,
    when(total !== 0, () => linkButton(sayFor('quotes')`All`, `${context.path('quotes')}?status=sent`)),
  )
}

/** Draws the messages that nobody has read. */
export async function unreadPart(context: MemberContext): Promise<Html> {
  const [{ rows }, total] = await context.read((db) =>
    Promise.all([listMessages(db, { unread: true }, { limit: 5 }), countUnread(db)]),
  )
  return part(
    total === 0 ? say`Unread messages` : say`Unread messages (${total})`,
    rows.length === 0
      ? html`<p class="empty">${say`No unread messages.`}</p>`
      : html`
  <ul class="agenda">${rows.toReversed().map(
    ({ sender, customer_id, customer_name, subject, body, occurred_at }) => html`
    <li><span>${
      customer_id === null
        ? html`<a href="${context.path('messages')}">${phone(sender)}</a>`
        : recordLink(context, 'customers', customer_id, customer_name ?? phone(sender))
    }
      <span class="help">${moment(
        occurred_at,
        context.company.timezone,
      )} · ${(subject ?? body).slice(0, 90)}</span></span></li>`,
  )}
  </ul>`,
    when(total !== 0, () => linkButton(say`All`, context.path('messages'))),
  )
}

/** Draws what was invoiced in each week of late. */
export async function weeklyInvoicesPart(context: MemberContext, today: Temporal.PlainDate): Promise<Html> {
  const weeks = await context.read((db) => weeklyInvoiceTotals(db, today.toString()))
  return part(
    say`Invoiced by week`,
    weeks.every(({ total_cents }) => total_cents === 0)
      ? html`<p class="empty">${say`No recent invoices.`}</p>`
      : bars(
          say`Invoiced by week`,
          weeks.map(({ monday, total_cents }) => ({
            label: dayOfYear(monday),
            value: total_cents,
            says: money(total_cents, context.company.currency),
          })),
        ),
  )
}
