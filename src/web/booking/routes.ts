import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRequest, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { openBooking, type BookingContext } from './booking_context.ts'
import { confirmCode } from './code.ts'
import { saveDetails, showDetails } from './details.ts'
import { showDone } from './done.ts'
import { showServices } from './choose_service.ts'
import { chooseTime, showTimes } from './times.ts'

const PAGE = '/book/:name'

type Handler = (context: BookingContext, visit: PageRequest) => Promise<Response> | Response

/**
 * Returns the pages on which a stranger books. What is sent needs no proof of where it comes from: there is no session
 * that another site could use, and the company's own site shows the page in a frame.
 */
export function bookingRoutes(site: Site): PageRouter {
  const handle =
    (handler: Handler) =>
    async (visit: PageRequest): Promise<Response> => {
      const context = await openBooking(site, visit)
      return context instanceof Response ? context : handler(context, visit)
    }
  return newPageRouter()
    .get(PAGE, handle(showServices))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${PAGE}/details`, handle(showDetails))
    .post(handle(saveDetails))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post(`${PAGE}/code`, handle(confirmCode))
    .all(methodNotAllowed('POST'))
    .get(`${PAGE}/done`, handle(showDone))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${PAGE}/:service{[0-9a-f-]{36}}`, handle(showTimes))
    .post(handle(chooseTime))
    .all(methodNotAllowed('GET, HEAD, POST'))
}
