import { html, when, type Html } from '../../../platform/html/html.ts'
import { sayHtml } from '../../../platform/html/say_html.ts'
import { icon } from '../../../platform/html/shell.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { moment, money, span } from '../../../records/format/formats.ts'
import { paymentLabel, type InvoiceEvent, type InvoicePaymentEvent } from '../../../records/invoices/index.ts'
import type { JobEvent } from '../../../records/jobs/index.ts'
import type { NoteEvent } from '../../../records/notes/index.ts'
import { recordLink } from '../../../records/page/links.ts'
import { statusTag } from '../../../records/page/parts.ts'
import type { QuoteEvent } from '../../../records/quotes/index.ts'
import type { MemberContext } from '../../member_context.ts'
import type { TimelineEvent } from './timeline.ts'

/** Creator of each record and their key or app, by record id. */
type CreatorNames = ReadonlyMap<string, string>

/** Joins the non-empty parts with dots. */
const joinDots = (...parts: readonly (string | null | undefined)[]): string =>
  parts.filter((part) => part != null && part !== '').join(' · ')

const help = (text: string): Html | '' => when(text, (text) => html`<p class="help">${text}</p>`)

/** Returns the event of a visit with its photos, or of its booking. */
export function jobEvent(context: MemberContext, job: JobEvent, creators: CreatorNames): TimelineEvent {
  const { id, at, display_number, title, status, scheduled_start, scheduled_end, all_day, crew } = job
  const zone = context.company.timezone
  const link = (): Html => recordLink(context, 'jobs', id, `${display_number} ${title}`)
  if (job.is_booking)
    return {
      id,
      at,
      icon: 'schedule',
      look: 'quiet',
      head: () => sayHtml`Booked ${link()} for ${moment(scheduled_start ?? at, zone)}`,
      body: () => help(creators.get(id) ?? job.booked_by ?? ''),
    }
  const time =
    scheduled_start === null || scheduled_end === null || all_day ? '' : span(scheduled_start, scheduled_end, zone)
  return {
    id,
    at,
    icon: 'work',
    head: () => html`${link()} ${statusTag(status)}`,
    body: () => {
      const people = crew.map(({ name }) => name).join(', ')
      const photos = photosHtml(context, id, job.photos, job.files - job.photos.length)
      return html`${help(joinDots(people, time, job.cancel_reason))}${photos}`
    },
  }
}

type Photo = Pick<JobEvent['photos'][number], 'id' | 'caption' | 'file_name'>

/** Draws photos of a job, with a link to its other files. */
const photosHtml = (context: MemberContext, job: string, photos: readonly Photo[], more: number): Html | '' =>
  when(
    photos.length > 0,
    () => html`
      <p class="event-photos">${photos.map(
        ({ id, caption, file_name }) => html`<a href="${context.path('jobs', job, 'media', id)}"><img
          src="${context.path('jobs', job, 'media', id)}" alt="${caption ?? file_name}" loading="lazy"
          decoding="async" width="120" height="90"></a>`,
      )}${when(
        more > 0,
        () => html`<a href="${context.path('jobs', job)}#media">${sayCount(more, '1 more file', '{0} more files')}</a>`,
      )}</p>`,
  )

export const quoteEvent = (context: MemberContext, quote: QuoteEvent, creators: CreatorNames): TimelineEvent => ({
  id: quote.id,
  at: quote.at,
  icon: 'pen',
  ...(quote.event === 'accepted' ? { look: 'good' } : {}),
  head: () =>
    html`${recordLink(context, 'quotes', quote.id, `${quote.display_number} ${quote.title}`)} ${statusTag(
      quote.event,
      'quote',
    )}`,
  body: () =>
    help(
      joinDots(
        money(quote.total_cents, quote.currency),
        quote.event === 'declined' ? quote.decline_reason : null,
        quote.event === 'draft' ? creators.get(quote.id) : null,
      ),
    ),
})

export const invoiceEvent = (context: MemberContext, invoice: InvoiceEvent, creators: CreatorNames): TimelineEvent => ({
  id: invoice.id,
  at: invoice.at,
  icon: 'money',
  head: () =>
    html`${recordLink(
      context,
      'invoices',
      invoice.id,
      numberAndName(invoice.display_number, invoice.subject),
    )} ${statusTag(invoice.event)}`,
  body: () =>
    help(
      joinDots(
        money(invoice.total_cents, invoice.currency),
        invoice.event === 'draft' ? creators.get(invoice.id) : null,
      ),
    ),
})

const numberAndName = (number: string, subject: string | null): string =>
  subject === null ? number : `${number} ${subject}`

/** Returns the event of a payment or refund. */
export const paymentEvent = (context: MemberContext, payment: InvoicePaymentEvent): TimelineEvent => ({
  id: payment.id,
  about: payment.invoice_id,
  at: payment.at,
  icon: payment.amount_cents > 0 ? 'done' : 'back',
  ...(payment.amount_cents > 0 ? { look: 'good' } : {}),
  head: () =>
    html`<b>${money(payment.amount_cents, payment.currency)}</b> ${paymentLabel(
      payment.kind,
      payment.method,
    )} · ${recordLink(context, 'invoices', payment.invoice_id, payment.display_number)}`,
  body: () => help(payment.recorded_by ?? ''),
})

/** Returns the event of a note, with the job that it is on. */
export const noteEvent = (context: MemberContext, note: NoteEvent): TimelineEvent => ({
  id: note.id,
  at: note.at,
  icon: 'note',
  head: () =>
    html`<b>${note.author_name ?? say`The company's key`}</b>${when(
      note.job_id,
      (job) => html` · ${recordLink(context, 'jobs', job, note.job_number ?? '')}`,
    )} · ${recordLink(context, 'notes', note.id, say`Note`)}`,
  body: () => html`<p class="written">${note.body}${note.is_cut ? '…' : ''}</p>`,
})

export const pinsHtml = (context: MemberContext, notes: readonly NoteEvent[]): Html | '' =>
  when(
    notes.length > 0,
    () => html`
<ul class="pinned" aria-label="${say`Pinned notes`}">${notes.map(
      ({ id, at, body, is_cut, author_name }) => html`
  <li>${icon('note')}<div><p class="written">${body}${is_cut ? '…' : ''}</p>
    <p class="help">${author_name ?? say`The company's key`}, ${recordLink(
      context,
      'notes',
      id,
      moment(at, context.company.timezone),
    )}</p></div></li>`,
    )}
</ul>`,
  )
