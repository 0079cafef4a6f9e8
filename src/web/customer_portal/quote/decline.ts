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

/** Asks for an optional reason. */
export async function showDecline(context: LinkContext, document: PortalDocument): Promise<Response> {
  if (isAboutAll(context, document)) return declineAllPage(context, document)
  const offered = await findOffer(context, document)
  return isOpenOffer(offered) ? declinePage(context, document, { offered }) : quotePage(context, document)
}

/** Declines the quote as shown. */
export async function declineQuote(
  context: LinkContext,
  document: PortalDocument,
  visit: PageRequest,
): Promise<Response> {
  const sent = await readFormFields(visit.req.raw)
  if (isAboutAll(context, document)) return declineAll(context, document, visit, sent.get('reason') ?? '')
  const offered = await findOffer(context, document)
  if (!isOpenOffer(offered)) return closedQuotePage(context, document, offered)
  const input = sent.get('reason') ?? ''
  const answer = answerOf(context, document, offered, {
    name: context.link.customer_name,
    userAgent: visit.req.header('user-agent'),
  })
  try {
    const reason = readReason(input)
    if (sent.get('shown') !== hashOf(offered)) throw new OfferClosed('stale')
    await context.write(async (db) => {
      const [quote, name] = [{ ...offered.content, id: document.id }, context.link.customer_name]
      if (await declineOffer(db, answer, reason))
        await context.tell(db, { act: 'declined', quote, name, words: reason })
    })
  } catch (error) {
    if (error instanceof OfferClosed) return quotePage(context, document, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declinePage(context, document, { offered, reason: input })
  }
  return redirectWithMessage(document.base, { sentence: say`You declined this quote.` })
}

const readReason = (input: string): string | null =>
  parseField(text(LONGEST), input.replaceAll(/\s+/g, ' '), 'reason') ?? null

/** Checks whether a page covers all options of a link, as the first page of a link with several does. */
const isAboutAll = ({ link }: LinkContext, { back }: PortalDocument): boolean =>
  back === undefined && optionsOf(link.offer).length > 0

async function declineAllPage(context: LinkContext, document: PortalDocument, input?: string): Promise<Response> {
  const [offered] = (await findOffers(context)).filter(isOpenOffer)
  return offered === undefined
    ? optionsPage(context, document)
    : declinePage(context, document, { offered, reason: input })
}

/** Declines every open option. The company is notified once. */
async function declineAll(
  context: LinkContext,
  document: PortalDocument,
  visit: PageRequest,
  input: string,
): Promise<Response> {
  const open = (await findOffers(context)).filter(isOpenOffer)
  const [first] = open
  if (first === undefined) return optionsPage(context, document, { status: 409 })
  const by = { name: context.link.customer_name, userAgent: visit.req.header('user-agent') }
  try {
    const reason = readReason(input)
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
    if (error instanceof OfferClosed) return optionsPage(context, document, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declineAllPage(context, document, input)
  }
  return redirectWithMessage(document.base, { sentence: say`You declined these options.` })
}

type DeclineForm = { offered: QuoteOffer; reason?: string | undefined }

function declinePage(context: LinkContext, document: PortalDocument, { offered, reason }: DeclineForm): Response {
  const isAll = isAboutAll(context, document)
  const error = reason === undefined ? undefined : say`Use ${LONGEST} characters or fewer.`
  return customerPage({
    from: context.company,
    back: document.base,
    title: isAll ? say`Decline all options` : say`Decline quote ${offered.quote.display_number}`,
    scripts: ['form.js'],
    status: reason === undefined ? 200 : 422,
    body: html`
<section class="ticket">
  <p class="eyebrow">${isAll ? say`Your options` : say`Quote ${offered.quote.display_number}`}</p>
  <h1>${isAll ? say`Decline all options?` : say`Decline this quote?`}</h1>
  <form class="form" method="post" action="${document.base}/decline">
    ${hidden('shown', hashOf(offered))}
    ${textArea({
      name: 'reason',
      label: say`Reason`,
      value: reason?.slice(0, 2 * LONGEST) ?? '',
      rows: 3,
      help: say`Optional. ${context.company.name} will read it.`,
      error,
    })}
    <p class="actions">
      ${button({ label: say`Decline`, kind: 'main' })}${linkButton(say`Cancel`, document.base, 'quiet')}
    </p>
  </form>
</section>`,
  })
}
