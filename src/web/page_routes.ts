import { methodNotAllowed } from '../platform/html/message.ts'
import { newPageRouter, type PageRequest, type PageRouter } from '../platform/http/page_request.ts'
import type { Site } from './site.ts'

export type PageHandler = (site: Site, request: PageRequest) => Response | Promise<Response>

/** Pages by path, with handlers for GET (and HEAD) and POST. */
export type PageTable = Readonly<Record<string, { get?: PageHandler; post?: PageHandler }>>

/** Returns the router of pages by path. The first matching path wins; other methods get 405. */
export function pageRoutes(site: Site, pages: PageTable): PageRouter {
  const router = newPageRouter()
  for (const [path, { get, post }] of Object.entries(pages)) {
    if (get !== undefined) router.get(path, (request) => get(site, request))
    if (post !== undefined) router.post(path, (request) => post(site, request))
    router.all(path, methodNotAllowed([...(get ? ['GET, HEAD'] : []), ...(post ? ['POST'] : [])].join(', ')))
  }
  return router
}
