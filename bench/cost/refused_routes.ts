import type { Office } from './office.ts'
import { methodOf } from './requests.ts'
import { everyRoute, routeFinder, routeName } from './routes.ts'
import type { Dear } from './search.ts'

/**
 * Compares the answers of a whole sweep with the list: `unlisted` routes let no request through, so their work is
 * unmeasured without a reason; `reached` ones let one through, and are to be taken off the list.
 */
export function compareRefused(office: Office, sent: readonly Dear[]): { unlisted: string[]; reached: string[] } {
  const routes = everyRoute(office)
  const find = routeFinder(routes)
  const reached = new Set(
    sent
      .filter(({ status }) => status > 0 && status < 400)
      .map(({ target }) => {
        if (target.route !== undefined) return target.route
        const request = target.request([])
        return find(methodOf(request), request.path)
      }),
  )
  const listed = Object.values(REFUSED_ROUTES).flat()
  return {
    unlisted: routes.map(routeName).filter((route) => !listed.includes(route) && !reached.has(route)),
    reached: listed.filter((route) => reached.has(route)),
  }
}

/** Routes that refuse every request of the sweep, by the reason why a refusal is the dearest that they can do. */
export const REFUSED_ROUTES: Readonly<Record<string, readonly string[]>> = {}
