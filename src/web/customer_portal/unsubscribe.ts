import { companyOf, type Company } from '../../identity/companies/company.ts'
import { disconnectSignal, defaultDeadline } from '../../identity/deadline.ts'
import { hostChecker } from '../../identity/origins.ts'
import { takeAttempt } from '../../identity/sign_in/attempts.ts'
import { readWebBody } from '../../platform/http/body.ts'
import { readTenant, writeTenant, type TenantEntry } from '../../platform/db/tenant.ts'
import { button } from '../../platform/html/parts/button.ts'
import { hidden } from '../../platform/html/parts/field.ts'
import { MAX_PUBLIC_FORM_BYTES, tooLargeRefusal } from '../../platform/http/form.ts'
import { html, type Html } from '../../platform/html/html.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { languageOf, changeReader } from '../../platform/i18n/reader.ts'
import { say } from '../../platform/i18n/say.ts'
import { parseUnsubscribeLink } from '../../messaging/outbox/unsubscribe_link.ts'
import { reminderRecipient, unsubscribe, type ReminderRecipient } from '../../messaging/reminders/unsubscribe.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { unknownLinkPage, rateLimitPage } from './link_errors.ts'
import { customerPage } from './customer_page.ts'

/**
 * Returns the page of a reminder's unsubscribe link. Mail programs post to it without cookies (RFC 8058), so a POST
 * needs only the token in the path. GET and HEAD change nothing.
 */
export const unsubscribeRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    '/unsubscribe/:token': {
      get: async (site, request) => {
        const opened = await openUnsubscribe(site, request)
        return opened instanceof Response ? opened : questionPage(opened)
      },
      post: async (site, request) => {
        const body = await readWebBody(request.req.raw, { maxBytes: MAX_PUBLIC_FORM_BYTES })
        if (body === 'gone') throw new Error('The sender of a form disconnected')
        if (typeof body === 'string') throw tooLargeRefusal(MAX_PUBLIC_FORM_BYTES)
        const opened = await openUnsubscribe(site, request)
        if (opened instanceof Response) return opened
        await writeTenant(site.database, opened.entry(), (db) => unsubscribe(db, opened.reminder))
        return confirmationPage(opened)
      },
    },
  })

type UnsubscribeContext = { company: Company; reminder: ReminderRecipient; entry: () => TenantEntry }

/** Maximum attempts per network address in 15 minutes. A mail provider posts for many people. */
const MAX_TRIES = 600

async function openUnsubscribe(site: Site, request: PageRequest): Promise<UnsubscribeContext | Response> {
  const link = parseUnsubscribeLink(request.req.param('token') ?? '')
  if (link === undefined || !hostChecker(site)(request.env.incoming)) return unknownLinkPage()
  const wait = await takeAttempt(site.database, [
    { subject: `unsubscribe ${site.clientAddressOf(request.env.incoming)}`, max: MAX_TRIES },
  ])
  if (wait > 0) return rateLimitPage(wait)
  const signal = disconnectSignal(request.env.outgoing)
  const entry = (): TenantEntry => ({ tenant: link.tenant, options: { by: defaultDeadline(), signal } })
  const reminder = await readTenant(site.database, entry(), (db) => reminderRecipient(db, link))
  if (reminder === undefined) return unknownLinkPage()
  const company = await readTenant(site.database, entry(), companyOf)
  changeReader({
    language: languageOf(reminder.preferred_language ?? request.req.header('accept-language')),
    country: company.country,
  })
  return { company, reminder, entry }
}

const questionPage = ({ company }: UnsubscribeContext): Response =>
  page(
    company,
    say`Stop reminders?`,
    html`
  <p class="lead">
    ${say`${company.name} won’t send you any more reminders. You still get quotes, invoices and receipts.`}
  </p>
  <form class="form" method="post">${hidden('List-Unsubscribe', 'One-Click')}
    <p class="actions">${button({ label: say`Stop these reminders`, kind: 'main' })}</p>
  </form>`,
  )

const confirmationPage = ({ company }: UnsubscribeContext): Response =>
  page(
    company,
    say`You won’t get any more reminders`,
    html`
  <p class="lead">${say`To get reminders again, contact ${company.name}.`}</p>`,
  )

const page = (company: Company, title: string, body: Html): Response =>
  customerPage({
    from: company,
    title,
    body: html`
<section class="ticket">
  <h1>${title}</h1>${body}
</section>`,
  })
