import { parseField } from '../../../identity/inputs.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { hidden, textArea } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { OfferClosedError, declineOffer } from '../../../customer_portal/answer_offer.ts'
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

const MAX_LENGTH = 500

/** Asks for an optional reason. */
export async function showDecline(context: LinkContext, document: PortalDocument): Promise<Response> {
  if (isAboutAll(context, document)) return declineAllPage(context, document)
  const offer = await findOffer(context, document)
  return isOpenOffer(offer) ? declinePage(context, document, { offer }) : quotePage(context, document)
}

/** Declines the quote as shown. */
export async function declineQuote(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
): Promise<Response> {
  const sent = await readFormFields(request.req.raw)
  if (isAboutAll(context, document)) return declineAll(context, document, request, sent.get('reason') ?? '')
  const offer = await findOffer(context, document)
  if (!isOpenOffer(offer)) return closedQuotePage(context, document, offer)
  const input = sent.get('reason') ?? ''
  const answer = answerOf(context, document, offer, {
    name: context.link.customer_name,
    userAgent: request.req.header('user-agent'),
  })
  try {
    const reason = readReason(input)
    if (sent.get('shown') !== hashOf(offer)) throw new OfferClosedError('stale')
    await context.write(async (db) => {
      const [quote, name] = [{ ...offer.content, id: document.id }, context.link.customer_name]
      if (await declineOffer(db, answer, reason))
        await context.notifyOfAnswer(db, { kind: 'declined', quote, name, text: reason })
    })
  } catch (error) {
    if (error instanceof OfferClosedError) return quotePage(context, document, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declinePage(context, document, { offer, reason: input })
  }
  return redirectWithMessage(document.base, { sentence: say`You declined this quote.` })
}

const readReason = (input: string): string | null =>
  parseField(text(MAX_LENGTH), input.replaceAll(/\s+/g, ' '), 'reason') ?? null

/** Checks whether a page covers all options of a link, as the first page of a link with several does. */
const isAboutAll = ({ link }: LinkContext, { back }: PortalDocument): boolean =>
  back === undefined && optionsOf(link.offer).length > 0

async function declineAllPage(context: LinkContext, document: PortalDocument, input?: string): Promise<Response> {
  const [offer] = (await findOffers(context)).filter(isOpenOffer)
  return offer === undefined ? optionsPage(context, document) : declinePage(context, document, { offer, reason: input })
}

/** Declines every open option. The company is notified once. */
async function declineAll(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
  input: string,
): Promise<Response> {
  const open = (await findOffers(context)).filter(isOpenOffer)
  const [first] = open
  if (first === undefined) return optionsPage(context, document, { status: 409 })
  const by = { name: context.link.customer_name, userAgent: request.req.header('user-agent') }
  try {
    const reason = readReason(input)
    await context.write(async (db) => {
      for (const one of open) await declineOffer(db, answerOf(context, one, one, by), reason)
      await context.notifyOfAnswer(db, {
        kind: 'declined',
        quote: { ...first.content, id: first.id },
        name: by.name,
        text: reason,
      })
    })
  } catch (error) {
    if (error instanceof OfferClosedError) return optionsPage(context, document, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    return declineAllPage(context, document, input)
  }
  return redirectWithMessage(document.base, { sentence: say`You declined these options.` })
}

type DeclineForm = { offer: QuoteOffer; reason?: string | undefined }

function declinePage(context: LinkContext, document: PortalDocument, { offer, reason }: DeclineForm): Response {
  const isAll = isAboutAll(context, document)
  const error = reason === undefined ? undefined : say`Use ${MAX_LENGTH} characters or fewer.`
  return customerPage({
    from: context.company,
    back: document.base,
    title: isAll ? say`Decline all options` : say`Decline quote ${offer.quote.display_number}`,
    scripts: ['form.js'],
    status: reason === undefined ? 200 : 422,
    body: html`
<section class="ticket">
  <p class="eyebrow">${isAll ? say`Your options` : say`Quote ${offer.quote.display_number}`}</p>
  <h1>${isAll ? say`Decline all options?` : say`Decline this quote?`}</h1>
  <form class="form" method="post" action="${document.base}/decline">
    ${hidden('shown', hashOf(offer))}
    ${textArea({
      name: 'reason',
      label: say`Reason`,
      value: reason?.slice(0, 2 * MAX_LENGTH) ?? '',
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
