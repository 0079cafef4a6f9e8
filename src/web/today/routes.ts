import type { PageRouter } from '../../platform/http/page_request.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { actOnVisit } from './visit_steps.ts'

/** Returns the actions on a visit on Today; the page itself is the company's home page. */
export const todayRoutes = (site: Site): PageRouter =>
  pageRoutes(site, { '/:tenant{[0-9a-f-]{36}}/today/:job{[0-9a-f-]{36}}': { post: actOnVisit } })
