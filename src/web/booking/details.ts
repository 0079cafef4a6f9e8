import { readContact } from '../../customer_portal/booking/contact.ts'
import { redirect } from '../../platform/http/answer.ts'
import { readFormFields } from '../../platform/http/form.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { bookChosenTime } from './book_chosen.ts'
import type { BookingContext } from './booking_context.ts'
import { findChosenTime } from './chosen_time.ts'
import { sendCodePage } from './code.ts'
import { answerRefusal, detailsPage } from './details_page.ts'

const MAX_BYTES = 16 * 1024

/** Asks for contact details and the address. */
export function showDetails(context: BookingContext, request: PageRequest): Response {
  const chosen = findChosenTime(context, request.req.query('t') ?? '', 'details')
  return chosen === undefined ? redirect(context.path()) : detailsPage(context, chosen, new URLSearchParams())
}

/** Books the held time, or sends the code that confirms an address. */
export async function saveDetails(context: BookingContext, request: PageRequest): Promise<Response> {
  const sent = await readFormFields(request.req.raw, MAX_BYTES)
  const chosen = findChosenTime(context, sent.get('t') ?? '', 'details')
  if (chosen === undefined) return redirect(context.path())
  try {
    const contact = readContact(sent, chosen.service, context.company.country)
    if (chosen.step.isHeld !== true) return await sendCodePage(context, chosen, sent, contact)
    return await bookChosenTime(context, chosen, contact)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return answerRefusal(context, chosen, sent, error)
  }
}
