import { isBound } from '../../../identity/sign_in/sessions.ts'
import { membershipsOf } from '../../../identity/people/memberships.ts'
import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import type { PageRequest, PageRouter } from '../../../platform/http/page_request.ts'
import { noticeLine } from '../../account/notices.ts'
import { companiesPage } from './companies_page.ts'
import { saveFirstSteps } from '../../today/first_steps.ts'
import { showHome } from '../../today/home.ts'
import { landingPage } from '../landing.ts'
import { currentAnySession } from '../session.ts'
import { mayStart } from '../../setup/may_start.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'

/** Returns the start page: the person's only company, or a choice of several. */
export const companyRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    '/': { get: showStartPage },
    '/:tenant{[0-9a-f-]{36}}/first-steps': { post: saveFirstSteps },
    '/:tenant{[0-9a-f-]{36}}': { get: showHome },
  })

async function showStartPage(site: Site, request: PageRequest): Promise<Response> {
  const session = await currentAnySession(site, request)
  if (session !== null && isBound(session)) return redirect(`/${session.boundTo}`)
  if (session === null) return pageResponse(landingPage(site.baseUrl, mayStart(site)))
  const { user } = session
  const memberships = await membershipsOf(site.database, user.id)
  const [only, another] = memberships
  return only !== undefined && another === undefined
    ? redirect(`/${only.company.id}`)
    : pageResponse(companiesPage(user, memberships, await noticeLine(site, session, '/'), mayStart(site)))
}
