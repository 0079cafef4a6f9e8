import { html, type Html } from '../../../platform/html/html.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { listOutgoingAbout } from '../../../messaging/outbox/list.ts'
import { contactsOf } from '../../../records/contacts/index.ts'
import { listInvoiceEvents, listPaymentEvents } from '../../../records/invoices/index.ts'
import { findJob, type Job } from '../../../records/jobs/index.ts'
import { listNoteEvents, listPinnedNotes } from '../../../records/notes/index.ts'
import { historyOf } from '../../../tools/call/history.ts'
import { jobProfitPart } from '../../accounting/profit/job_part.ts'
import type { MemberContext } from '../../member_context.ts'
import { bounceNotices } from '../../messaging/compose/bounce_notices.ts'
import { visitRecords } from '../../visit_records/parts.ts'
import { bookingPart } from '../online_booking.ts'
import { jobChangeEvents } from './job_changes.ts'
import { composerHtml, messageForm, noteForm } from './composer.ts'
import type { RecordTimeline } from './customer_timeline.ts'
import { invoiceEvent, noteEvent, paymentEvent, pinsHtml } from './events.ts'
import { outgoingEvent } from './message_event.ts'
import { horizonOf, pageOf, timelineHtml, type TimelineEvents, type TimelineQuery } from './timeline.ts'

const MAX_PINNED = 5

/** Draws the visit's records, the job's activity, and forms to write in place. */
export async function jobTimeline(context: MemberContext, id: string, query: TimelineQuery): Promise<RecordTimeline> {
  const job = await context.read((db) => findJob(db, id))
  const maySeeCustomer = context.may('read:customers')
  const [booking, bounced, records, profit, [timelineEvents, pins, contacts]] = await Promise.all([
    bookingPart(context, id),
    bounceNotices(context, 'jobs', id),
    visitRecords(context, job),
    jobProfitPart(context, id),
    context.read((db) =>
      Promise.all([
        readEvents(context, db, job, query),
        context.may('read:notes') ? listPinnedNotes(db, { type: 'job', id }, MAX_PINNED) : [],
        maySeeCustomer ? contactsOf(db, job.customer_id) : [],
      ]),
    ),
  ])
  const path = context.path('jobs', id)
  const composer: Html | '' = composerHtml([
    ...noteForm(context, 'job', id),
    ...messageForm(context, { customer: job.customer_id, contacts, isMailFirst: false, back: path }),
  ])
  const timeline = timelineHtml(context, { path, query, parts: [], ...timelineEvents, composer })
  return {
    top: html`${booking}${bounced}`,
    timeline: html`${records}${pinsHtml(context, pins)}${timeline}`,
    aside: profit,
    menu: [],
  }
}

/** Reads a job's activity: one query per kind, all in one round trip. */
async function readEvents(context: MemberContext, db: Db, job: Job, query: TimelineQuery): Promise<TimelineEvents> {
  const page = pageOf(query)
  const mayReadInvoices = context.may('read:invoices')
  const [changes, messages, notes, invoices, payments] = await Promise.all([
    historyOf(db, context.caller, job.id, page.limit, page.before),
    listOutgoingAbout(db, job.id, page),
    context.may('read:notes') ? listNoteEvents(db, { type: 'job', id: job.id }, page) : [],
    mayReadInvoices ? listInvoiceEvents(db, { job: job.id }, page) : [],
    mayReadInvoices ? listPaymentEvents(db, { job: job.id }, page) : [],
  ])
  const events = [
    ...jobChangeEvents(context, changes, job.id),
    ...messages.map((message) => outgoingEvent(context, message)),
    ...notes.map((note) => noteEvent(context, note)),
    ...invoices.map((invoice) => invoiceEvent(context, invoice, new Map())),
    ...payments.map((payment) => paymentEvent(context, payment)),
  ]
  return { events, horizon: horizonOf(changes, page) }
}
