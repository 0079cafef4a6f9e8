import { words } from '../../records/format/formats.ts'
import { entities } from '../../records/index.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { layout } from '../../platform/html/layout.ts'
import type { Html } from '../../platform/html/html.ts'
import { methodNotAllowed } from '../../platform/html/message.ts'
import { changeReader } from '../../platform/i18n/reader.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { notFoundPage } from '../not_found.ts'
import { currentSession } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { connectPage } from './connecting.ts'
import { limits } from './limits.ts'
import { ownCompany } from './own_company.ts'
import { privacy } from './privacy.ts'
import { toolsOf } from './tools.ts'

type DocsPage = { path: string; title: string; body: () => Html }

/** Serves the public docs in English: how to connect, the tool reference, errors and limits. */
export function docsRoutes(site: Site): PageRouter {
  const guide: DocsPage[] = [
    { path: '/docs', title: 'How to connect', body: () => connectPage(site.baseUrl) },
    { path: '/docs/company', title: 'Start your own company', body: ownCompany },
    { path: '/docs/limits', title: 'Errors and limits', body: () => limits(site.rateLimits) },
    { path: '/privacy', title: 'Privacy', body: privacy },
  ]
  const tools = entities.map((entity): DocsPage => {
    return { path: `/docs/tools/${entity.name}`, title: words(entity.name), body: () => toolsOf(entity) }
  })
  const pages = [...guide, ...tools]
  const show = async (request: PageRequest): Promise<Response> => {
    changeReader({ language: 'en', country: 'US' })
    const page = pages.find(({ path }) => path === request.req.path)
    if (page === undefined) return notFoundPage()
    const { user } = (await currentSession(site, request)) ?? {}
    const menuGroups = [guide, tools].map((group) =>
      group.map((one) => ({ label: one.title, href: one.path, isHere: one === page })),
    )
    return pageResponse(
      layout({ title: page.title, body: page.body(), person: user, width: 'full', scripts: ['copy.js'], menuGroups }),
    )
  }
  const rejectMethod = methodNotAllowed('GET, HEAD')
  return newPageRouter()
    .get('/docs', show)
    .all(rejectMethod)
    .get('/docs/*', show)
    .all(rejectMethod)
    .get('/privacy', show)
    .all(rejectMethod)
}
