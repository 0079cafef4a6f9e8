import type { PageRouter } from '../../../platform/http/page_request.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { saveLimits, showLimits } from './limits_page.ts'
import { showOutbox } from './list_page.ts'
import { changeOutgoing, showOutgoing } from './message_page.ts'
import { changeSuppression, showSuppressed } from './suppressed_page.ts'

const BASE_PATH = '/:tenant{[0-9a-f-]{36}}/outbox'

/** Returns the pages of the outbox: the list, a message, the do-not-send list, and the limits. */
export const outboxRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [BASE_PATH]: { get: showOutbox },
    [`${BASE_PATH}/suppressed`]: { get: showSuppressed, post: changeSuppression },
    [`${BASE_PATH}/limits`]: { get: showLimits, post: saveLimits },
    [`${BASE_PATH}/:id{[0-9a-f-]{36}}`]: { get: showOutgoing, post: changeOutgoing },
  })
