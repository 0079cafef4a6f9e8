import type { Office } from './office.ts'
import { methodOf } from './requests.ts'
import { everyRoute, routeFinder } from './routes.ts'
import type { Dear } from './search.ts'

/**
 * Compares the answers of a whole sweep with the list: `unlisted` routes refused every request, so their work is
 * unmeasured without a reason; `reached` ones let one through, and are to be taken off the list.
 */
export function compareRefused(office: Office, sent: readonly Dear[]): { unlisted: string[]; reached: string[] } {
  const find = routeFinder(everyRoute(office))
  const routeOf = ({ target }: Dear): string => {
    if (target.route !== undefined) return target.route
    const request = target.request([])
    return find(methodOf(request), request.path) ?? target.name
  }
  const byRoute = Map.groupBy(sent, routeOf)
  const listed = new Set(Object.values(REFUSED_ROUTES).flat())
  const isReached = (answers: readonly Dear[]): boolean => answers.some(({ status }) => status > 0 && status < 400)
  return {
    unlisted: [...byRoute].filter(([route, all]) => !listed.has(route) && !isReached(all)).map(([route]) => route),
    reached: [...byRoute].filter(([route, all]) => listed.has(route) && isReached(all)).map(([route]) => route),
  }
}

/** Routes that refuse every request of the sweep, by the reason why a refusal is the dearest that they can do. */
export const REFUSED_ROUTES: Readonly<Record<string, readonly string[]>> = {}
