import type { IncomingMessage } from 'node:http'
import { knownCookie, sessionCookie, type SessionCookie } from '../access/sign_in/session_cookie.ts'
import { senders } from '../access/addresses.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/tenant.ts'
import { entities } from '../entities/index.ts'
import { sendersOf, type Senders } from '../outbox/senders/senders.ts'
import { openUploads, type Uploads } from '../html/upload.ts'
import { openCheckout, type HostedCheckout } from '../payments/hosted_checkout.ts'
import { openStorage } from '../files/open_storage.ts'
import type { Storage } from '../files/storage.ts'
import type { ToolContext } from '../tools/context.ts'
import { actionsOf, type Catalogue } from '../tools/catalogue.ts'
import { openChanges, type ScheduleChanges } from './schedule/changes.ts'

/** Holds what the pages need. */
export type Site = {
  readonly database: Database
  /** Is where people and programs reach the service; no header of a request says otherwise. */
  readonly baseUrl: string
  readonly cookie: SessionCookie
  /** Is the cookie by which a browser is known where somebody has signed in before. */
  readonly known: SessionCookie
  readonly senderOf: (request: IncomingMessage) => string
  /** Holds what tools and actions run with: the same as at the tool endpoint. */
  readonly toolContext: ToolContext
  readonly actions: Catalogue['tools']
  /** Sets the requests a minute that a credential and a company may make; 0 is any number. */
  readonly rates: { perCredential: number; perTenant: number }
  /** Takes payments by hosted checkout; null where the payments provider isn't configured. */
  readonly payments: HostedCheckout | null
  /** Is the mode of the payments provider's key. */
  readonly paymentsMode: Config['webhooks']['payments']['mode']
  /** Holds what messages go out by. */
  readonly senders: Senders
  /** Tells what changes on the schedules that are shown; closed when the service stops. */
  readonly changes: ScheduleChanges
  /** Holds the files that came with messages. */
  readonly storage: Storage
  /** Reads forms that come with files. */
  readonly uploads: Uploads
  /** Is called with each answer; `report` with a fault that nobody at a browser can fix, and the reference they were given. */
  readonly answered: (line: Record<string, unknown>) => void
  readonly report: (reference: string, error: unknown) => void
}

export function openSite(toolContext: ToolContext, config: Config, answered: Site['answered']): Site {
  const { baseUrl } = config
  return {
    database: toolContext.database,
    report: toolContext.report,
    toolContext,
    actions: actionsOf(entities),
    answered,
    baseUrl,
    changes: openChanges(toolContext.database),
    senders: sendersOf(config),
    storage: openStorage(config.storage),
    uploads: openUploads(),
    cookie: sessionCookie(baseUrl),
    known: knownCookie(baseUrl),
    senderOf: senders(config.trustedProxies),
    payments: config.payments && openCheckout(config.payments),
    paymentsMode: config.webhooks.payments.mode,
    rates: { perCredential: config.rateLimitPerCredential, perTenant: config.rateLimitPerTenant },
  }
}
