import { readName } from '../../../identity/inputs.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { OfferClosedError, acceptOffer, type OfferAnswer } from '../../../customer_portal/answer_offer.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { money } from '../../../records/format/formats.ts'
import { multilineText } from '../../../records/page/parts.ts'
import { hashOfContent } from '../../../platform/validation/canonical.ts'
import { readSignaturePath } from '../../../platform/validation/text/signature_path.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { PortalDocument } from '../document.ts'
import { findOffer, type QuoteOffer } from './offer.ts'
import type { LinkContext } from '../link_context.ts'
import { hiddenCheckedLines, queryOf, readCheckedLines, readCheckedLinesFromUrl } from './optional_lines.ts'
import { depositHtml, quotePage } from './quote.ts'
import { customerPage } from '../customer_page.ts'
import { signaturePad } from './acceptance.ts'

/** Asks for the name and signature, next to the price and terms being accepted. */
export async function showAccept(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
): Promise<Response> {
  const offer = await findOffer(context, document, readCheckedLinesFromUrl(request))
  return isOpenOffer(offer) ? acceptPage(context, document, offer) : quotePage(context, document)
}

/** Accepts the quote as shown. A second press has no effect. */
export async function acceptQuote(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
): Promise<Response> {
  const sent = await readFormFields(request.req.raw)
  const offer = await findOffer(context, document, readCheckedLines(sent))
  if (!isOpenOffer(offer)) return closedQuotePage(context, document, offer)
  const { chosenContent, lines } = offer
  try {
    const signature = readSignaturePath(sent.get('signature') ?? '', 'signature')
    const name = readName(sent.get('name') ?? '', 'name', 100)
    const answer = answerOf(context, document, offer, { name, userAgent: request.req.header('user-agent') })
    if (sent.get('shown') !== hashOf(offer)) throw new OfferClosedError('stale')
    await context.write(async (db) => {
      if (await acceptOffer(db, answer, { signature, lines }))
        await context.notifyOfAnswer(db, {
          kind: 'accepted',
          quote: { ...chosenContent, id: document.id },
          name,
          text: null,
        })
    })
  } catch (error) {
    const isClosed = error instanceof OfferClosedError || (error instanceof Refusal && error.code === 'conflict')
    if (isClosed) return quotePage(context, document, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    const isName = error.problems.some(({ path }) => path === 'name')
    return acceptPage(context, document, offer, {
      name: (sent.get('name') ?? '').slice(0, 200),
      error: isName ? say`Enter your name, up to 100 characters.` : say`Draw your signature again, or leave it empty.`,
    })
  }
  return redirectWithMessage(document.base, { sentence: say`Thank you. You accepted this quote.` })
}

/** Checks whether an offer can be answered through its link; false if it doesn't exist. */
export const isOpenOffer = (offer: QuoteOffer | 'withdrawn' | undefined): offer is QuoteOffer =>
  typeof offer === 'object' && offer.state === 'open' && offer.isAnswerable

/** Shows the quote: as accepted after a second press, otherwise with the reason why it can't be answered. */
export const closedQuotePage = (
  context: LinkContext,
  document: PortalDocument,
  offer: QuoteOffer | 'withdrawn' | undefined,
): Promise<Response> =>
  quotePage(context, document, { status: typeof offer === 'object' && offer.acceptance !== undefined ? 200 : 409 })

/** Returns the customer's answer to the content shown, with their name, network address and user agent. */
export const answerOf = (
  { link, today, clientAddress }: LinkContext,
  { id }: Pick<PortalDocument, 'id'>,
  { content }: QuoteOffer,
  { name, userAgent }: { name: string; userAgent: string | undefined },
): OfferAnswer => ({
  quote: id,
  document: content,
  today,
  by: { link: link.id, name, address: clientAddress, userAgent: userAgent?.slice(0, 300) ?? null },
})

/** Returns the hash of the content that the customer sees, including the optional lines they checked. */
export const hashOf = ({ chosenContent }: QuoteOffer): string => hashOfContent(chosenContent).toString('hex')

type AcceptFailure = { name: string; error: string }

function acceptPage(
  context: LinkContext,
  document: PortalDocument,
  offer: QuoteOffer,
  failure?: AcceptFailure,
): Response {
  const {
    chosenContent: content,
    content: { optional_lines = [] },
    lines,
    quote,
  } = offer
  const total = money(content.total_cents, content.currency)
  const back = document.base + queryOf(offer)
  return customerPage({
    from: context.company,
    back: document.base,
    title: say`Accept quote ${quote.display_number}`,
    scripts: ['form.js', 'signature.js'],
    status: failure === undefined ? 200 : 422,
    body: html`
<section class="ticket">
  <p class="eyebrow">${say`Quote ${quote.display_number}`}</p>
  <h1>${content.title}</h1>
  <p class="lead">${say`You accept the work and the price of ${total}.`}</p>${when(
    lines.length > 0,
    () => html`
  <p>${say`With what you added:`}</p>
  <ul class="links">${optional_lines
    .filter(({ id }) => lines.includes(id))
    .map(({ name, line_total_cents }) => html`<li>${name} ${money(line_total_cents, content.currency)}</li>`)}
  </ul>`,
  )}${when(failure, ({ error }) =>
    notice({ kind: 'error', title: error }),
  )}${when(content.deposit_cents, (cents) => depositHtml(cents, content.currency))}${when(content.terms, (terms) =>
    termsHtml(terms),
  )}
  <form class="form" method="post" action="${document.base}/accept">
    ${hidden('shown', hashOf(offer))}${hiddenCheckedLines(offer)}
    ${field({
      name: 'name',
      label: say`Your name`,
      value: failure?.name ?? '',
      autocomplete: 'name',
      isRequired: true,
      help: say`Your typed name counts as your signature.`,
    })}
    ${signaturePad()}
    <p class="actions">
      ${button({ label: say`Accept for ${total}`, kind: 'main' })}${linkButton(say`Cancel`, back, 'quiet')}
    </p>
  </form>
</section>`,
  })
}

const termsHtml = (terms: string): Html => html`
  <section class="link-terms" tabindex="0" aria-label="${say`Terms`}">
    <h2>${say`Terms`}</h2>${multilineText(terms)}</section>`
