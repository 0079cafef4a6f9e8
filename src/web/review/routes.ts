import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes, type PageHandler, type PageTable } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { settleEvent, showEvent } from './event.ts'
import { discardWaiting, showWaiting } from './list.ts'
import { settleMessage, showMessage } from './message.ts'
import { operatorsQueue, ownersQueue, type ReviewQueue } from './queue.ts'

const ID = '/:id{[0-9a-f-]{36}}'

/**
 * Returns the pages of quarantined messages and parked payment events: a company's own for owners, all for operators.
 */
export const reviewRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    ...queuePages('/operator', operatorsQueue),
    ...queuePages('/:tenant{[0-9a-f-]{36}}/review', ownersQueue),
  })

function queuePages(base: string, queueOf: typeof ownersQueue): PageTable {
  const on =
    (handle: (site: Site, visit: PageRequest, queue: ReviewQueue) => Promise<Response>): PageHandler =>
    async (site, visit) =>
      handle(site, visit, await queueOf(site, visit))
  return {
    [base]: { get: on(showWaiting), post: on(discardWaiting) },
    [`${base}/messages${ID}`]: { get: on(showMessage), post: on(settleMessage) },
    [`${base}/events${ID}`]: { get: on(showEvent), post: on(settleEvent) },
  }
}
