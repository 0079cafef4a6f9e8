import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes, type PageHandler, type PageTable } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { decideEvent, showEvent } from './event.ts'
import { discardWaiting, showWaiting } from './list.ts'
import { decideMessage, showMessage } from './message.ts'
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
  const withQueue =
    (handle: (site: Site, request: PageRequest, queue: ReviewQueue) => Promise<Response>): PageHandler =>
    async (site, request) =>
      handle(site, request, await queueOf(site, request))
  return {
    [base]: { get: withQueue(showWaiting), post: withQueue(discardWaiting) },
    [`${base}/messages${ID}`]: { get: withQueue(showMessage), post: withQueue(decideMessage) },
    [`${base}/events${ID}`]: { get: withQueue(showEvent), post: withQueue(decideEvent) },
  }
}
