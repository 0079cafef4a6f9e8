import type { BookableService } from '../../customer_portal/booking/bookable_service.ts'
import { verifyStep, type BookingStep } from '../../customer_portal/booking/step_token.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { day } from '../../records/format/formats.ts'
import { HOLD_MINUTES } from '../../scheduling/holds.ts'
import type { BookingContext } from './booking_context.ts'
import { windowText } from './window_picker.ts'

/** Booking with a chosen time. */
export type ChosenTime = { step: BookingStep & { start: string }; service: BookableService; token: string }

/** Returns the time a token stands for; undefined if it expired or its service is no longer offered. */
export function findChosenTime(
  context: BookingContext,
  token: string,
  kind: 'details' | 'code',
): ChosenTime | undefined {
  const step = verifyStep(context.page.secret, token, kind)
  const service = context.services.find(({ catalog_item_id }) => catalog_item_id === step?.service)
  if (step?.start === undefined || service === undefined) return undefined
  return { step: { ...step, start: step.start }, service, token }
}

/** Renders a booking summary: the service, the day and window, and how long it is held. */
export const summaryHtml = (context: BookingContext, { service, step }: ChosenTime): Html => html`
<div class="booking-summary">
  <p class="visit-when">${timeText(context, step.start)}</p>
  <p>${service.name}</p>${when(
    step.step === 'details' && step.isHeld === true,
    () => html`
  <p class="help">${say`We hold this time for ${HOLD_MINUTES} minutes.`}</p>`,
  )}
</div>`

export function timeText({ company, page }: BookingContext, start: string): string {
  const date = Temporal.Instant.from(start).toZonedDateTimeISO(company.timezone).toPlainDate().toString()
  return `${day(date)}, ${windowText(start, page.window_minutes, company.timezone)}`
}
