import type { Logger } from 'pino'
import type { RequestOrigin } from '../addresses.ts'
import type { Keyring } from '../credentials/tokens/signing_keys.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../platform/db/tenant.ts'
import type { BrowserCookie } from './browser.ts'
import type { FetchDocument } from './clients/fetch_document.ts'
import type { FindOAuthClient } from './clients/find_client.ts'
import type { ShowFault } from './consent/fault_page.ts'
import type { LIMITS } from './limits.ts'

/** Options of the authorization server. */
export type AuthorizationServerOptions = {
  config: Pick<Config, 'baseUrl' | 'authUrl' | 'trustedProxies'>
  database: Database
  keyring: Keyring
  log: Logger
  /** Renders the page for an error that can't be returned to a client. */
  showFault?: ShowFault
  fetchDocument?: FetchDocument
  limits?: typeof LIMITS
}

/** Options plus what the endpoints need. */
export type EndpointOptions = AuthorizationServerOptions & {
  limits: typeof LIMITS
  cookie: BrowserCookie
  findClient: FindOAuthClient
  senderOf(request: RequestOrigin): string
}
