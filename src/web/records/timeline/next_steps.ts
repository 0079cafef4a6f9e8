import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { icon, type Icon } from '../../../platform/html/shell.ts'
import { say, sayCount, sayFor } from '../../../platform/i18n/say.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { findCustomerCorrespondent, type Correspondent } from '../../../messaging/inbox/correspondents.ts'
import { mayReadMessages } from '../../../messaging/inbox/rights.ts'
import { moment, money, shortDay, span } from '../../../records/format/formats.ts'
import { invoicesOwedBy, type OwedInvoice } from '../../../records/invoices/index.ts'
import { listNextVisits, listUnscheduledJobs, type UpcomingJob } from '../../../records/jobs/index.ts'
import { recordLink } from '../../../records/page/links.ts'
import { listWaitingQuotes, type WaitingQuote } from '../../../records/quotes/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { markReadButton } from '../../messaging/inbox/reading.ts'

/** Maximum waiting records of each kind. */
const MAX_OF_KIND = 3

/** Records of a customer that wait for action, limited to those this person may see. */
type WaitingRecords = {
  correspondent: Correspondent | undefined
  owed: readonly OwedInvoice[]
  unscheduled: readonly UpcomingJob[]
  visits: readonly UpcomingJob[]
  quotes: readonly WaitingQuote[]
}

/** Reads the records that wait, in one round trip. */
export async function readWaitingRecords(context: MemberContext, db: Db, customer: string): Promise<WaitingRecords> {
  const [correspondent, owed, unscheduled, visits, quotes] = await Promise.all([
    mayReadMessages(context) ? findCustomerCorrespondent(db, customer) : undefined,
    context.may('read:invoices') ? invoicesOwedBy(db, customer) : [],
    context.may('read:jobs') ? listUnscheduledJobs(db, customer, MAX_OF_KIND) : [],
    context.may('read:jobs') ? listNextVisits(db, customer, MAX_OF_KIND) : [],
    context.may('read:quotes') ? listWaitingQuotes(db, customer, MAX_OF_KIND) : [],
  ])
  return { correspondent, owed, unscheduled, visits, quotes }
}

type Step = { icon: Icon; look?: 'warning' | 'new'; text: Html | string; detail?: string; action?: Html | '' }

/** Draws the next steps for a customer, most urgent first; nothing if there are none. */
export function nextStepsHtml(context: MemberContext, customer: string, waiting: WaitingRecords): Html | '' {
  const steps = [
    ...messageSteps(context, customer, waiting),
    ...moneySteps(context, waiting),
    ...waiting.unscheduled.map((job) => openJobStep(context, job)),
    ...waiting.visits.map((job) => visitStep(context, job)),
    ...waiting.quotes.map((quote) => quoteStep(context, quote)),
  ]
  return when(
    steps.length > 0,
    () => html`
<section class="part next-steps" aria-labelledby="next-head">
  <h2 class="unseen" id="next-head">${say`Next`}</h2>
  <ul>${steps.map(
    ({ icon: name, look, text, detail = '', action = '' }) => html`
    <li${when(look, (look) => html` class="${look}"`)}>${icon(name)}<p>${text}${when(
      detail,
      (detail) => html` <span class="help">${detail}</span>`,
    )}</p>${action}</li>`,
  )}
  </ul>
</section>`,
  )
}

function messageSteps(context: MemberContext, customer: string, { correspondent }: WaitingRecords): Step[] {
  if (correspondent === undefined || correspondent.unread === 0) return []
  return [
    {
      icon: 'messages',
      look: 'new',
      text: html`<a href="${context.path('messages', 'with', customer)}">${sayCount(
        correspondent.unread,
        'One unread message',
        '{0} unread messages',
      )}</a>`,
      detail: moment(correspondent.last_occurred_at, context.company.timezone),
      action: markReadButton(context, { customer }, correspondent.last_id, context.path('customers', customer)),
    },
  ]
}

function moneySteps(context: MemberContext, { owed }: WaitingRecords): Step[] {
  const today = todayIn(context.company.timezone).toString()
  return owed
    .filter(({ due_date }) => due_date < today)
    .slice(0, MAX_OF_KIND)
    .map(({ id, display_number, balance_due_cents, currency, due_date }) => ({
      icon: 'money',
      look: 'warning',
      text: recordLink(context, 'invoices', id, say`${display_number}: ${money(balance_due_cents, currency)} overdue`),
      detail: say`due ${shortDay(due_date)}`,
      action: when(context.may('write:invoices'), () =>
        linkButton(say`Record payment`, context.path('invoices', id, 'payment')),
      ),
    }))
}

const jobLink = (context: MemberContext, { id, display_number, title }: UpcomingJob): Html =>
  recordLink(context, 'jobs', id, `${display_number} ${title}`)

const crewText = ({ crew }: UpcomingJob): string =>
  crew.length === 0 ? say`Unassigned` : crew.map(({ name }) => name).join(', ')

const openJobStep = (context: MemberContext, job: UpcomingJob): Step => ({
  icon: 'schedule',
  look: 'warning',
  text: jobLink(context, job),
  detail: say`Not scheduled`,
  action: when(context.may('write:jobs'), () =>
    linkButton(sayFor('action')`Schedule`, `${context.path('jobs', job.id, 'edit')}#scheduled_start`),
  ),
})

const visitStep = (context: MemberContext, job: UpcomingJob): Step => ({
  icon: 'schedule',
  text: jobLink(context, job),
  detail: [
    job.scheduled_start === null || job.scheduled_end === null
      ? ''
      : span(job.scheduled_start, job.scheduled_end, context.company.timezone),
    crewText(job),
  ]
    .filter((part) => part !== '')
    .join(' · '),
})

const quoteStep = (context: MemberContext, quote: WaitingQuote): Step => ({
  icon: 'pen',
  text: recordLink(context, 'quotes', quote.id, `${quote.display_number} ${quote.title}`),
  detail: say`${money(quote.total_cents, quote.currency)}, waits for an answer until ${shortDay(quote.valid_until)}`,
})
