import type { IncomingMessage } from 'node:http'
import { sessionCookie } from '../access/session_cookie.ts'
import type { SessionCookie } from '../access/session_cookie.ts'
import { senders } from '../access/addresses.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/tenant.ts'

/** What the pages stand on. */
export type Site = {
  readonly database: Database
  /** Where people and programs reach the service; no header of a request says otherwise. */
  readonly baseUrl: string
  readonly cookie: SessionCookie
  readonly senderOf: (request: IncomingMessage) => string
  /** Told of each answer, and of a fault that nobody at a browser can mend, with the reference they were given. */
  readonly answered: (line: Record<string, unknown>) => void
  readonly report: (reference: string, error: unknown) => void
}

export const openSite = (database: Database, { baseUrl, trustedProxies }: Config, told: Pick<Site, 'answered' | 'report'>): Site => ({
  database, baseUrl, cookie: sessionCookie(baseUrl), senderOf: senders(trustedProxies), ...told,
})
