import type { PageRouter } from '../../../platform/http/page_request.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { saveLimits, showLimits } from './limits_page.ts'
import { showOutbox } from './list_page.ts'
import { changeOutgoing, showOutgoing } from './message_page.ts'
import { changeSuppression, showSuppressed } from './suppressed_page.ts'

const HERE = '/:tenant{[0-9a-f-]{36}}/outbox'

/** Returns the pages of the outbox: the list, a message, the do-not-send list, and the limits. */
export const outboxRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [HERE]: { get: showOutbox },
    [`${HERE}/suppressed`]: { get: showSuppressed, post: changeSuppression },
    [`${HERE}/limits`]: { get: showLimits, post: saveLimits },
    [`${HERE}/:id{[0-9a-f-]{36}}`]: { get: showOutgoing, post: changeOutgoing },
  })
