import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages } from '../../platform/http/visit.ts'
import type { Site } from '../site.ts'
import { bookTyped, showCall, showCaller, showTimes } from './call.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/calls'

/** Returns the page on which a call is booked, and its parts that follow what is typed: who calls, and the free times. */
export const callRoutes = (site: Site): Pages =>
  newPages()
    .get(`${HERE}/new`, (visit) => showCall(site, visit))
    .post((visit) => bookTyped(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/caller`, (visit) => showCaller(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${HERE}/times`, (visit) => showTimes(site, visit))
    .all(wrongMethod('GET, HEAD'))
