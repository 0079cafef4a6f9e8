import { redirect } from '../../platform/http/answer.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { requireMemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'

const FORMER = '/:tenant{[0-9a-f-]{36}}/customers/import'

/** Redirects the paths of the earlier customer import to Settings, Import, including submits of forms still open. */
export const formerImportRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .all(FORMER, async (visit) =>
      redirect((await requireMemberContext(site, visit)).path('settings', 'import') + CHOSEN),
    )
    .all(`${FORMER}/:id{[0-9a-f-]{36}}`, (visit) => leadToFile(site, visit))
    .all(`${FORMER}/:id{[0-9a-f-]{36}}/to-fix.csv`, (visit) => leadToFile(site, visit, 'to-fix.csv'))

const CHOSEN = '?kind=customers'

async function leadToFile(site: Site, visit: PageRequest, ...steps: string[]): Promise<Response> {
  const { path } = await requireMemberContext(site, visit)
  return redirect(path('settings', 'import', visit.req.param('id') ?? '', ...steps))
}
