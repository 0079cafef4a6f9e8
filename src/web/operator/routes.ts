import { isOperator } from '../../identity/people/operators.ts'
import { readReport } from '../../health/report.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { notFoundRefusal } from '../not_found.ts'
import { requireRecent } from '../sign_in/recent.ts'
import { requirePerson } from '../sign_in/session.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { healthPage } from './health_page.ts'

/** Returns the health page of the installation, for operators only. */
export const operatorRoutes = (site: Site): PageRouter => pageRoutes(site, { '/operator/health': { get: showHealth } })

/** Shows the last report to an operator who signed in recently; throws a 404 for others. */
async function showHealth(site: Site, request: PageRequest): Promise<Response> {
  const session = await requirePerson(site, request)
  if (!(await isOperator(site.database, session.user.id))) throw notFoundRefusal()
  await requireRecent(site, request, session)
  return pageResponse(healthPage(await readReport(site.database), session.user, Date.now()))
}
