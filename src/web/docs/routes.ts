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

/** Serves how to connect, what every tool takes, errors and limits; for everybody, signed in or not, in English. */
export function docsRoutes(site: Site): PageRouter {
  const pages = new Map<string, { title: string; body: Html }>([
    ['/docs', { title: 'How to connect', body: connectPage(site.baseUrl) }],
    ['/docs/company', { title: 'Start your own company', body: ownCompany() }],
    ['/privacy', { title: 'Privacy', body: privacy() }],
    ['/docs/limits', { title: 'Errors and limits', body: limits(site.rates) }],
    ...entities.map((entity) => [`/docs/tools/${entity.name}`, toolsOf(entity)] as const),
  ])
  const show = async (visit: PageRequest): Promise<Response> => {
    changeReader({ language: 'en', country: 'US' })
    const page = pages.get(visit.req.path)
    if (page === undefined) return notFoundPage()
    const session = await currentSession(site, visit)
    return answer(
      layout({ ...page, person: session?.user, width: 'full', scripts: ['copy.js'], rooms: contents(visit.req.path) }),
    )
  }
  const none = methodNotAllowed('GET, HEAD')
  return newPageRouter().get('/docs', show).all(none).get('/docs/*', show).all(none).get('/privacy', show).all(none)
}

const contents = (here: string) => {
  const room = (label: string, href: string) => ({ label, href, isHere: href === here })
  return [
    [
      room('How to connect', '/docs'),
      room('Start your own company', '/docs/company'),
      room('Errors and limits', '/docs/limits'),
      room('Privacy', '/privacy'),
    ],
    entities.map((entity) => room(toolsOf(entity).title, `/docs/tools/${entity.name}`)),
  ]
}
