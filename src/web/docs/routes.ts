import { entities } from '../../entities/index.ts'
import { answer } from '../../html/answer.ts'
import { layout } from '../../html/layout.ts'
import type { Html } from '../../html/html.ts'
import { wrongMethod } from '../../html/message.ts'
import { newPages, type Pages, type Visit } from '../../html/visit.ts'
import { notHere } from '../not_here.ts'
import { personAt } from '../sign_in/session.ts'
import type { Site } from '../site.ts'
import { connecting } from './connecting.ts'
import { limits } from './limits.ts'
import { ownCompany } from './own_company.ts'
import { toolsOf } from './tools.ts'

/** Says how to connect, what every tool takes, what errors and limits there are; for everybody, signed in or not. */
export function docsRoutes(site: Site): Pages {
  const pages = new Map<string, { title: string; body: Html }>([
    ['/docs', { title: 'How to connect', body: connecting(site.baseUrl) }],
    ['/docs/company', { title: 'Start your own company', body: ownCompany() }],
    ['/docs/limits', { title: 'Errors and limits', body: limits(site.rates) }],
    ...entities.map((entity) => [`/docs/tools/${entity.name}`, toolsOf(entity)] as const),
  ])
  const show = async (visit: Visit): Promise<Response> => {
    const page = pages.get(visit.req.path)
    if (page === undefined) return notHere()
    const session = await personAt(site, visit)
    return answer(layout({ ...page, person: session?.user, width: 'full', rooms: contents(visit.req.path) }))
  }
  return newPages().get('/docs', show).all(wrongMethod('GET, HEAD')).get('/docs/*', show).all(wrongMethod('GET, HEAD'))
}

const contents = (here: string) => {
  const room = (label: string, href: string) => ({ label, href, isHere: href === here })
  return [
    [
      room('How to connect', '/docs'),
      room('Start your own company', '/docs/company'),
      room('Errors and limits', '/docs/limits'),
    ],
    entities.map((entity) => room(toolsOf(entity).title, `/docs/tools/${entity.name}`)),
  ]
}
