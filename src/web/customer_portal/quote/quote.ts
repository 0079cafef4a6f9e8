import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { currentReader } from '../../../platform/i18n/reader.ts'
import { say } from '../../../platform/i18n/say.ts'
import { readPdfDocument, type PdfSource } from '../../../pdf/read_document.ts'
import { day, moment, money } from '../../../records/format/formats.ts'
import type { Quote } from '../../../records/quotes/index.ts'
import { documentHtml } from '../../print/document.ts'
import { takeFlashMessage, type FlashMessage } from '../../flash_message.ts'
import { unknownLinkPage } from '../link_errors.ts'
import type { PortalDocument } from '../document.ts'
import { findOffer, type QuoteOffer } from './offer.ts'
import type { LinkContext } from '../link_context.ts'
import { picturesOf } from '../../../records/catalog_items/index.ts'
import { optionsOf, type OfferContent } from '../../../customer_portal/offer.ts'
import { CHOICE_FORM_ID, optionalHtml, readCheckedLinesFromUrl } from './optional_lines.ts'
import { acceptanceHtml } from './acceptance.ts'
import { actionBar, pdfButton, questionButton } from '../action_bar.ts'
import { customerPage } from '../customer_page.ts'

/** Shows a quote as it was sent, its current state, and how to answer. */
export const showQuote = (context: LinkContext, document: PortalDocument, request: PageRequest): Promise<Response> =>
  quotePage(context, document, {
    flashMessage: takeFlashMessage(request),
    checkedLines: readCheckedLinesFromUrl(request),
  })

type QuotePageOptions = { flashMessage?: FlashMessage | undefined; status?: number; checkedLines?: readonly string[] }

export async function quotePage(
  context: LinkContext,
  document: PortalDocument,
  { checkedLines, ...more }: QuotePageOptions = {},
): Promise<Response> {
  const offer = await findOffer(context, document, checkedLines)
  if (offer === undefined) return unknownLinkPage()
  const { company } = context
  if (offer === 'withdrawn')
    return customerPage({
      ...more,
      from: company,
      title: say`Quote`,
      body: notice({
        kind: 'info',
        title: say`This quote was withdrawn`,
        body: say`Ask ${company.name} for a new one.`,
      }),
    })
  const { quote, chosenContent, state } = offer
  const isOpen = state === 'open' && offer.isAnswerable
  const [pdfDocument, pictures] = await context.read((db) =>
    Promise.all([
      readPdfDocument(db, pdfDocumentOf(document, { ...offer, content: withoutOptional(chosenContent) })),
      isOpen ? picturesOf(db, itemIds(quote.optional_lines ?? []), context.base) : new Map<string, string>(),
    ]),
  )
  return customerPage({
    ...more,
    from: company,
    back: document.back,
    title: say`Quote ${quote.display_number}`,
    scripts: isOpen && chosenContent.optional_lines !== undefined ? ['optional.js'] : [],
    body: html`
${stateNotice(context, document, offer)}
${documentHtml({ ...pdfDocument, signature: undefined }, `${context.base}/logo`)}${when(
      state === 'accepted' ? null : chosenContent.deposit_cents,
      (cents) => depositHtml(cents, chosenContent.currency),
    )}${when(isOpen, () => optionalHtml(offer, document.base, pictures))}${when(offer.acceptance, (acceptance) =>
      acceptanceHtml(company, acceptance),
    )}
${actionBar(
  chosenContent.title,
  money(chosenContent.total_cents, chosenContent.currency),
  mainAction(context, document, offer),
  html`${questionButton(document)}${when(isOpen && optionsOf(context.link.offer).length === 0, () =>
    linkButton(say`Decline`, `${document.base}/decline`, 'quiet'),
  )}${pdfButton(document)}`,
)}`,
  })
}

/** Returns an offer without its optional lines, which the page shows as a form. */
function withoutOptional(content: OfferContent): OfferContent {
  const { optional_lines: _, ...offer } = content
  return offer
}

export const itemIds = (lines: Quote['line_items']): string[] => lines.flatMap((line) => line.catalog_item_id ?? [])

/** Draws the next step: accept the quote, or pay its deposit. */
function mainAction(
  { base }: LinkContext,
  document: PortalDocument,
  { state, deposit, isAnswerable, content }: QuoteOffer,
): Html | '' {
  if (state === 'open' && isAnswerable)
    return content.optional_lines === undefined
      ? linkButton(say`Accept`, `${document.base}/accept`, 'main')
      : html`<button class="button main" form="${CHOICE_FORM_ID}">${say`Accept`}</button>`
  return state === 'accepted' && (deposit?.status === 'sent' || deposit?.status === 'partially_paid')
    ? linkButton(say`Pay the deposit`, `${base}/invoices/${deposit.id}`, 'main')
    : ''
}

/**
 * Returns the PDF source of a quote with the content its customer was sent instead of the current one, and without a
 * signature line.
 */
export const pdfDocumentOf = (
  { id }: PortalDocument,
  { quote, content: { optional_lines = [], ...content }, state }: Pick<QuoteOffer, 'quote' | 'content' | 'state'>,
): PdfSource => ({
  kind: 'quotes',
  id,
  language: currentReader().language,
  offered: {
    ...content,
    optional_lines: optional_lines.length === 0 ? null : optional_lines,
    status: state === 'revising' ? 'sent' : quote.status,
  },
})

export const depositHtml = (cents: number, currency: string): Html => html`
<p class="link-deposit">${say`A deposit of ${money(cents, currency)} is due when you accept.`}</p>`

function stateNotice(
  { company }: LinkContext,
  { base }: PortalDocument,
  { state, quote, acceptance, isAnswerable }: QuoteOffer,
): Html | '' {
  const newQuoteLink = html`<a href="${base}/question">${say`Ask ${company.name} for a new one.`}</a>`
  switch (state) {
    case 'open':
      return isAnswerable
        ? ''
        : notice({
            kind: 'info',
            title: say`This page shows the quote only`,
            body: say`To accept it, open the link that you were sent with the quote, or ask ${company.name} for it.`,
          })
    case 'accepted':
      return notice({
        kind: 'good',
        title:
          quote.accepted_at === null
            ? say`This quote was accepted`
            : say`This quote was accepted on ${moment(quote.accepted_at, company.timezone)}`,
        body:
          acceptance === undefined
            ? say`${company.name} will be in touch.`
            : say`Thank you. ${company.name} has your answer and will be in touch.`,
      })
    case 'declined':
      return quote.option_set !== null && quote.decline_reason === 'superseded'
        ? notice({ kind: 'info', title: say`Another option was accepted` })
        : notice({ kind: 'info', title: say`This quote was declined`, body: newQuoteLink })
    case 'expired':
      return notice({
        kind: 'warning',
        title: say`This quote was valid until ${day(quote.valid_until)}`,
        body: newQuoteLink,
      })
    case 'stale':
      return notice({
        kind: 'warning',
        title: say`There is a newer version of this quote`,
        body: html`${say`This link shows the earlier version, which can’t be accepted anymore.`} ${newQuoteLink}`,
      })
    case 'revising':
      return notice({
        kind: 'warning',
        title: say`${company.name} is changing this quote`,
        body: html`${say`This link shows the earlier version, which can’t be accepted anymore.`} ${newQuoteLink}`,
      })
    case 'begun':
      return notice({
        kind: 'info',
        title: say`Work on this quote has started`,
        body: say`This quote can’t be accepted anymore.`,
      })
    case 'withdrawn':
      return notice({ kind: 'info', title: say`This quote was withdrawn`, body: newQuoteLink })
  }
}
