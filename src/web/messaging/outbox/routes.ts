import { wrongMethod } from '../../../platform/html/message.ts'
import { newPages, type Pages } from '../../../platform/http/visit.ts'
import type { Site } from '../../site.ts'
import { saveLimits, showLimits } from './limits_page.ts'
import { showOutbox } from './list_page.ts'
import { decide, showOutgoing } from './message_page.ts'
import { lift, showSuppressed } from './suppressed_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/outbox'

/** Returns the pages of what is sent: the list, a message, whom nothing is sent to, and the limits. */
export const outboxRoutes = (site: Site): Pages =>
  newPages()
    .get(HERE, (visit) => showOutbox(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${HERE}/suppressed`, (visit) => showSuppressed(site, visit))
    .post((visit) => lift(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/limits`, (visit) => showLimits(site, visit))
    .post((visit) => saveLimits(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}`, (visit) => showOutgoing(site, visit))
    .post((visit) => decide(site, visit))
    .all(wrongMethod('GET, HEAD, POST'))
