import { methodNotAllowed } from '../../../platform/html/message.ts'
import { newPageRouter, type PageRouter } from '../../../platform/http/page_request.ts'
import type { Site } from '../../site.ts'
import { addOwnPasskey, beginOwnAuthenticator, changeOwnAuthenticator, changeOwnPasskey } from './actions.ts'
import { confirmOwnAuthenticator, showAuthenticator } from './authenticator.ts'
import { showFactors } from './page.ts'

/** Returns the pages on which a person says how they sign in, in whatever companies. */
export const factorRoutes = (site: Site): PageRouter =>
  newPageRouter()
    .get('/factors', (visit) => showFactors(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .post('/factors/passkeys', (visit) => addOwnPasskey(site, visit))
    .all(methodNotAllowed('POST'))
    .post('/factors/passkeys/:id{[A-Za-z0-9_-]{1,1400}}', (visit) => changeOwnPasskey(site, visit))
    .all(methodNotAllowed('POST'))
    .get('/factors/authenticator', (visit) => showAuthenticator(site, visit))
    .post((visit) => beginOwnAuthenticator(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .post('/factors/authenticator/confirm', (visit) => confirmOwnAuthenticator(site, visit))
    .all(methodNotAllowed('POST'))
    .post('/factors/authenticator/act', (visit) => changeOwnAuthenticator(site, visit))
    .all(methodNotAllowed('POST'))
