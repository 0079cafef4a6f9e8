import { listVisitRights, type VisitRights } from '../../../customer_portal/booking/change_visit.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { invoicesOwedBy, type OwedInvoice } from '../../../records/invoices/index.ts'
import { listUpcomingVisits, type UpcomingVisit } from '../../../records/jobs/index.ts'
import { listOpenQuotes, type OpenQuote } from '../../../records/quotes/index.ts'
import { day, money, moment, shortDay, span } from '../../../records/format/formats.ts'
import { localAddress } from '../../../records/page/contact_links.ts'
import { takeFlashMessage } from '../../flash_message.ts'
import type { LinkContext } from '../link_context.ts'
import { customerPage } from '../customer_page.ts'
import { findMethodState, methodButton } from '../saved/saved_notice.ts'

/** Shows a customer's upcoming visits, open quotes and unpaid invoices. */
export async function showVisits(context: LinkContext, request: PageRequest): Promise<Response> {
  const { link, company, today, base } = context
  const [visits, rights, quotes, invoices, methodState] = await context.read((db) =>
    Promise.all([
      listUpcomingVisits(db, link.record),
      listVisitRights(db, link.record),
      listOpenQuotes(db, link.record, today),
      invoicesOwedBy(db, link.record),
      findMethodState(db, link, null),
    ]),
  )
  return customerPage({
    from: company,
    title: say`Your visits`,
    styles: ['booking.css'],
    flashMessage: takeFlashMessage(request),
    body: html`
<h1>${say`Your visits`}</h1>
<p class="lead">${link.customer_name}</p>${
      visits.length === 0
        ? html`
<p class="empty">${say`No visits are planned.`}</p>`
        : html`
<ul class="visits">${visits.map((one) => visitHtml(context, one, rights.get(one.id)))}
</ul>`
    }
<p class="actions">${linkButton(
      visits.length === 0 ? say`Ask for a visit` : say`Ask for another time`,
      `${base}/question`,
      visits.length === 0 ? 'main' : 'plain',
    )}${methodButton(context, methodState)}</p>${when(
      invoices.length > 0,
      () => html`
<section class="part"><h2>${say`To pay`}</h2>
<ul class="papers">${invoices.map((invoice) => invoiceHtml(base, invoice))}
</ul></section>`,
    )}${when(
      quotes.length > 0,
      () => html`
<section class="part"><h2>${say`Quotes waiting for your reply`}</h2>
<ul class="papers">${quotes.map((quote) => quoteHtml(base, quote))}
</ul></section>`,
    )}`,
  })
}

const visitHtml = ({ company, base }: LinkContext, visit: UpcomingVisit, rights: VisitRights | undefined): Html => html`
  <li class="visit-card">
    <p class="visit-when">${timeText(visit)}</p>
    <p>${visit.title}</p>${when(
      visit.location_address,
      (address) => html`
    <p class="help">${localAddress(address, company.country)}</p>`,
    )}${when(
      arrivalText(visit),
      (sentence) => html`
    <p>${sentence}</p>`,
    )}${when(
      rights?.mayMove === true || rights?.mayCancel === true,
      () => html`
    <p class="visit-actions">${when(rights?.mayMove, () =>
      linkButton(say`Move visit`, `${base}/visits/${visit.id}/move`),
    )}${when(rights?.mayCancel, () =>
      linkButton(say`Cancel visit`, `${base}/visits/${visit.id}/cancel`, 'quiet'),
    )}</p>`,
    )}
  </li>`

/** Returns the day and the arrival window of a visit. */
function timeText({ scheduled_start, all_day, arrival_window_minutes, timezone }: UpcomingVisit): string {
  const start = Temporal.Instant.from(scheduled_start)
  if (all_day) return day(start.toZonedDateTimeISO(timezone).toPlainDate().toString())
  if (arrival_window_minutes === 0) return moment(scheduled_start, timezone)
  const until = start.add({ minutes: arrival_window_minutes }).toString()
  return say`Arrival ${span(scheduled_start, until, timezone)}`
}

/** Describes the arrival, with the technicians' first names. */
function arrivalText({ status, assignments }: UpcomingVisit): string | undefined {
  const names = assignments.map(({ name }) => name.split(/\s+/)[0]).join(', ')
  if (status === 'in_progress') return names === '' ? say`Work has started.` : say`${names} has arrived.`
  if (status === 'en_route') return names === '' ? say`We are on our way.` : say`${names} is on the way.`
  return names === '' ? undefined : say`Your technician: ${names}.`
}

const invoiceHtml = (
  base: string,
  { id, display_number, due_date, balance_due_cents, currency }: OwedInvoice,
): Html => html`
  <li><a href="${base}/invoices/${id}">${say`Invoice ${display_number}`}</a>
    <span>${say`due ${shortDay(due_date)}`}</span> <b>${money(balance_due_cents, currency)}</b></li>`

const quoteHtml = (
  base: string,
  { id, display_number, title, valid_until, total_cents, currency }: OpenQuote,
): Html => html`
  <li><a href="${base}/quotes/${id}">${display_number} ${title}</a> <span>${say`until ${shortDay(valid_until)}`}</span>
    <b>${money(total_cents, currency)}</b></li>`
