import type { Company } from '../../identity/companies/company.ts'
import { html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { customerPage } from './customer_page.ts'

/** Answers a secret that is none, and a document that the link doesn't show: the same for all of them. */
export const unknownLinkPage = (): Response =>
  customerPage({
    status: 404,
    title: say`This link can’t be used`,
    body: html`
<section class="ticket">
  <h1>${say`This link can’t be used`}</h1>
  <p class="lead">${say`Check that the whole address was copied, or ask whoever sent it for a new one.`}</p>
</section>`,
  })

/** Answers a link that shows nothing any more to whoever has its secret. */
export const expiredLinkPage = (company: Company, why: 'expired' | 'taken_back'): Response =>
  customerPage({
    status: 410,
    from: company,
    title: why === 'expired' ? say`This link has expired` : say`This link can’t be used any more`,
    body: html`
<section class="ticket">
  <h1>${why === 'expired' ? say`This link has expired` : say`This link can’t be used any more`}</h1>
  <p class="lead">${say`Ask ${company.name} for a new one.`}</p>
</section>`,
  })

/** Answers an address that opens links too often. */
export const rateLimitPage = (seconds: number): Response =>
  customerPage({
    status: 429,
    title: say`Too many attempts`,
    headers: { 'Retry-After': String(seconds) },
    body: html`
<section class="ticket">
  <h1>${say`Too many attempts`}</h1>
  <p class="lead">${say`Wait 15 minutes, then open the link again.`}</p>
</section>`,
  })
