import { decideBooking, findOnlineBooking } from '../../customer_portal/booking/book.ts'
import { refusals } from '../../customer_portal/booking/refusals.ts'
import { answerBooking, confirmVisit } from '../../messaging/notices/booking_notices.ts'
import { parseField } from '../../identity/inputs.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { button } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { text } from '../../platform/validation/text/text.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { redirectWithMessage } from '../flash_message.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'

/** Draws the office's decision on a job that a customer requested online. */
export async function bookingPart(context: MemberContext, job: string): Promise<Html | ''> {
  if (!context.may('write:jobs')) return ''
  const booking = await context.read((db) => findOnlineBooking(db, job))
  if (booking?.state !== 'waiting') return ''
  const action = context.path('jobs', job, 'online-booking')
  // Two forms, so that Enter in the message field doesn't approve.
  return html`
<section class="part notice warning" aria-labelledby="booking-head">
  <h2 id="booking-head">${say`This visit was requested online`}</h2>
  <p>${say`The time is held. The customer waits for your answer.`}</p>
  <form class="form" method="post" action="${action}">${hidden('act', 'approve')}
    <p class="actions">${button({ label: say`Approve and confirm`, kind: 'main' })}</p>
  </form>
  <form class="form" method="post" action="${action}">${hidden('act', 'decline')}
    ${field({ name: 'reason', label: say`Message to the customer if you decline` })}
    <p class="actions">${button({ label: say`Decline`, kind: 'danger' })}</p>
  </form>
</section>`
}

/** Returns the route for the office's decision on an online booking. */
export const onlineBookingRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { '/:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/online-booking': { post: decideOnlineBooking } })

/** Approves or declines a request once and notifies the customer, in one transaction. */
async function decideOnlineBooking(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  if (!context.may('write:jobs')) throw notFoundRefusal()
  const sent = await readFormFields(request.req.raw)
  const id = request.req.param('id') ?? ''
  const isApproved = sent.get('act') === 'approve'
  const reason = parseField(text(500), sent.get('reason') ?? '', 'reason') ?? null
  const there = context.path('jobs', id)
  await context.write(async (db) => {
    if (!(await decideBooking(db, id, isApproved ? 'approved' : 'declined'))) throw conflict(refusals.decided())
    if (isApproved) await context.within(db, 'jobs_update', { id, status: 'scheduled' })
    else await context.within(db, 'jobs_cancel', { id, ...(reason === null ? {} : { reason }) })
    if (isApproved) await confirmVisit(db, id, site.senders)
    else await answerBooking(db, id, { status: 'declined', reason }, site.senders)
  })
  return redirectWithMessage(there, {
    sentence: isApproved ? say`Approved. The customer gets a confirmation.` : say`Declined. The customer is notified.`,
  })
}
