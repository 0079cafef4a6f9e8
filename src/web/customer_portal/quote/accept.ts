import { readName } from '../../../identity/inputs.ts'
import { button, linkButton } from '../../../platform/html/parts/button.ts'
import { field, hidden } from '../../../platform/html/parts/field.ts'
import { readFormFields } from '../../../platform/http/form.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { OfferClosed, acceptOffer, type OfferAnswer } from '../../../customer_portal/answer_offer.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { money } from '../../../records/format/formats.ts'
import { multilineText } from '../../../records/page/parts.ts'
import { hashOfContent } from '../../../platform/validation/canonical.ts'
import { readSignaturePath } from '../../../platform/validation/text/signature_path.ts'
import { redirectWithMessage } from '../../flash_message.ts'
import type { PortalDocument } from '../document.ts'
import { findOffer, type QuoteOffer } from './offer.ts'
import type { LinkContext } from '../link_context.ts'
import { hiddenTicks, queryOf, readTicks, readAddressTicks } from './optional_lines.ts'
import { depositHtml, quotePage } from './quote.ts'
import { customerPage } from '../customer_page.ts'
import { signaturePad } from './acceptance.ts'

/** Asks for the name and signature, next to the price and terms being accepted. */
export async function showAccept(
  context: LinkContext,
  document: PortalDocument,
  visit: PageRequest,
): Promise<Response> {
  const offered = await findOffer(context, document, readAddressTicks(visit))
  return isOpenOffer(offered) ? acceptPage(context, document, offered) : quotePage(context, document)
}

/** Accepts the quote as shown. A second press has no effect. */
export async function acceptQuote(
  context: LinkContext,
  document: PortalDocument,
  visit: PageRequest,
): Promise<Response> {
  const sent = await readFormFields(visit.req.raw)
  const offered = await findOffer(context, document, readTicks(sent))
  if (!isOpenOffer(offered)) return closedQuotePage(context, document, offered)
  const { chosen, lines } = offered
  try {
    const signature = readSignaturePath(sent.get('signature') ?? '', 'signature')
    const name = readName(sent.get('name') ?? '', 'name', 100)
    const answer = answerOf(context, document, offered, { name, userAgent: visit.req.header('user-agent') })
    if (sent.get('shown') !== hashOf(offered)) throw new OfferClosed('stale')
    await context.write(async (db) => {
      if (await acceptOffer(db, answer, { signature, lines }))
        await context.tell(db, { act: 'accepted', quote: { ...chosen, id: document.id }, name, words: null })
    })
  } catch (error) {
    const isClosed = error instanceof OfferClosed || (error instanceof Refusal && error.code === 'conflict')
    if (isClosed) return quotePage(context, document, { status: 409 })
    if (!(error instanceof Refusal)) throw error
    const isName = error.problems.some(({ path }) => path === 'name')
    return acceptPage(context, document, offered, {
      name: (sent.get('name') ?? '').slice(0, 200),
      error: isName ? say`Enter your name, up to 100 characters.` : say`Draw your signature again, or leave it empty.`,
    })
  }
  return redirectWithMessage(document.base, { sentence: say`Thank you. You accepted this quote.` })
}

/** Checks whether an offer can be answered through its link; false if it doesn't exist. */
export const isOpenOffer = (offered: QuoteOffer | 'withdrawn' | undefined): offered is QuoteOffer =>
  typeof offered === 'object' && offered.state === 'open' && offered.isAnswerable

/** Shows the quote: as accepted after a second press, otherwise with the reason why it can't be answered. */
export const closedQuotePage = (
  context: LinkContext,
  document: PortalDocument,
  offered: QuoteOffer | 'withdrawn' | undefined,
): Promise<Response> =>
  quotePage(context, document, { status: typeof offered === 'object' && offered.acceptance !== undefined ? 200 : 409 })

/** Returns the customer's answer to the content shown, with their name, network address and user agent. */
export const answerOf = (
  { link, today, sender }: LinkContext,
  { id }: Pick<PortalDocument, 'id'>,
  { content }: QuoteOffer,
  { name, userAgent }: { name: string; userAgent: string | undefined },
): OfferAnswer => ({
  quote: id,
  document: content,
  today,
  by: { link: link.id, name, address: sender, userAgent: userAgent?.slice(0, 300) ?? null },
})

/** Returns the hash of the content that the customer sees, including the optional lines they checked. */
export const hashOf = ({ chosen }: QuoteOffer): string => hashOfContent(chosen).toString('hex')

type AcceptFailure = { name: string; error: string }

function acceptPage(
  context: LinkContext,
  document: PortalDocument,
  offered: QuoteOffer,
  failed?: AcceptFailure,
): Response {
  const {
    chosen: content,
    content: { optional_lines = [] },
    lines,
    quote,
  } = offered
  const total = money(content.total_cents, content.currency)
  const back = document.base + queryOf(offered)
  return customerPage({
    from: context.company,
    back: document.base,
    title: say`Accept quote ${quote.display_number}`,
    scripts: ['form.js', 'signature.js'],
    status: failed === undefined ? 200 : 422,
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
  )}${when(failed, ({ error }) =>
    notice({ kind: 'error', title: error }),
  )}${when(content.deposit_cents, (cents) => depositHtml(cents, content.currency))}${when(content.terms, (terms) =>
    termsHtml(terms),
  )}
  <form class="form" method="post" action="${document.base}/accept">
    ${hidden('shown', hashOf(offered))}${hiddenTicks(offered)}
    ${field({
      name: 'name',
      label: say`Your name`,
      value: failed?.name ?? '',
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
