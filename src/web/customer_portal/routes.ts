import type { PageRouter, PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { pageRoutes, type PageHandler, type PageTable } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { acceptQuote, showAccept } from './quote/accept.ts'
import { unknownLinkPage } from './link_errors.ts'
import { declineQuote, showDecline } from './quote/decline.ts'
import { handleDocument, findDocument, type DocumentKind } from './document.ts'
import { downloadPdf, downloadReceipt, showLogo, showPicture } from './documents/files.ts'
import { showInvoice, findVisibleInvoice } from './documents/invoice.ts'
import { findOffer } from './quote/offer.ts'
import { openLinkContext, type LinkContext } from './link_context.ts'
import { returnFromPayment, startPayment } from './documents/pay.ts'
import { sendQuestion, showQuestion, type QuestionForm } from './documents/question.ts'
import { optionsOf } from '../../customer_portal/offer.ts'
import { showOptions } from './quote/options.ts'
import { showQuote } from './quote/quote.ts'
import { handleCancel, handleMove } from './documents/change_visit.ts'
import { showVisits } from './documents/visits.ts'
import { changeSavedMethod, returnFromSetup, showSavedMethod } from './saved/saved.ts'

/** Path of a link. These routes answer everything below it. */
const LINK = '/c/:secret'
const ID = ':id{[0-9a-f-]{36}}'

/**
 * Returns the pages of customer links. Forms need no CSRF protection: knowing the secret is the authorization, and
 * browsers add no credentials. GET and HEAD change nothing, since programs open links too.
 */
export const customerLinkRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [LINK]: { get: showLinkTarget },
    [`${LINK}/pdf`]: { get: download },
    [`${LINK}/logo/:id?`]: { get: showLogo },
    [`${LINK}/pictures/${ID}`]: { get: showPicture },
    [`${LINK}/question`]: handleQuestion(),
    [`${LINK}/saved`]: { get: showSavedMethod, post: changeSavedMethod },
    [`${LINK}/saved/done`]: { get: returnFromSetup },
    [`${LINK}/visits/${ID}/move`]: { get: handleMove, post: handleMove },
    [`${LINK}/visits/${ID}/cancel`]: { get: handleCancel, post: handleCancel },
    ...quotePages(LINK),
    ...quotePages(`${LINK}/quotes/${ID}`),
    ...invoicePages(LINK),
    ...invoicePages(`${LINK}/invoices/${ID}`),
    ...documentPages('quotes', showQuote),
    ...documentPages('invoices', showInvoice),
  }).all(`${LINK}/*`, unknownLinkPage)

const quotePages = (quote: string): PageTable => ({
  [`${quote}/accept`]: { get: handleDocument('quotes', showAccept), post: handleDocument('quotes', acceptQuote) },
  [`${quote}/decline`]: { get: handleDocument('quotes', showDecline), post: handleDocument('quotes', declineQuote) },
})

const invoicePages = (invoice: string): PageTable => ({
  [`${invoice}/pay`]: { post: handleDocument('invoices', startPayment) },
  [`${invoice}/receipts/:payment{[0-9a-f-]{36}}`]: { get: handleDocument('invoices', downloadReceipt) },
  [`${invoice}/paid`]: { get: handleDocument('invoices', returnFromPayment) },
})

const documentPages = (kind: DocumentKind, show: Parameters<typeof handleDocument>[1]): PageTable => ({
  [`${LINK}/${kind}/${ID}/pdf`]: { get: handleDocument(kind, downloadPdf) },
  [`${LINK}/${kind}/${ID}`]: { get: handleDocument(kind, show) },
  [`${LINK}/${kind}/${ID}/question`]: handleQuestion(kind),
})

/** Shows a link's target: a quote, an invoice or a customer's visits. */
async function showLinkTarget(site: Site, request: PageRequest): Promise<Response> {
  const context = await openLinkContext(site, request)
  if (context instanceof Response) return context
  const { kind } = context.link
  if (kind === 'customers') return showVisits(context, request)
  const document = findDocument(context, kind)!
  if (optionsOf(context.link.offer).length > 0) return showOptions(context, document, request)
  return kind === 'quotes' ? showQuote(context, document, request) : showInvoice(context, document, request, site)
}

/** Sends the PDF of the link's document. */
async function download(site: Site, request: PageRequest): Promise<Response> {
  const context = await openLinkContext(site, request)
  if (context instanceof Response) return context
  const { kind } = context.link
  return kind === 'customers' ? unknownLinkPage() : downloadPdf(context, findDocument(context, kind)!, request)
}

/** Returns the handlers for a question about a document, or a request for another time. */
function handleQuestion(kind?: DocumentKind): PageTable[string] {
  const handle: PageHandler = async (site, request) => {
    const context = await openLinkContext(site, request)
    if (context instanceof Response) return context
    const form = await questionOf(context, request, kind)
    if (form === undefined) return unknownLinkPage()
    return request.req.method === 'POST' ? sendQuestion(context, form, request) : showQuestion(context, form)
  }
  return { get: handle, post: handle }
}

async function questionOf(
  context: LinkContext,
  request: PageRequest,
  kind?: DocumentKind,
): Promise<QuestionForm | undefined> {
  const { link, base } = context
  if (link.kind === 'customers' && kind === undefined)
    return {
      title: say`Ask for another time`,
      label: say`When works for you?`,
      subject: say`Another time for a visit`,
      invoice: null,
      action: `${base}/question`,
      back: base,
    }
  const document = findDocument(
    context,
    kind ?? (link.kind === 'invoices' ? 'invoices' : 'quotes'),
    request.req.param('id'),
  )
  if (document === undefined) return undefined
  const subject = await (document.kind === 'quotes'
    ? quoteSubject(context, document)
    : invoiceSubject(context, document))
  if (subject === undefined) return undefined
  const [action, back] = [`${document.base}/question`, document.base]
  return { title: say`Ask a question`, label: say`Your question`, action, back, ...subject }
}

type QuestionSubject = Pick<QuestionForm, 'subject' | 'quote' | 'invoice'>

async function quoteSubject(
  ...[context, document]: Parameters<typeof findOffer>
): Promise<QuestionSubject | undefined> {
  const offer = await findOffer(context, document)
  if (offer === undefined) return undefined
  if (offer === 'withdrawn') return { subject: say`Question about a quote` }
  const { quote } = offer
  return { subject: say`Question about quote ${quote.display_number}`, quote }
}

async function invoiceSubject(
  ...[context, document]: Parameters<typeof findVisibleInvoice>
): Promise<QuestionSubject | undefined> {
  const invoice = await findVisibleInvoice(context, document)
  if (invoice === undefined) return undefined
  const { display_number } = invoice
  return {
    subject: say`Question about invoice ${display_number}`,
    invoice: { id: document.id, display_number: display_number ?? '' },
  }
}
