import type { IncomingMessage } from 'node:http'
import { sessionCookie } from '../access/session_cookie.ts'
import type { SessionCookie } from '../access/session_cookie.ts'
import { senders } from '../access/addresses.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/tenant.ts'
import { entities } from '../entities/index.ts'
import type { Workplace } from '../tools/call.ts'
import { doings } from '../tools/catalogue.ts'
import type { Catalogue } from '../tools/catalogue.ts'

/** What the pages stand on. */
export type Site = {
  readonly database: Database
  /** Where people and programs reach the service; no header of a request says otherwise. */
  readonly baseUrl: string
  readonly cookie: SessionCookie
  readonly senderOf: (request: IncomingMessage) => string
  /** The tools and acts, and what they run on: the same as at the tool endpoint. */
  readonly workplace: Workplace
  readonly doings: Catalogue['tools']
  /** Told of each answer, and of a fault that nobody at a browser can mend, with the reference they were given. */
  readonly answered: (line: Record<string, unknown>) => void
  readonly report: (reference: string, error: unknown) => void
}

export const openSite = (workplace: Workplace, { baseUrl, trustedProxies }: Config, answered: Site['answered']): Site => ({
  database: workplace.database, report: workplace.report, baseUrl, cookie: sessionCookie(baseUrl), senderOf: senders(trustedProxies),
  workplace, doings: doings(entities), answered,
})
