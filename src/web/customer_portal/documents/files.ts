import { readPdfDocument, type PdfSource } from '../../../pdf/read_document.ts'
import { readReceiptDocument } from '../../../pdf/receipt.ts'
import { isId } from '../../../platform/validation/id.ts'
import { findReceipt } from '../../../records/invoices/index.ts'
import { sendPdf } from '../../print/pdf_response.ts'
import { openPicture } from '../../../files/catalog_pictures.ts'
import { downloadHeaders } from '../../../files/download.ts'
import { findLogo } from '../../../files/logo.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { currentReader } from '../../../platform/i18n/reader.ts'
import type { Site } from '../../site.ts'
import { unknownLinkPage } from '../link_errors.ts'
import type { PortalDocument } from '../document.ts'
import { findVisibleInvoice } from './invoice.ts'
import { findOffer } from '../quote/offer.ts'
import { openLinkContext, type LinkContext } from '../link_context.ts'
import { pdfDocumentOf } from '../quote/quote.ts'
import { LINK_HEADERS } from '../customer_page.ts'

/** Sends the document as a PDF with the same text and amounts as its page. */
export async function downloadPdf(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
): Promise<Response> {
  const source = await findPdfDocument(context, document)
  if (source === undefined) return unknownLinkPage()
  const pdfDocument = await context.read((db) => readPdfDocument(db, source))
  return sendPdf(request, pdfDocument, { company: context.link.tenant, headers: LINK_HEADERS })
}

/** Sends the receipt of a payment on the link's invoice. */
export async function downloadReceipt(
  context: LinkContext,
  document: PortalDocument,
  request: PageRequest,
): Promise<Response> {
  const payment = request.req.param('payment') ?? ''
  const invoice = await findVisibleInvoice(context, document)
  if (invoice === undefined || invoice.status === 'draft' || !isId(payment)) return unknownLinkPage()
  const pdfDocument = await context.read(async (db) =>
    (await findReceipt(db, payment, invoice.id)) === undefined
      ? undefined
      : readReceiptDocument(db, { payment, invoice: invoice.id, language: currentReader().language }),
  )
  if (pdfDocument === undefined) return unknownLinkPage()
  return sendPdf(request, pdfDocument, { company: context.link.tenant, headers: LINK_HEADERS })
}

/** Returns the PDF source that a link shows; undefined for a draft invoice or a withdrawn quote. */
async function findPdfDocument(context: LinkContext, document: PortalDocument): Promise<PdfSource | undefined> {
  if (document.kind === 'quotes') {
    const offer = await findOffer(context, document)
    return typeof offer === 'object' ? pdfDocumentOf(document, offer) : undefined
  }
  const invoice = await findVisibleInvoice(context, document)
  return invoice === undefined || invoice.status === 'draft'
    ? undefined
    : { kind: 'invoices', id: invoice.id, language: currentReader().language }
}

/** Sends the company's copy of a picture, by the id on its pages. */
export async function showPicture(site: Site, request: PageRequest): Promise<Response> {
  const context = await openLinkContext(site, request)
  if (context instanceof Response) return context
  const picture = await openPicture(context.read, site.storage, request.req.param('id') ?? '')
  if (picture === undefined) return unknownLinkPage()
  return new Response(picture.body, { headers: { ...picture.headers, ...LINK_HEADERS } })
}

/** Sends the company's logo, which its documents show. */
export async function showLogo(site: Site, request: PageRequest): Promise<Response> {
  const context = await openLinkContext(site, request)
  if (context instanceof Response) return context
  const logo = await context.read(findLogo)
  if (logo === undefined) return unknownLinkPage()
  const { content_type, bytes } = logo
  return new Response(new Uint8Array(bytes), {
    headers: {
      ...downloadHeaders({ file_name: 'logo', content_type, size_bytes: bytes.length }, 'inline'),
      ...LINK_HEADERS,
    },
  })
}
