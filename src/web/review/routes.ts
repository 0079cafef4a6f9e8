import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../platform/http/page_request.ts'
import type { Site } from '../site.ts'
import { settleEvent, showEvent } from './event.ts'
import { discardWaiting, showWaiting } from './list.ts'
import { settleMessage, showMessage } from './message.ts'
import { operatorsQueue, ownersQueue } from './queue.ts'

const ID = '/:id{[0-9a-f-]{36}}'

/**
 * Returns the pages of held messages and payment events: those of a company for its owners, all others for operators.
 */
export function reviewRoutes(site: Site): PageRouter {
  const pages = newPageRouter()
  for (const [base, roomOf] of [
    ['/operator', operatorsQueue],
    ['/:tenant{[0-9a-f-]{36}}/review', ownersQueue],
  ] as const) {
    pages
      .get(base, async (visit) => showWaiting(site, visit, await roomOf(site, visit)))
      .post(async (visit) => discardWaiting(site, visit, await roomOf(site, visit)))
      .all(methodNotAllowed('GET, HEAD, POST'))
      .get(`${base}/messages${ID}`, async (visit) => showMessage(site, visit, await roomOf(site, visit)))
      .post(async (visit) => settleMessage(site, visit, await roomOf(site, visit)))
      .all(methodNotAllowed('GET, HEAD, POST'))
      .get(`${base}/events${ID}`, async (visit) => showEvent(site, visit, await roomOf(site, visit)))
      .post(async (visit) => settleEvent(site, visit, await roomOf(site, visit)))
      .all(methodNotAllowed('GET, HEAD, POST'))
  }
  return pages
}
