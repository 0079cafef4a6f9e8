import { isBound } from '../../../identity/sign_in/sessions.ts'
import { membershipsOf } from '../../../identity/people/memberships.ts'
import { answer, redirect } from '../../../platform/http/answer.ts'
import { wrongMethod } from '../../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../../platform/http/visit.ts'
import { noticeLine } from '../../account/notices.ts'
import { companiesPage } from './companies_page.ts'
import { hideFirstSteps } from '../../today/first_steps.ts'
import { showHome } from '../../today/home.ts'
import { landingPage } from '../landing.ts'
import { anybodyAt } from '../session.ts'
import type { Site } from '../../site.ts'

/** Returns the start page: one's company, or the choice of several. */
export const companyRoutes = (site: Site): Pages =>
  newPages()
    .get('/', (visit) => start(site, visit))
    .all('/', wrongMethod('GET, HEAD'))
    .post('/:tenant{[0-9a-f-]{36}}/first-steps', (visit) => hideFirstSteps(site, visit))
    .all(wrongMethod('POST'))
    .get('/:tenant{[0-9a-f-]{36}}', (visit) => showHome(site, visit))
    .all('/:tenant{[0-9a-f-]{36}}', wrongMethod('GET, HEAD'))

async function start(site: Site, visit: Visit): Promise<Response> {
  const session = await anybodyAt(site, visit)
  if (session !== null && isBound(session)) return redirect(`/${session.boundTo}`)
  if (session === null) return answer(landingPage(site.baseUrl))
  const { user } = session
  const memberships = await membershipsOf(site.database, user.id)
  const [only, another] = memberships
  return only !== undefined && another === undefined
    ? redirect(`/${only.company.id}`)
    : answer(companiesPage(user, memberships, await noticeLine(site, session, '/')))
}
