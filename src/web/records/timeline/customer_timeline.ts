import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { mayShareKind } from '../../../customer_portal/sharing.ts'
import { listMessageEvents, type Message } from '../../../messaging/inbox/inbox.ts'
import { mayReadMessages } from '../../../messaging/inbox/rights.ts'
import { isExcluded } from '../../../messaging/reminders/exclusions.ts'
import { contactsOf, type Contact } from '../../../records/contacts/index.ts'
import { listCustomerChanges } from '../../../records/history/customer_changes.ts'
import { listInvoiceEvents, listPaymentEvents } from '../../../records/invoices/index.ts'
import { listJobEvents } from '../../../records/jobs/index.ts'
import { locationsOf, type Location } from '../../../records/locations/index.ts'
import { listNoteEvents, listPinnedNotes } from '../../../records/notes/index.ts'
import { listQuoteEvents } from '../../../records/quotes/index.ts'
import { customerMethodPart } from '../../accounting/saved/customer_part.ts'
import type { MemberContext } from '../../member_context.ts'
import { customerEquipment, addEquipmentLinks } from '../../visit_records/equipment_part.ts'
import { bounceNotices } from '../../messaging/compose/bounce_notices.ts'
import { linksPart } from '../../customer_portal/links_part.ts'
import { changeEvents, creatorsOf } from './change_event.ts'
import { composerHtml, jobForm, messageForm, noteForm } from './composer.ts'
import { invoiceEvent, jobEvent, noteEvent, paymentEvent, pinsHtml, quoteEvent } from './events.ts'
import { messageEvent } from './message_event.ts'
import { nextStepsHtml, readWaitingRecords } from './next_steps.ts'
import {
  horizonOf,
  pageOf,
  timelineHtml,
  type TimelineEvents,
  type TimelinePart,
  type TimelineQuery,
} from './timeline.ts'

/** Sections of a record's page besides its facts. */
export type RecordTimeline = {
  /** Notices and next steps. */
  top: Html
  timeline: Html
  /** Content below the facts at the side. */
  aside: Html | ''
  /** Further actions for the menu. */
  menu: readonly Html[]
}

const MAX_PINNED = 5

const NO_MESSAGES: readonly Message[] = []

/** Draws a customer's activity, its next steps, and forms to write in place. */
export async function customerTimeline(
  context: MemberContext,
  id: string,
  query: TimelineQuery,
): Promise<RecordTimeline> {
  const path = context.path('customers', id)
  const [bounced, methods, links, [timelineEvents, waiting, pinned, excluded, contacts, locations]] = await Promise.all(
    [
      bounceNotices(context, 'customers', id),
      customerMethodPart(context, id),
      linksPart(context, 'customers', id, { isQuiet: true }),
      context.read((db) =>
        Promise.all([
          readEvents(context, db, id, query),
          readWaitingRecords(context, db, id),
          context.may('read:notes') ? listPinnedNotes(db, { type: 'customer', id }, MAX_PINNED) : [],
          isExcluded(db, id),
          contactsOf(db, id),
          locationsOf(db, id),
        ]),
      ),
    ],
  )
  const equipment = await customerEquipment(context, locations)
  return {
    top: html`${bounced}${nextStepsHtml(context, id, waiting)}`,
    timeline: html`${pinsHtml(context, pinned)}${timelineHtml(context, {
      path,
      query,
      parts: partsFor(context),
      ...timelineEvents,
      composer: composerOf(context, id, contacts, locations, waiting.correspondent?.last_channel === 'email'),
    })}`,
    aside: html`${equipment}${methods}${links}${when(excluded, () => noRemindersHtml(context, id))}`,
    menu: [...addEquipmentLinks(context, locations), ...menuOf(context, id, excluded)],
  }
}

/** Reads a customer's activity: one query per kind, all in one round trip. */
async function readEvents(context: MemberContext, db: Db, id: string, query: TimelineQuery): Promise<TimelineEvents> {
  const page = pageOf(query)
  const includesPart = (part: TimelinePart): boolean => query.part === undefined || query.part === part
  const mayReadJobs = context.may('read:jobs')
  const mayReadInvoices = context.may('read:invoices')
  const [messages, visits, quotes, invoices, payments, notes, changes] = await Promise.all([
    includesPart('messages') && mayReadMessages(context) ? listMessageEvents(db, id, page) : NO_MESSAGES,
    includesPart('visits') && mayReadJobs ? listJobEvents(db, id, page) : [],
    includesPart('money') && context.may('read:quotes') ? listQuoteEvents(db, id, page) : [],
    includesPart('money') && mayReadInvoices ? listInvoiceEvents(db, { customer: id }, page) : [],
    includesPart('money') && mayReadInvoices ? listPaymentEvents(db, { customer: id }, page) : [],
    includesPart('notes') && context.may('read:notes')
      ? listNoteEvents(db, { type: 'customer', id, hasJobs: mayReadJobs }, page)
      : [],
    query.part === undefined ? listCustomerChanges(db, context.caller, id, page) : [],
  ])
  const creators = creatorsOf(changes)
  const records = [
    ...visits.map((job) => jobEvent(context, job, creators)),
    ...quotes.map((quote) => quoteEvent(context, quote, creators)),
    ...invoices.map((invoice) => invoiceEvent(context, invoice, creators)),
    ...payments.map((payment) => paymentEvent(context, payment)),
  ]
  const events = [
    ...records,
    ...messages.map((message) => messageEvent(context, message)),
    ...notes.map((note) => noteEvent(context, note)),
    ...changeEvents(context, changes, records, context.path('customers', id)),
  ]
  return { events, horizon: horizonOf(changes, page) }
}

const partsFor = (context: MemberContext): TimelinePart[] => [
  ...(context.may('read:jobs') ? (['visits'] as const) : []),
  ...(mayReadMessages(context) ? (['messages'] as const) : []),
  ...(context.may('read:quotes') || context.may('read:invoices') ? (['money'] as const) : []),
  ...(context.may('read:notes') ? (['notes'] as const) : []),
]

const composerOf = (
  context: MemberContext,
  id: string,
  contacts: readonly Contact[],
  locations: readonly Location[],
  isMailFirst: boolean,
): Html | '' =>
  composerHtml([
    ...noteForm(context, 'customer', id),
    ...messageForm(context, { customer: id, contacts, isMailFirst, back: context.path('customers', id) }),
    ...jobForm(context, id, locations),
  ])

const remindersForm = (context: MemberContext, id: string, excluded: boolean): Html => html`
<form method="post" action="${context.path('customers', id, 'reminders')}">${hidden(
  'excluded',
  excluded ? 'no' : 'yes',
)}${button({ label: excluded ? say`Send reminders` : say`Stop reminders`, kind: 'quiet' })}</form>`

const noRemindersHtml = (context: MemberContext, id: string): Html => html`
<section class="part">
  <div class="part-head"><p><b>${say`Reminders`}</b> ${say`This customer gets none.`}</p>${when(
    context.may('write:customers'),
    () => remindersForm(context, id, true),
  )}</div>
</section>`

const menuOf = (context: MemberContext, id: string, excluded: boolean): Html[] => [
  ...(mayShareKind(context.may, 'customers')
    ? [linkButton(say`Customer link`, context.path('customers', id, 'links'), 'quiet')]
    : []),
  ...(context.may('write:customers') && !excluded ? [remindersForm(context, id, false)] : []),
]
