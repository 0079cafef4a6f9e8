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
import { findOffer, findOffers, type QuoteOffer } from './offer.ts'
import { optionsOf } from '../../../customer_portal/offer.ts'
import { optionsPage } from './options.ts'
import type { LinkContext } from '../link_context.ts'
import { quotePage } from './quote.ts'
import { customerPage } from '../customer_page.ts'

const LONGEST = 500

/** Asks why, which may be left out. */
export async function showDecline(context: LinkContext, shown: PortalDocument): Promise<Response> {
  if (isAboutAll(context, shown)) return declineAllPage(context, shown)
  const offered = await findOffer(context, shown)
  return isOpenOffer(offered) ? declinePage(context, shown, { offered }) : quotePage(context, shown)
}

/** Declines what was shown. */
export async function declineQuote(context: LinkContext, shown: PortalDocument, visit: PageRequest): Promise<Response> {
  const sent = await readFormFields(visit.req.raw)
  if (isAboutAll(context, shown)) return declineAll(context, shown, visit, sent.get('reason') ?? '')
  const offered = await findOffer(context, shown)
  if (!isOpenOffer(offered)) return closedQuotePage(context, shown, offered)
  const given = sent.get('reason') ?? ''
  const answer = answerOf(context, shown, offered, {
    name: context.link.customer_name,
    userAgent: visit.req.header('user-agent'),
  })
  try {
    const reason = readReason(given)
    if (sent.get('shown') !== hashOf(offered)) throw new OfferClosed('stale')
    await context.write(async (db) => {
      const [quote, name] = [{ ...offered.content, id: shown.id }, context.link.customer_name]
      if (await declineOffer(db, answer, reason))
        await context.tell(db, { act: 'declined', quote, name, words: reason })
    })
  } catch (error) {
    if (error instanceof OfferClosed) return quotePage(context, shown, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declinePage(context, shown, { offered, given })
  }
  return redirectWithMessage(shown.base, { sentence: say`You declined this quote.` })
}

const readReason = (given: string): string | null =>
  parseField(text(LONGEST), given.replaceAll(/\s+/g, ' '), 'reason') ?? null

/** Checks whether a page is about all options of a link: the first page of one that has several. */
const isAboutAll = ({ link }: LinkContext, { back }: PortalDocument): boolean =>
  back === undefined && optionsOf(link.offer).length > 0

async function declineAllPage(context: LinkContext, shown: PortalDocument, given?: string): Promise<Response> {
  const [offered] = (await findOffers(context)).filter(isOpenOffer)
  return offered === undefined ? optionsPage(context, shown) : declinePage(context, shown, { offered, given })
}

/** Declines every option that is open; the company is told once. */
async function declineAll(
  context: LinkContext,
  shown: PortalDocument,
  visit: PageRequest,
  given: string,
): Promise<Response> {
  const open = (await findOffers(context)).filter(isOpenOffer)
  const [first] = open
  if (first === undefined) return optionsPage(context, shown, { status: 409 })
  const by = { name: context.link.customer_name, userAgent: visit.req.header('user-agent') }
  try {
    const reason = readReason(given)
    await context.write(async (db) => {
      for (const one of open) await declineOffer(db, answerOf(context, one, one, by), reason)
      await context.tell(db, {
        act: 'declined',
        quote: { ...first.content, id: first.id },
        name: by.name,
        words: reason,
      })
    })
  } catch (error) {
    if (error instanceof OfferClosed) return optionsPage(context, shown, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declineAllPage(context, shown, given)
  }
  return redirectWithMessage(shown.base, { sentence: say`You declined these options.` })
}

type DeclineForm = { offered: QuoteOffer; given?: string | undefined }

function declinePage(context: LinkContext, shown: PortalDocument, { offered, given }: DeclineForm): Response {
  const isAll = isAboutAll(context, shown)
  const error = given === undefined ? undefined : say`Use ${LONGEST} characters or fewer.`
  return customerPage({
    from: context.company,
    back: shown.base,
    title: isAll ? say`Decline all options` : say`Decline quote ${offered.quote.display_number}`,
    scripts: ['form.js'],
    status: given === undefined ? 200 : 422,
    body: html`
<section class="ticket">
  <p class="eyebrow">${isAll ? say`Your options` : say`Quote ${offered.quote.display_number}`}</p>
  <h1>${isAll ? say`Decline all options?` : say`Decline this quote?`}</h1>
  <form class="form" method="post" action="${shown.base}/decline">
    ${hidden('shown', hashOf(offered))}
    ${textArea({
      name: 'reason',
      label: say`Reason`,
      value: given?.slice(0, 2 * LONGEST) ?? '',
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
