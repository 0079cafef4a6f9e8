import { redirect } from '../../platform/http/answer.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { requireMemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'

const FORMER = '/:tenant{[0-9a-f-]{36}}/customers/import'

/** Redirects the paths of the earlier customer import to Settings, Import, including submits of forms still open. */
export const formerImportRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .all(FORMER, async (request) =>
      redirect((await requireMemberContext(site, request)).path('settings', 'import') + CUSTOMERS_QUERY),
    )
    .all(`${FORMER}/:id{[0-9a-f-]{36}}`, (request) => redirectToFile(site, request))
    .all(`${FORMER}/:id{[0-9a-f-]{36}}/to-fix.csv`, (request) => redirectToFile(site, request, 'to-fix.csv'))

const CUSTOMERS_QUERY = '?kind=customers'

async function redirectToFile(site: Site, request: PageRequest, ...steps: string[]): Promise<Response> {
  const { path } = await requireMemberContext(site, request)
  return redirect(path('settings', 'import', request.req.param('id') ?? '', ...steps))
}
