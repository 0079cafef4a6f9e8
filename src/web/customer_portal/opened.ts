import { companyOf, type Company } from '../../identity/companies/company.ts'
import { leaving, soon } from '../../identity/deadline.ts'
import { sentToUs } from '../../identity/origins.ts'
import { attempt } from '../../identity/sign_in/attempts.ts'
import { readTenant, writeTenant, type Db, type TenantEntry } from '../../platform/db/tenant.ts'
import type { Visit } from '../../platform/http/visit.ts'
import { languageOf, speakTo } from '../../platform/i18n/reader.ts'
import { countView, openLink, type OpenedLink } from '../../customer_portal/opening.ts'
import {
  notifyOfRequest,
  tellOfAnswer,
  type CustomerRequest,
  type QuoteAnswered,
} from '../../messaging/notices/notices.ts'
import { todayIn } from '../../platform/validation/formats/instants.ts'
import type { Site } from '../site.ts'
import { endedPage, nothingPage, tooOftenPage } from './closed.ts'

/** Holds what a page of a customer's link uses: what the link shows, and nothing else of the company. */
export type LinkContext = {
  readonly link: OpenedLink
  readonly company: Company
  /** Is the company's calendar day. */
  readonly today: string
  readonly currency: string
  /** Is the network address that asks. */
  readonly sender: string
  /** Is the path of the link, with its secret. */
  readonly base: string
  read<T>(work: (db: Db) => Promise<T>): Promise<T>
  write<T>(work: (db: Db) => Promise<T>): Promise<T>
  /** Tells the company what the customer did, where mail can be sent. */
  tell(db: Db, answered: QuoteAnswered): Promise<void>
  /** Mails the company what the customer asked, where mail can be sent. */
  notifyOfRequest(db: Db, request: CustomerRequest): Promise<void>
}

/** Limit what an address may open, and what it may send, in a quarter of an hour. */
const MAX_OPENED = 600
const MAX_SENT = 60

/**
 * Returns what the link of the path shows, in the language of its customer; for a link that shows nothing any more, and
 * for a secret that is none, the page that says so.
 */
export async function openedBy(site: Site, visit: Visit): Promise<LinkContext | Response> {
  if (!sentToUs(site)(visit.env.incoming)) return nothingPage()
  const sender = site.senderOf(visit.env.incoming)
  const isSent = visit.req.method === 'POST'
  const wait = await attempt(site.database, [
    { subject: `customer link ${sender}`, most: MAX_OPENED },
    ...(isSent ? [{ subject: `customer link sends ${sender}`, most: MAX_SENT }] : []),
  ])
  if (wait > 0) return tooOftenPage(wait)
  const options = { by: soon(), signal: leaving(visit.env.outgoing) }
  const secret = visit.req.param('secret')!
  const link = await openLink(site.database, secret, options)
  if (link === undefined) return nothingPage()
  const entry = (): TenantEntry => ({ tenant: link.tenant, options: { ...options, by: soon() } })
  const company = await readTenant(site.database, entry(), companyOf)
  speakTo({
    language: languageOf(link.preferred_language ?? visit.req.header('accept-language')),
    country: company.country,
  })
  if (link.is_revoked || link.has_expired) return endedPage(company, link.is_revoked ? 'taken_back' : 'expired')
  const write = <T>(work: (db: Db) => Promise<T>): Promise<T> => writeTenant(site.database, entry(), work)
  if (visit.req.method === 'GET' && !isRobot(visit.req.header('user-agent')))
    await write((db) => countView(db, link, sender))
  return {
    link,
    company,
    today: todayIn(company.timezone).toString(),
    currency: company.currency,
    sender,
    base: `/c/${secret}`,
    read: (work) => readTenant(site.database, entry(), work),
    write,
    tell: async (db, answered) => {
      if (site.senders.email !== null) await tellOfAnswer(db, answered, site.baseUrl)
    },
    notifyOfRequest: async (db, request) => {
      if (site.senders.email !== null) await notifyOfRequest(db, request, site.baseUrl)
    },
  }
}

/** Tells programs that open every link of a mail or a chat by the names that they give themselves. */
const isRobot = (agent = ''): boolean =>
  /bot\b|crawl|spider|preview|scan|safelinks|facebookexternalhit|whatsapp|slurp|googleimageproxy|curl|wget|python|okhttp|headlesschrome/i.test(
    agent.slice(0, 300),
  )
