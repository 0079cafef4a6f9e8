import { verifyStep } from '../../customer_portal/booking/step_token.ts'
import { html } from '../../platform/html/html.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { redirect } from '../../platform/http/answer.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { bookingPage, type BookingContext } from './booking_context.ts'
import { timeText } from './chosen_time.ts'

/** Shows the booked time and what happens next. It names no customer: anyone with the URL learns only a time. */
export function showDone(context: BookingContext, request: PageRequest): Response {
  const step = verifyStep(context.page.secret, request.req.query('t') ?? '', 'done')
  const service = context.services.find(({ catalog_item_id }) => catalog_item_id === step?.service)
  if (step?.start === undefined || service === undefined) return redirect(context.path())
  const { name } = context.company
  const isWaiting = context.page.needs_approval
  return bookingPage(context, {
    title: isWaiting ? say`Request sent` : say`Visit booked`,
    body: html`
<section class="ticket booking-done">
  <p class="booking-check" aria-hidden="true">✓</p>
  <h1>${isWaiting ? say`Request sent` : say`Visit booked`}</h1>
  <p class="visit-when">${timeText(context, step.start)}</p>
  <p>${service.name}</p>
  <p class="lead">${
    isWaiting
      ? say`${name} holds this time and will confirm it soon.`
      : say`You’ll get a confirmation with a link to your visit.`
  }</p>
  <p class="actions">${linkButton(say`Book another visit`, context.path(), 'quiet')}</p>
</section>`,
  })
}
