import { methodNotAllowed } from '../../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../../platform/http/page_request.ts'
import type { Site } from '../../site.ts'
import { saveLimits, showLimits } from './limits_page.ts'
import { showOutbox } from './list_page.ts'
import { changeOutgoing, showOutgoing } from './message_page.ts'
import { changeSuppression, showSuppressed } from './suppressed_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/outbox'

/** Returns the pages of what is sent: the list, a message, whom nothing is sent to, and the limits. */
export const outboxRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get(HERE, (visit) => showOutbox(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${HERE}/suppressed`, (visit) => showSuppressed(site, visit))
    .post((visit) => changeSuppression(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/limits`, (visit) => showLimits(site, visit))
    .post((visit) => saveLimits(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${HERE}/:id{[0-9a-f-]{36}}`, (visit) => showOutgoing(site, visit))
    .post((visit) => changeOutgoing(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
