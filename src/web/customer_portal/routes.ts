import { methodNotAllowed } from '../../platform/html/message.ts'
import { newPageRouter, type PageRouter, type PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import type { Site } from '../site.ts'
import { acceptQuote, showAccept } from './quote/accept.ts'
import { unknownLinkPage } from './link_errors.ts'
import { declineQuote, showDecline } from './quote/decline.ts'
import { handleDocument, findDocument, type DocumentKind } from './document.ts'
import { downloadPdf, downloadReceipt, showLogo } from './documents/files.ts'
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
import { changeSaved, returnFromSetup, showSaved } from './saved/saved.ts'

/** Path of a link; whatever is behind it is answered here. */
const LINK = '/c/:secret'
const ID = ':id{[0-9a-f-]{36}}'

/**
 * Returns the pages of customers' links. What is sent needs no proof of where it comes from: whoever knows the secret
 * may send it, and no browser adds one. GET and HEAD change nothing, whoever opens a link.
 */
export function customerLinkRoutes(site: Site): PageRouter {
  const pages = newPageRouter()
  const [invoice, payNow, back] = [showInvoice(site), startPayment(site), returnFromPayment(site)]
  pages
    .get(LINK, (visit) => showLinked(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${LINK}/pdf`, (visit) => download(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${LINK}/logo/:id?`, (visit) => showLogo(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${LINK}/question`, (visit) => question(site, visit))
    .post((visit) => question(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${LINK}/saved`, (visit) => showSaved(site, visit))
    .post((visit) => changeSaved(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${LINK}/saved/done`, (visit) => returnFromSetup(site, visit))
    .all(methodNotAllowed('GET, HEAD'))
    .get(`${LINK}/visits/${ID}/move`, (visit) => handleMove(site, visit))
    .post((visit) => handleMove(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
    .get(`${LINK}/visits/${ID}/cancel`, (visit) => handleCancel(site, visit))
    .post((visit) => handleCancel(site, visit))
    .all(methodNotAllowed('GET, HEAD, POST'))
  for (const quote of [LINK, `${LINK}/quotes/${ID}`])
    pages
      .get(`${quote}/accept`, handleDocument(site, 'quotes', showAccept))
      .post(handleDocument(site, 'quotes', acceptQuote))
      .all(methodNotAllowed('GET, HEAD, POST'))
      .get(`${quote}/decline`, handleDocument(site, 'quotes', showDecline))
      .post(handleDocument(site, 'quotes', declineQuote))
      .all(methodNotAllowed('GET, HEAD, POST'))
  for (const bill of [LINK, `${LINK}/invoices/${ID}`])
    pages
      .post(`${bill}/pay`, handleDocument(site, 'invoices', payNow))
      .all(methodNotAllowed('POST'))
      .get(`${bill}/receipts/:payment{[0-9a-f-]{36}}`, handleDocument(site, 'invoices', downloadReceipt))
      .all(methodNotAllowed('GET, HEAD'))
      .get(`${bill}/paid`, handleDocument(site, 'invoices', back))
      .all(methodNotAllowed('GET, HEAD'))
  for (const kind of ['quotes', 'invoices'] as const)
    pages
      .get(`${LINK}/${kind}/${ID}/pdf`, handleDocument(site, kind, downloadPdf))
      .all(methodNotAllowed('GET, HEAD'))
      .get(`${LINK}/${kind}/${ID}`, handleDocument(site, kind, kind === 'quotes' ? showQuote : invoice))
      .all(methodNotAllowed('GET, HEAD'))
      .get(`${LINK}/${kind}/${ID}/question`, (visit) => question(site, visit, kind))
      .post((visit) => question(site, visit, kind))
      .all(methodNotAllowed('GET, HEAD, POST'))
  return pages.all(`${LINK}/*`, unknownLinkPage)
}

/** Shows what a link is to: a quote, an invoice or the visits of a customer. */
async function showLinked(site: Site, visit: PageRequest): Promise<Response> {
  const context = await openLinkContext(site, visit)
  if (context instanceof Response) return context
  const { kind } = context.link
  if (kind === 'customers') return showVisits(context, visit)
  const shown = findDocument(context, kind)!
  if (optionsOf(context.link.offer).length > 0) return showOptions(context, shown, visit)
  return kind === 'quotes' ? showQuote(context, shown, visit) : showInvoice(site)(context, shown, visit)
}

/** Sends the PDF of the one document that a link is to. */
async function download(site: Site, visit: PageRequest): Promise<Response> {
  const context = await openLinkContext(site, visit)
  if (context instanceof Response) return context
  const { kind } = context.link
  return kind === 'customers' ? unknownLinkPage() : downloadPdf(context, findDocument(context, kind)!, visit)
}

/** Takes a question about a document, or a wish for another time. */
async function question(site: Site, visit: PageRequest, kind?: DocumentKind): Promise<Response> {
  const context = await openLinkContext(site, visit)
  if (context instanceof Response) return context
  const asked = await questionOf(context, visit, kind)
  if (asked === undefined) return unknownLinkPage()
  return visit.req.method === 'POST' ? sendQuestion(context, asked, visit) : showQuestion(context, asked)
}

async function questionOf(
  context: LinkContext,
  visit: PageRequest,
  kind?: DocumentKind,
): Promise<QuestionForm | undefined> {
  const { link, base } = context
  if (link.kind === 'customers' && kind === undefined)
    return {
      title: say`Ask for another time`,
      label: say`When would it suit you?`,
      subject: say`Another time for a visit`,
      invoice: null,
      action: `${base}/question`,
      back: base,
    }
  const shown = findDocument(context, kind ?? (link.kind === 'invoices' ? 'invoices' : 'quotes'), visit.req.param('id'))
  if (shown === undefined) return undefined
  const about = await (shown.kind === 'quotes' ? aboutQuote(context, shown) : aboutInvoice(context, shown))
  if (about === undefined) return undefined
  const [action, back] = [`${shown.base}/question`, shown.base]
  return { title: say`Ask a question`, label: say`Your question`, action, back, ...about }
}

type QuestionSubject = Pick<QuestionForm, 'subject' | 'quote' | 'invoice'>

async function aboutQuote(...[context, shown]: Parameters<typeof findOffer>): Promise<QuestionSubject | undefined> {
  const offered = await findOffer(context, shown)
  if (offered === undefined) return undefined
  if (offered === 'withdrawn') return { subject: say`Question about a quote` }
  const { quote } = offered
  return { subject: say`Question about quote ${quote.display_number}`, quote }
}

async function aboutInvoice(
  ...[context, shown]: Parameters<typeof findVisibleInvoice>
): Promise<QuestionSubject | undefined> {
  const invoice = await findVisibleInvoice(context, shown)
  if (invoice === undefined) return undefined
  const { display_number } = invoice
  return {
    subject: say`Question about invoice ${display_number}`,
    invoice: { id: shown.id, display_number: display_number ?? '' },
  }
}
