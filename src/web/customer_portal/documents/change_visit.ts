import { parseField } from '../../../identity/inputs.ts'
import {
  cancelVisit,
  findOwnVisit,
  moveVisit,
  offerMoves,
  type LinkedVisit,
  type VisitChange,
  type VisitRights,
} from '../../../customer_portal/booking/change_visit.ts'
import { confirmVisit, notifyOfBooking } from '../../../messaging/notices/booking_notices.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { textArea } from '../../../platform/html/parts/field.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { MAX_PUBLIC_FORM_BYTES, readFormFields } from '../../../platform/http/form.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { refusalForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say } from '../../../platform/i18n/say.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isInstant } from '../../../platform/validation/fields.ts'
import { isId } from '../../../platform/validation/id.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { findJob, type Job } from '../../../records/jobs/index.ts'
import { findArrivalWindow } from '../../../scheduling/hours.ts'
import { moment } from '../../../records/format/formats.ts'
import { parseDay } from '../../../platform/validation/formats/days.ts'
import { windowPicker } from '../../booking/window_picker.ts'
import { statusOf } from '../../faults.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { Site } from '../../site.ts'
import { customerNotice, customerPage } from '../customer_page.ts'
import { unknownLinkPage } from '../link_errors.ts'
import { openLinkContext, type LinkContext } from '../link_context.ts'

const MAX_REASON = 300

type ChangeContext = LinkContext & Pick<LinkedVisit, 'page' | 'visit'> & { change: VisitChange; site: Site }

/** Shows the arrival windows a customer may move their visit to, or moves it. */
export async function handleMove(site: Site, request: PageRequest): Promise<Response> {
  const context = await openChange(site, request, 'mayMove')
  if (context instanceof Response) return context
  if (request.req.method !== 'POST')
    return movePage(context, { day: parseDay(request.req.query('day')?.slice(0, 10) ?? '') })
  const start = (await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)).get('start') ?? ''
  if (!isInstant(start) || !start.endsWith('Z')) return movePage(context, {})
  return catchRefusal(
    async () => {
      const { before } = await context.write((db) => moveVisit(db, context.change, start))
      await notifyOfChange(context, 'moved', { before: before.scheduled_start })
      return redirectWithMessage(context.base, { sentence: say`Your visit was moved.` })
    },
    (refusal) => movePage(context, { refusal, day: parseDay(start.slice(0, 10)) }),
  )
}

/** Asks for confirmation to cancel a visit, or cancels it. */
export async function handleCancel(site: Site, request: PageRequest): Promise<Response> {
  const context = await openChange(site, request, 'mayCancel')
  if (context instanceof Response) return context
  if (request.req.method !== 'POST') return cancelPage(context)
  const sent = await readFormFields(request.req.raw, MAX_PUBLIC_FORM_BYTES)
  return catchRefusal(
    async () => {
      const reason = parseField(text(MAX_REASON), (sent.get('reason') ?? '').replaceAll(/\s+/g, ' '), 'reason') ?? null
      await context.write((db) => cancelVisit(db, context.change, reason))
      await notifyOfChange(context, 'cancelled', { reason })
      return redirectWithMessage(context.base, { sentence: say`Your visit was canceled.` })
    },
    (refusal) => cancelPage(context, refusal),
  )
}

/**
 * Emails the office and confirms the new time to the customer, in its own transaction: a change that sent a message
 * can't be undone, and the office must be able to undo this one.
 */
async function notifyOfChange(
  { site, link, visit, write }: ChangeContext,
  event: 'moved' | 'cancelled',
  details: { before?: string | null; reason?: string | null },
): Promise<void> {
  await write(async (db) => {
    const job = await findJob(db, visit.id)
    await notifyOfBooking(db, { event, job, name: link.customer_name, ...details }, site.senders)
    if (event === 'moved') await confirmVisit(db, visit.id, site.senders)
  })
}

/** Opens a visit that the link's customer may change now. Answers any other like a missing one. */
async function openChange(
  site: Site,
  request: PageRequest,
  right: keyof VisitRights,
): Promise<ChangeContext | Response> {
  const context = await openLinkContext(site, request)
  if (context instanceof Response) return context
  const visit = request.req.param('id') ?? ''
  const { link, company } = context
  if (link.kind !== 'customers' || !isId(visit)) return unknownLinkPage()
  const linkedVisit = await context.read((db) => findOwnVisit(db, { link, visit }))
  if (linkedVisit === undefined) return unknownLinkPage()
  if (!linkedVisit.rights[right]) return refusalPage(context)
  const tenant = { id: link.tenant, timezone: company.timezone, currency: company.currency, country: company.country }
  return { ...context, ...linkedVisit, site, change: { tenant, baseUrl: site.baseUrl, link, visit } }
}

async function catchRefusal(
  work: () => Promise<Response>,
  onRefusal: (refusal: Refusal) => Promise<Response> | Response,
): Promise<Response> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return onRefusal(error)
  }
}

const refusalPage = ({ company, base }: LinkContext): Response =>
  customerNotice({
    from: company,
    back: base,
    status: 409,
    title: say`This visit can’t be changed online`,
    lead: say`It’s too close, or it has started. Call ${company.name} instead.`,
  })

async function movePage(
  context: ChangeContext,
  { day, refusal }: { day?: Temporal.PlainDate | undefined; refusal?: Refusal },
): Promise<Response> {
  const { company, base, page, visit } = context
  const here = `${base}/visits/${visit.id}/move`
  const [offered, minutes] = await context.read((db) =>
    Promise.all([
      offerMoves(db, company.timezone, page, visit, day),
      findArrivalWindow(db, visit.arrival_window_minutes),
    ]),
  )
  return customerPage({
    from: company,
    back: base,
    title: say`Choose another time`,
    styles: ['booking.css'],
    scripts: ['form.js'],
    status: refusal === undefined ? 200 : statusOf(refusal),
    body: html`
<h1>${say`Choose another time`}</h1>
${currentHtml(visit)}${refusalHtml(refusal)}
<form class="booking-times" method="post" action="${here}">
  ${windowPicker(offered, { zone: company.timezone, minutes, more: (day) => `${here}?day=${day}` })}
</form>
<p class="actions">${linkButton(say`Keep the current time`, base, 'quiet')}</p>`,
  })
}

const cancelPage = ({ company, base, visit }: ChangeContext, refusal?: Refusal): Response =>
  customerPage({
    from: company,
    back: base,
    title: say`Cancel this visit?`,
    styles: ['booking.css'],
    scripts: ['form.js'],
    status: refusal === undefined ? 200 : statusOf(refusal),
    body: html`
<section class="ticket">
  <h1>${say`Cancel this visit?`}</h1>
  ${currentHtml(visit)}${refusalHtml(refusal)}
  <form class="form" method="post" action="${base}/visits/${visit.id}/cancel">
    ${textArea({ name: 'reason', label: say`Reason`, rows: 2, help: say`Optional. ${company.name} will read it.` })}
    <p class="actions">
      ${button({ label: say`Cancel visit`, kind: 'danger' })}${linkButton(say`Keep the visit`, base, 'quiet')}
    </p>
  </form>
</section>`,
  })

const currentHtml = ({ title, scheduled_start, timezone }: Job): Html => html`
<div class="booking-summary"><p class="visit-when">${
  scheduled_start === null ? '' : moment(new Date(scheduled_start).toISOString(), timezone)
}</p><p>${title}</p></div>`

const refusalHtml = (refusal: Refusal | undefined): Html | '' =>
  when(refusal, (refusal) => notice({ kind: 'error', title: refusalForPeople(refusal) }))
