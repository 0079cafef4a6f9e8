import type { Office } from './office.ts'
import { methodOf, type Target } from './requests.ts'
import { everyRoute, routeFinder, routeName } from './routes.ts'
import type { CostSample } from './search.ts'

/** Returns the name of the route to which a target's requests go. */
export const routeOf = (find: ReturnType<typeof routeFinder>, target: Target): string | undefined => {
  if (target.route !== undefined) return target.route
  const request = target.request([])
  return find(methodOf(request), request.path)
}

/** Checks whether a request was accepted, so that its work was measured and not that of a refusal. */
export const isLetThrough = ({ status }: Pick<CostSample, 'status'>): boolean => status > 0 && status < 400

/** Returns the routes that let no request of a whole sweep through. */
export function unmeasuredRoutes(office: Office, sent: readonly CostSample[]): string[] {
  const routes = everyRoute(office)
  const find = routeFinder(routes)
  const measured = new Set(sent.filter(isLetThrough).map(({ target }) => routeOf(find, target)))
  return routes.map(routeName).filter((route) => !measured.has(route))
}
