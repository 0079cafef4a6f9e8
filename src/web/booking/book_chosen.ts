import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { bookOnline, type OnlineBooking } from '../../customer_portal/booking/book.ts'
import type { BookingContact } from '../../customer_portal/booking/contact.ts'
import { nextStep, signStep } from '../../customer_portal/booking/step_token.ts'
import { answerBooking, confirmVisit, notifyOfBooking } from '../../messaging/notices/booking_notices.ts'
import type { Db } from '../../platform/db/tenant.ts'
import { redirect } from '../../platform/http/answer.ts'
import { findJob } from '../../records/jobs/index.ts'
import { tooManyAttemptsPage, type BookingContext } from './booking_context.ts'
import type { ChosenTime } from './chosen_time.ts'

/** Maximum bookings per email address or phone number in 15 minutes. */
const MAX_PER_CONTACT = 4

/** Books for a contact, and notifies them and the office; a double submit books once. */
export async function bookChosenTime(
  context: BookingContext,
  { step, service }: ChosenTime,
  contact: BookingContact,
  hold?: (db: Db) => Promise<unknown>,
): Promise<Response> {
  const wait = await takeAttempt(
    context.site.database,
    [contact.email, contact.phone].flatMap((address) =>
      address === null ? [] : [{ subject: `booking by ${address}`, max: MAX_PER_CONTACT }],
    ),
  )
  if (wait > 0) return tooManyAttemptsPage(wait)
  const booked = await context.write(async (db) => {
    await hold?.(db)
    const booking = await bookOnline(
      db,
      { tenant: context.tenant, baseUrl: context.site.baseUrl },
      {
        hold: step.id,
        start: step.start,
        service,
        contact,
        source: step.source,
        language: context.language,
        needsApproval: context.page.needs_approval,
        windowMinutes: context.page.window_minutes,
      },
    )
    if (booking.isNew) await notify(context, db, booking, contact)
    return booking
  })
  const done = nextStep(step, { step: 'done', start: booked.start })
  return redirect(context.path('done', { t: signStep(context.page.secret, done) }))
}

async function notify(context: BookingContext, db: Db, booking: OnlineBooking, contact: BookingContact): Promise<void> {
  const { senders } = context.site
  const isWaiting = context.page.needs_approval
  if (isWaiting) await answerBooking(db, booking.job, { status: 'waiting', reason: null }, senders)
  else await confirmVisit(db, booking.job, senders)
  const job = await findJob(db, booking.job)
  const event = isWaiting ? 'waiting' : 'booked'
  await notifyOfBooking(db, { event, job, name: contact.name, alike: booking.duplicateWarnings }, senders)
}
