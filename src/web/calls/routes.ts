import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { bookCall, showCall, showCaller, showTimes } from './call.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/calls'

/**
 * Returns the page on which a call is booked, and its parts that follow what is typed: who calls, and the free times.
 */
export const callRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(`${HERE}/new`, (visit) => showCall(site, visit))
    .post((visit) => bookCall(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/caller`, (visit) => showCaller(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/times`, (visit) => showTimes(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
