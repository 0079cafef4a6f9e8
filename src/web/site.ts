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

/** What the pages need. */
export type Site = {
  readonly database: Database
  /** Seals secrets that the database keeps. */
  readonly dataKeys: DataKeys
  /** Where people and programs reach the service; no header of a request says otherwise. */
  readonly baseUrl: string
  readonly cookie: SessionCookie
  /** Cookie by which a browser is known where somebody has signed in before. */
  readonly known: SessionCookie
  /** Cookie of a browser that was asked for a passkey, and that of a sign-in that waits for its second factor. */
  readonly asked: SessionCookie
  readonly pending: SessionCookie
  /** For whom passkeys are made; null where browsers make none. */
  readonly relyingParty: RelyingParty | null
  readonly senderOf: (request: IncomingMessage) => string
  /** What tools and actions run with: the same as at the tool endpoint. */
  readonly toolContext: ToolContext
  readonly actions: ToolCatalog['tools']
  /** Sets the requests a minute that a credential and a company may make; 0 is any number. */
  readonly rates: { perCredential: number; perTenant: number }
  /** Takes payments by hosted checkout; null where the payments provider isn't configured. */
  readonly payments: HostedCheckout | null
  /** Charges saved cards and bank accounts; null like `payments`. */
  readonly savedPayments: SavedPayments | null
  /** Accounting programs that owners can connect. */
  readonly books: Books
  /** Mode of the payments provider's key. */
  readonly paymentsMode: Config['webhooks']['payments']['mode']
  /** Signs people in by OpenID Connect; null where no provider is configured. `name` stands on the button. */
  readonly provider: (Provider & { name: string; cookie: SessionCookie }) | null
  /** Returns a company's own provider; null where it named none. */
  readonly companyProvider: (tenant: string) => Promise<CompanyProviderClient | null>
  /** Cookie of a browser that is on its way to a provider and back. */
  readonly away: SessionCookie
  /** What messages go out by. */
  readonly senders: Senders
  /** Key with which browsers subscribe to notifications; null where there are none. */
  readonly pushKey: string | null
  /** Maximum companies that people may start by themselves in a day; 0 for none. */
  readonly newCompaniesPerDay: number
  /** What becomes of mail of the installation itself to people. */
  readonly mailing: AccountMailing
  /** Changes of the schedules that are shown; closed when the service stops. */
  readonly changes: ScheduleChanges
  /** Files that came with messages. */
  readonly storage: Storage
  /** Streets behind the map of the day; null without an archive, or without the library that draws it. */
  readonly streets: { tiles: MapTiles; library: MapLibrary } | null
  /** Reads forms that come with files. */
  readonly uploads: Uploads
  /** Answers people by a language model; null where nothing answers. */
  readonly assistant: Assistant | null
  /** Makes a demo company's records anew. */
  readonly resetDemo: (tenant: string) => Promise<void>
  /** Called with each answer and the pattern of its route. */
  readonly answered: (line: AnsweredPage, route: string) => void
  /** Called with a fault that nobody at a browser can fix, and its reference. */
  readonly report: (reference: string, error: unknown) => void
}

/** Path at which people come back from the provider. */
export const PROVIDER_CALLBACK = '/sign-in/provider/callback'

/** Returns the path at which people come back from a company's own provider. */
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
  answered: Site['answered'],
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
    answered,
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
    known: rememberedBrowserCookie(baseUrl),
    asked: passkeyCookie(baseUrl),
    pending: pendingCookie(baseUrl),
    relyingParty: relyingPartyOf(baseUrl),
    senderOf: senderReader(config.trustedProxies),
    payments: config.payments && openCheckout(config.payments),
    savedPayments: config.payments && openSavedPayments(config.payments),
    books: openBooks({ database, dataKeys, network, baseUrl, config: config.books }),
    provider: providerOf(config),
    companyProvider: openCompanyProviders(
      { database, dataKeys, network },
      (tenant) => baseUrl + companyCallback(tenant),
    ),
    away: providerCookie(baseUrl),
    paymentsMode: config.webhooks.payments.mode,
    rates: { perCredential: config.rateLimitPerCredential, perTenant: config.rateLimitPerTenant },
  }
}
