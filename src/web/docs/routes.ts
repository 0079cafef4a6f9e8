import { words } from '../../records/format/formats.ts'
import { entities } from '../../records/index.ts'
import { answer } from '../../platform/http/answer.ts'
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
    { path: '/docs/limits', title: 'Errors and limits', body: () => limits(site.rates) },
    { path: '/privacy', title: 'Privacy', body: privacy },
  ]
  const tools = entities.map((entity): DocsPage => {
    return { path: `/docs/tools/${entity.name}`, title: words(entity.name), body: () => toolsOf(entity) }
  })
  const pages = [...guide, ...tools]
  const show = async (visit: PageRequest): Promise<Response> => {
    changeReader({ language: 'en', country: 'US' })
    const page = pages.find(({ path }) => path === visit.req.path)
    if (page === undefined) return notFoundPage()
    const { user } = (await currentSession(site, visit)) ?? {}
    const rooms = [guide, tools].map((group) =>
      group.map((one) => ({ label: one.title, href: one.path, isHere: one === page })),
    )
    return answer(
      layout({ title: page.title, body: page.body(), person: user, width: 'full', scripts: ['copy.js'], rooms }),
    )
  }
  const none = methodNotAllowed('GET, HEAD')
  return newPageRouter().get('/docs', show).all(none).get('/docs/*', show).all(none).get('/privacy', show).all(none)
}
