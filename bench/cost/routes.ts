import { Hono } from 'hono'
import { consentRoutes } from '../../src/identity/oauth/consent/routes.ts'
import { ENDPOINTS } from '../../src/identity/oauth/endpoints.ts'
import type { AuthorizationServer } from '../../src/identity/oauth/port.ts'
import { issuerPathOf, wellKnownPaths } from '../../src/identity/oauth/well_known.ts'
import { PROGRAM_PATHS } from '../../src/start/app.ts'
import { CALENDAR_ROUTES } from '../../src/web/calendar/feed.ts'
import { pages } from '../../src/web/pages.ts'
import { openSite } from '../../src/web/site.ts'
import type { Office } from './office.ts'

/** A registered address: its method and its pattern. */
export type Route = { method: string; pattern: string }

/** Returns every address of the service: pages, forms, and endpoints for programs. */
export const everyRoute = (office: Office): Route[] => [...pageRoutes(office), ...programRoutes(office)]

/** Returns the addresses that aren't pages. */
export function programRoutes({ service: { config } }: Office): Route[] {
  const { issuerPaths, resourcePaths } = wellKnownPaths(config)
  const issuer = issuerPathOf(config)!
  const at = (method: string, paths: readonly string[]): Route[] => paths.map((pattern) => ({ method, pattern }))
  return [
    ...PROGRAM_PATHS.flatMap((path) => at(path.startsWith('/health') ? 'GET' : 'POST', [path])),
    ...at('GET', [...issuerPaths, ...resourcePaths, ...CALENDAR_ROUTES]),
    ...Object.entries(ENDPOINTS).flatMap(([path, methods]) =>
      methods.filter((method) => method !== 'HEAD').flatMap((method) => at(method, [issuer + path])),
    ),
  ]
}

/** Returns every page and form that the service registers, the consent screen included. */
export function pageRoutes({ service }: Office): Route[] {
  const options = {
    database: service.database,
    confirm: async () => {},
    baseUrl: service.config.baseUrl,
    report: () => {},
  }
  const site = openSite(options, service.config, () => {})
  // The routes are only listed here, and nothing asks the authorization server.
  const authorization = {} as AuthorizationServer
  return pages(site, consentRoutes({ ...site, authorization }))
    .routes.filter(({ method, path }) => method !== 'ALL' && !path.includes('*'))
    .map(({ method, path }) => ({ method, pattern: path }))
}

/** Returns the name of the route of a request: the first match, as the service's router chooses. */
export function routeFinder(routes: readonly Route[]): (method: string, path: string) => string | undefined {
  const app = new Hono()
  const names = new Map<unknown, string>()
  for (const { method, pattern } of routes) {
    const handler = (): Response => new Response()
    names.set(handler, routeName({ method, pattern }))
    app.on(method, pattern, handler)
  }
  return (method, path) => {
    const [[first]] = app.router.match(method, path.split('?')[0]!)
    return first === undefined ? undefined : names.get(first[0][0])
  }
}

export const routeName = ({ method, pattern }: Route): string => `${method} ${pattern}`
