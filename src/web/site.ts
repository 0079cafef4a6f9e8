import type { IncomingMessage } from 'node:http'
import {
  openCompanyProviders,
  type CompanyProviderClient,
} from '../identity/providers/company/company_provider_client.ts'
import { openProvider, type Provider } from '../identity/providers/provider.ts'
import { internet, type Network } from '../identity/public_request.ts'
import { relyingPartyOf, type RelyingParty } from '../identity/factors/passkeys/relying_party.ts'
import { accountMailing, type AccountMailing } from '../identity/security/notices/account_mail.ts'
import {
  passkeyCookie,
  rememberedBrowserCookie,
  pendingCookie,
  providerCookie,
  sessionCookie,
  type SessionCookie,
} from '../identity/sign_in/session_cookie.ts'
import { senderReader } from '../identity/addresses.ts'
import { openDataKeys, type DataKeys } from '../identity/data_keys.ts'
import type { Config } from '../platform/config/config.ts'
import type { Database } from '../platform/db/tenant.ts'
import { entities } from '../records/index.ts'
import { openVapid } from '../messaging/push/vapid.ts'
import { createSenders, type Senders } from '../messaging/outbox/senders/senders.ts'
import { openUploads, type Uploads } from '../platform/http/upload.ts'
import { openBooks, type Books } from '../books/books.ts'
import { openCheckout, type HostedCheckout } from '../payments/hosted_checkout.ts'
import { openSavedPayments, type SavedPayments } from '../payments/saved/saved_payments_api.ts'
import type { AnsweredPage } from '../platform/telemetry/telemetry.ts'
import type { Assistant } from '../assistant/assistant.ts'
import { openMapLibrary, type MapLibrary } from '../platform/map_tiles/map_library.ts'
import { openMapTiles, type MapTiles } from '../platform/map_tiles/map_tiles.ts'
import { openStorage } from '../platform/storage/open_storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { ToolContext } from '../tools/call/context.ts'
import { actionsOf, type ToolCatalog } from '../tools/declare/catalog.ts'
import { openChanges, type ScheduleChanges } from '../scheduling/changes.ts'

/** Dependencies of the pages. */
export type Site = {
  readonly database: Database
  /** Keys that seal secrets in the database. */
  readonly dataKeys: DataKeys
  /** Public URL of the service; never taken from request headers. */
  readonly baseUrl: string
  readonly cookie: SessionCookie
  /** Cookie of a recognized browser, in which someone has signed in before. */
  readonly knownBrowserCookie: SessionCookie
  /** Cookies of a browser that was asked for a passkey, and of a sign-in that awaits its second factor. */
  readonly challengeCookie: SessionCookie
  readonly pendingSignInCookie: SessionCookie
  /** Relying party of passkeys; null if browsers can't create any. */
  readonly relyingParty: RelyingParty | null
  readonly clientAddressOf: (request: IncomingMessage) => string
  /** Environment of tools and actions, the same as at the MCP endpoint. */
  readonly toolContext: ToolContext
  readonly actions: ToolCatalog['tools']
  /** Maximum requests per minute of a credential and of a company; 0 for no limit. */
  readonly rateLimits: { perCredential: number; perTenant: number }
  /** Hosted checkout; null if no payments provider is configured. */
  readonly payments: HostedCheckout | null
  /** Charges of saved cards and bank accounts; null like `payments`. */
  readonly savedPayments: SavedPayments | null
  /** Accounting programs that owners can connect. */
  readonly books: Books
  /** Mode of the payments provider's key. */
  readonly paymentsMode: Config['webhooks']['payments']['mode']
  /** OpenID Connect provider; null if none is configured. `name` is its label on the button. */
  readonly provider: (Provider & { name: string; cookie: SessionCookie }) | null
  /** Returns a company's own identity provider; null if it has none. */
  readonly companyProvider: (tenant: string) => Promise<CompanyProviderClient | null>
  /** Cookie of a browser during a redirect to a provider and back. */
  readonly authorizationCookie: SessionCookie
  /** Senders of messages. */
  readonly senders: Senders
  /** Key for push subscriptions; null if push isn't configured. */
  readonly pushKey: string | null
  /** Maximum companies that people may create themselves per day; 0 for none. */
  readonly newCompaniesPerDay: number
  /** Delivery of the installation's own mail. */
  readonly mailing: AccountMailing
  /** Changes of displayed schedules; closed when the service stops. */
  readonly changes: ScheduleChanges
  /** Storage of the companies' files. */
  readonly storage: Storage
  /** Street map of the day's route; null without a tile archive or the library that renders it. */
  readonly streets: { tiles: MapTiles; library: MapLibrary } | null
  /** Reader of forms with file uploads. */
  readonly uploads: Uploads
  /** Assistant backed by a language model; null if not configured. */
  readonly assistant: Assistant | null
  /** Callback that resets a demo company's records. */
  readonly resetDemo: (tenant: string) => Promise<void>
  /** Callback for each response, with its route pattern. */
  readonly onResponse: (line: AnsweredPage, route: string) => void
  /** Callback for an error that a user can't fix, with its reference. */
  readonly report: (reference: string, error: unknown) => void
}

/** Callback path of the identity provider. */
export const PROVIDER_CALLBACK = '/sign-in/provider/callback'

/** Returns the callback path of a company's own identity provider. */
export const companyCallback = (tenant: string): string => `/${tenant}/sign-in/callback`

const providerOf = ({ identityProvider, baseUrl }: Config): Site['provider'] =>
  identityProvider && {
    ...openProvider({ ...identityProvider, redirectUri: baseUrl + PROVIDER_CALLBACK }),
    name: identityProvider.name,
    cookie: providerCookie(baseUrl),
  }

function openStreets({ mapTiles }: Config): Site['streets'] {
  const library = mapTiles && openMapLibrary()
  return library && { tiles: openMapTiles(mapTiles), library }
}

const rejectReset = (): Promise<never> => Promise.reject(new Error('No demo company can be made here'))

export function openSite(
  toolContext: ToolContext,
  config: Config,
  onResponse: Site['onResponse'],
  network: Network = internet,
  assistant: Site['assistant'] = null,
  resetDemo: Site['resetDemo'] = rejectReset,
): Site {
  const { baseUrl } = config
  const { database } = toolContext
  const dataKeys = openDataKeys(config.dataKey)
  return {
    database,
    dataKeys,
    report: toolContext.report,
    toolContext,
    actions: actionsOf(entities),
    onResponse,
    assistant,
    resetDemo,
    baseUrl,
    changes: openChanges(toolContext.database),
    senders: createSenders(config),
    mailing: accountMailing(config),
    pushKey: config.push && openVapid(config.push.privateKey, baseUrl).publicKey,
    newCompaniesPerDay: config.newCompaniesPerDay,
    storage: openStorage(config.storage),
    streets: openStreets(config),
    uploads: openUploads(),
    cookie: sessionCookie(baseUrl),
    knownBrowserCookie: rememberedBrowserCookie(baseUrl),
    challengeCookie: passkeyCookie(baseUrl),
    pendingSignInCookie: pendingCookie(baseUrl),
    relyingParty: relyingPartyOf(baseUrl),
    clientAddressOf: senderReader(config.trustedProxies),
    payments: config.payments && openCheckout(config.payments),
    savedPayments: config.payments && openSavedPayments(config.payments),
    books: openBooks({ database, dataKeys, network, baseUrl, config: config.books }),
    provider: providerOf(config),
    companyProvider: openCompanyProviders(
      { database, dataKeys, network },
      (tenant) => baseUrl + companyCallback(tenant),
    ),
    authorizationCookie: providerCookie(baseUrl),
    paymentsMode: config.webhooks.payments.mode,
    rateLimits: { perCredential: config.rateLimitPerCredential, perTenant: config.rateLimitPerTenant },
  }
}
