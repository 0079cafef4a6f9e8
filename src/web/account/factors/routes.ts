import type { PageRouter } from '../../../platform/http/page_request.ts'
import { pageRoutes } from '../../page_routes.ts'
import type { Site } from '../../site.ts'
import { addOwnPasskey, beginOwnAuthenticator, changeOwnAuthenticator, changeOwnPasskey } from './actions.ts'
import { confirmOwnAuthenticator, showAuthenticator } from './authenticator.ts'
import { showFactors } from './page.ts'

/** Returns the pages on which users manage how they sign in, across all companies. */
export const factorRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    '/factors': { get: showFactors },
    '/factors/passkeys': { post: addOwnPasskey },
    '/factors/passkeys/:id{[A-Za-z0-9_-]{1,1400}}': { post: changeOwnPasskey },
    '/factors/authenticator': { get: showAuthenticator, post: beginOwnAuthenticator },
    '/factors/authenticator/confirm': { post: confirmOwnAuthenticator },
    '/factors/authenticator/act': { post: changeOwnAuthenticator },
  })
