import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes, type PageHandler } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { openBooking, type BookingContext } from './booking_context.ts'
import { confirmCode } from './code.ts'
import { saveDetails, showDetails } from './details.ts'
import { showDone } from './done.ts'
import { showServices } from './choose_service.ts'
import { chooseTime, showTimes } from './times.ts'

const PAGE = '/book/:name'

/**
 * Returns the public booking pages. They need no CSRF check: there is no session to abuse, and the company's own site
 * embeds them in a frame.
 */
export const bookingRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [PAGE]: { get: onBooking(showServices) },
    [`${PAGE}/details`]: { get: onBooking(showDetails), post: onBooking(saveDetails) },
    [`${PAGE}/code`]: { post: onBooking(confirmCode) },
    [`${PAGE}/done`]: { get: onBooking(showDone) },
    [`${PAGE}/:service{[0-9a-f-]{36}}`]: { get: onBooking(showTimes), post: onBooking(chooseTime) },
  })

const onBooking =
  (handle: (context: BookingContext, request: PageRequest) => Promise<Response> | Response): PageHandler =>
  async (site, request) => {
    const context = await openBooking(site, request)
    return context instanceof Response ? context : handle(context, request)
  }
