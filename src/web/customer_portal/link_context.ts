import { companyOf, type Company } from '../../identity/companies/company.ts'
import { disconnectSignal, defaultDeadline } from '../../identity/deadline.ts'
import { hostChecker } from '../../identity/origins.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { readTenant, writeTenant, type Db, type TenantEntry } from '../../platform/db/tenant.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { languageOf, changeReader } from '../../platform/i18n/reader.ts'
import { findLinkStatus, recordView, openLink, type OpenedLink } from '../../customer_portal/open_link.ts'
import {
  notifyOfRequest,
  notifyOfAnswer,
  type CustomerRequest,
  type QuoteAnswer,
} from '../../messaging/notices/notices.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Site } from '../site.ts'
import { requireOpenLink, unknownLinkPage, rateLimitPage } from './link_errors.ts'

/** Context for a page of a customer link. It gives access only to what the link shows. */
export type LinkContext = {
  readonly link: OpenedLink
  readonly company: Company
  /** Current day in the company's time zone. */
  readonly today: string
  readonly currency: string
  /** Network address of the request. */
  readonly clientAddress: string
  /** Path of the link, with its secret. */
  readonly base: string
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  write<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Notifies the company of the customer's answer, if email can be sent. */
  notifyOfAnswer(db: Db, answer: QuoteAnswer): Promise<void>
  /** Emails the customer's request to the company, if email can be sent. */
  notifyOfRequest(db: Db, request: CustomerRequest): Promise<void>
}

/** Maximum links opened, and forms sent, per network address in 15 minutes. */
const MAX_OPENED = 600
const MAX_SENT = 60

/** Returns the context of the path's link, in its customer's language, or the page for an unknown secret. */
export async function openLinkContext(site: Site, request: PageRequest): Promise<LinkContext | Response> {
  if (!hostChecker(site)(request.env.incoming)) return unknownLinkPage()
  const clientAddress = site.clientAddressOf(request.env.incoming)
  const isPost = request.req.method === 'POST'
  const wait = await takeAttempt(site.database, [
    { subject: `customer link ${clientAddress}`, max: MAX_OPENED },
    ...(isPost ? [{ subject: `customer link sends ${clientAddress}`, max: MAX_SENT }] : []),
  ])
  if (wait > 0) return rateLimitPage(wait)
  const options = { by: defaultDeadline(), signal: disconnectSignal(request.env.outgoing) }
  const secret = request.req.param('secret')!
  const link = await openLink(site.database, secret, options)
  if (link === undefined) return unknownLinkPage()
  const entry = (): TenantEntry => ({ tenant: link.tenant, options: { ...options, by: defaultDeadline() } })
  const company = await readTenant(site.database, entry(), companyOf)
  changeReader({
    language: languageOf(link.preferred_language ?? request.req.header('accept-language')),
    country: company.country,
  })
  requireOpenLink(company, link, request.req.path.endsWith('/paid'))
  if (request.req.method === 'GET' && !isRobot(request.req.header('user-agent')))
    await writeTenant(site.database, entry(), (db) => recordView(db, link, clientAddress))
  return {
    link,
    company,
    today: todayIn(company.timezone).toString(),
    currency: company.currency,
    clientAddress,
    base: `/c/${secret}`,
    read: (work) => readTenant(site.database, entry(), work),
    // The company may have revoked the link since it was opened.
    write: (work) =>
      writeTenant(site.database, entry(), async (db) => {
        requireOpenLink(company, await findLinkStatus(db, link), false)
        return work(db)
      }),
    notifyOfAnswer: async (db, answer) => {
      if (site.senders.email !== null) await notifyOfAnswer(db, answer, site.baseUrl)
    },
    notifyOfRequest: async (db, request) => {
      if (site.senders.email !== null) await notifyOfRequest(db, request, site.baseUrl)
    },
  }
}

/** Detects programs that open every link of an email or chat, by their user agent. */
const isRobot = (agent = ''): boolean =>
  /bot\b|crawl|spider|preview|scan|safelinks|facebookexternalhit|whatsapp|slurp|googleimageproxy|curl|wget|python|okhttp|headlesschrome/i.test(
    agent.slice(0, 300),
  )
