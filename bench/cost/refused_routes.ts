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

/**
 * Routes that refuse every request of the sweep, by what each would need. Their targets cost what a refusal costs, so their work
 * is measured by nothing here; a route that isn't listed has to let one request through.
 */
export const REFUSED_ROUTES: Readonly<Record<string, readonly string[]>> = {
  'a second factor, passkey or password of its own that a program has not': [
    'POST /sign-in/second',
    'POST /factors/passkeys',
    'POST /factors/passkeys/:id{[A-Za-z0-9_-]{1,1400}}',
    'POST /factors/authenticator/confirm',
    'POST /factors/authenticator/act',
    'POST /prove',
    'POST /:tenant{[0-9a-f-]{36}}/settings/password',
    'POST /:tenant{[0-9a-f-]{36}}/settings/second-factor',
  ],
  'a provider of the installation or of the company': [
    'GET /sign-in/provider',
    'POST /sign-in/provider',
    'GET /sign-in/provider/callback',
    'GET /:tenant{[0-9a-f-]{36}}/sign-in',
    'POST /:tenant{[0-9a-f-]{36}}/sign-in',
    'GET /:tenant{[0-9a-f-]{36}}/sign-in/callback',
    'POST /:tenant{[0-9a-f-]{36}}/settings/linked',
    'POST /:tenant{[0-9a-f-]{36}}/settings/members/:id{[0-9a-f-]{36}}/unlink',
    'POST /:tenant{[0-9a-f-]{36}}/settings/provider',
    'POST /:tenant{[0-9a-f-]{36}}/settings/provider/try',
  ],
  'an app with a request under way or a code': [
    'POST /oauth/consent',
    'POST /:tenant{[0-9a-f-]{36}}/settings/apps/outside',
    'POST /:tenant{[0-9a-f-]{36}}/settings/apps/requests',
    'GET /:tenant{[0-9a-f-]{36}}/settings/app',
    'POST /:tenant{[0-9a-f-]{36}}/settings/app',
    'POST /:tenant{[0-9a-f-]{36}}/settings/clients',
    'POST /:tenant{[0-9a-f-]{36}}/settings/clients/:id',
    'GET /auth/v1/oauth/authorize/:id',
    'POST /auth/v1/oauth/token',
  ],
  'a message that was sent, held or parked by a provider': [
    'GET /unsubscribe/:token',
    'POST /unsubscribe/:token',
    'POST /:tenant{[0-9a-f-]{36}}/review/messages/:id{[0-9a-f-]{36}}',
    'GET /:tenant{[0-9a-f-]{36}}/review/events/:id{[0-9a-f-]{36}}',
    'POST /:tenant{[0-9a-f-]{36}}/review/events/:id{[0-9a-f-]{36}}',
    'POST /:tenant{[0-9a-f-]{36}}/messages/with/:customer{[0-9a-f-]{36}}/send',
    'POST /:tenant{[0-9a-f-]{36}}/messages/:conversation{[0-9a-f-]{36}}/link',
    'POST /:tenant{[0-9a-f-]{36}}/messages/:correspondent{[0-9a-f-]{36}}/send',
  ],
  'a file of the right kind': [
    'POST /:tenant{[0-9a-f-]{36}}/settings/company/logo',
    'POST /:tenant{[0-9a-f-]{36}}/settings/import/:id{[0-9a-f-]{36}}/sheet',
    'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/media',
  ],
  'an archive that the worker has made': [
    'POST /:tenant{[0-9a-f-]{36}}/settings/members/:id{[0-9a-f-]{36}}/data/erase',
    'POST /:tenant{[0-9a-f-]{36}}/settings/data',
    'GET /:tenant{[0-9a-f-]{36}}/settings/data/:id{[0-9a-f-]{36}}',
  ],
  'a state that an earlier request here ended, or fields of a choice': [
    'POST /c/:secret/accept',
    'GET /c/:secret/visits/:id{[0-9a-f-]{36}}/move',
    'POST /c/:secret/visits/:id{[0-9a-f-]{36}}/move',
    'GET /c/:secret/visits/:id{[0-9a-f-]{36}}/cancel',
    'POST /c/:secret/visits/:id{[0-9a-f-]{36}}/cancel',
    'GET /book/:name',
    'GET /book/:name/details',
    'POST /book/:name/details',
    'POST /book/:name/code',
    'GET /book/:name/done',
    'GET /book/:name/:service{[0-9a-f-]{36}}',
    'POST /book/:name/:service{[0-9a-f-]{36}}',
    'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/online-booking',
    'POST /c/:secret/decline',
    'POST /c/:secret/pay',
    'POST /:tenant{[0-9a-f-]{36}}/undo',
    'POST /:tenant{[0-9a-f-]{36}}/:kind{quotes|invoices|customers}/:id{[0-9a-f-]{36}}/links/:link{[0-9a-f-]{36}}/take-back',
    'GET /c/:secret/invoices/:id{[0-9a-f-]{36}}/paid',
    'POST /:tenant{[0-9a-f-]{36}}/settings/sign-ins',
    'POST /:tenant{[0-9a-f-]{36}}/customers/:id{[0-9a-f-]{36}}/merge',
    'POST /:tenant{[0-9a-f-]{36}}/invoices/:id{[0-9a-f-]{36}}/payment',
    'POST /:tenant{[0-9a-f-]{36}}/reports/ledger',
    'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/on-my-way',
    'POST /:tenant{[0-9a-f-]{36}}/jobs/:id{[0-9a-f-]{36}}/checklists/choice',
    'POST /:tenant{[0-9a-f-]{36}}/catalog_items/new',
  ],
}
