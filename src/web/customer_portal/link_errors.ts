import type { Company } from '../../identity/companies/company.ts'
import { HttpRefusal } from '../../platform/errors/http_refusal.ts'
import { html, when } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { LinkStatus } from '../../customer_portal/open_link.ts'
import { customerAnswer, customerNotice } from './customer_page.ts'

/** Answers an unknown secret, and a document that the link doesn't show, with the same page. */
export const unknownLinkPage = (): Response =>
  customerNotice({
    status: 404,
    title: say`This link can’t be used`,
    lead: say`Check that the whole address was copied, or ask whoever sent it for a new one.`,
  })

/** Throws the page of an expired or revoked link. After a payment, it adds that the payment counts. */
export function requireOpenLink(company: Company, end: LinkStatus, isBackFromPaying: boolean): void {
  if (!end.is_revoked && !end.has_expired) return
  const title = end.is_revoked ? say`This link can’t be used anymore` : say`This link has expired`
  throw new HttpRefusal(
    customerAnswer({
      status: 410,
      from: company,
      title,
      body: html`
<section class="ticket">
  <h1>${title}</h1>${when(
    isBackFromPaying,
    () => html`
  <p>${say`If you have just paid, your payment counts. You don’t need to pay again.`}</p>`,
  )}
  <p class="lead">${say`Ask ${company.name} for a new one.`}</p>
</section>`,
    }),
  )
}

/** Answers a network address that exceeded the rate limit. */
export const rateLimitPage = (seconds: number): Response =>
  customerNotice({
    status: 429,
    title: say`Too many attempts`,
    headers: { 'Retry-After': String(seconds) },
    lead: say`Wait 15 minutes, then open the link again.`,
  })
