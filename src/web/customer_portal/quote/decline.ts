import { parseField } from '../../../identity/inputs.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { OfferClosed, declineOffer } from '../../../customer_portal/answer_offer.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import { answerOf, closedQuotePage, hashOf, isOpenOffer } from './accept.ts'
import type { PortalDocument } from '../document.ts'
import { findOffer, type QuoteOffer } from './offer.ts'
import type { LinkContext } from '../link_context.ts'
import { quotePage } from './quote.ts'
import { customerPage } from '../customer_page.ts'

const LONGEST = 500

/** Asks why, which may be left out. */
export async function showDecline(context: LinkContext, shown: PortalDocument): Promise<Response> {
  const offered = await findOffer(context, shown)
  return isOpenOffer(offered) ? declinePage(context, shown, offered) : quotePage(context, shown)
}

/** Declines what was shown. */
export async function declineQuote(context: LinkContext, shown: PortalDocument, visit: PageRequest): Promise<Response> {
  const sent = await readFormFields(visit.req.raw)
  const offered = await findOffer(context, shown)
  if (!isOpenOffer(offered)) return closedQuotePage(context, shown, offered)
  const given = sent.get('reason') ?? ''
  const answer = answerOf(context, shown, offered, {
    name: context.link.customer_name,
    userAgent: visit.req.header('user-agent'),
  })
  try {
    const reason = parseField(text(LONGEST), given.replaceAll(/\s+/g, ' '), 'reason') ?? null
    if (sent.get('shown') !== hashOf(offered)) throw new OfferClosed('stale')
    await context.write(async (db) => {
      const [quote, name] = [{ ...offered.content, id: shown.id }, context.link.customer_name]
      if (await declineOffer(db, answer, reason))
        await context.tell(db, { act: 'declined', quote, name, words: reason })
    })
  } catch (error) {
    if (error instanceof OfferClosed) return quotePage(context, shown, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declinePage(context, shown, offered, given.slice(0, 2 * LONGEST))
  }
  return redirectWithMessage(shown.base, { sentence: say`You declined this quote.` })
}

function declinePage(context: LinkContext, shown: PortalDocument, offered: QuoteOffer, given?: string): Response {
  const error = given === undefined ? undefined : say`Use ${LONGEST} characters or fewer.`
  return customerPage({
    from: context.company,
    back: shown.base,
    title: say`Decline quote ${offered.quote.display_number}`,
    scripts: ['form.js'],
    status: given === undefined ? 200 : 422,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Quote ${offered.quote.display_number}`}</p>
  <h1>${say`Decline this quote?`}</h1>
  <form class="form" method="post" action="${shown.base}/decline">
    ${hidden('shown', hashOf(offered))}
    ${textArea({
      name: 'reason',
      label: say`Reason`,
      value: given ?? '',
      rows: 3,
      help: say`Optional. ${context.company.name} will read it.`,
      error,
    })}
    <p class="actions">
      ${button({ label: say`Decline`, kind: 'main' })}${linkButton(say`Cancel`, shown.base, 'quiet')}
    </p>
  </form>
</section>`,
  })
}
