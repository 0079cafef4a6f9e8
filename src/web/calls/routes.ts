import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { bookCall, showCall, showCaller, showTimes } from './call.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/calls'

/** Returns the page that books a call, and its sections that update while typing: the caller, and the free times. */
export const callRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${HERE}/new`]: { get: showCall, post: bookCall },
    [`${HERE}/caller`]: { get: showCaller },
    [`${HERE}/times`]: { get: showTimes },
  })
