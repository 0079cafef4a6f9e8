import { paperOf, type PaperOf } from '../../../pdf/paper_of.ts'
import { fileName, pdfFrom } from '../../../pdf/pdf.ts'
import { headersOf } from '../../../files/download.ts'
import { logoOf } from '../../../files/logo.ts'
import type { Visit } from '../../../platform/http/visit.ts'
import { readerNow } from '../../../platform/i18n/reader.ts'
import type { Site } from '../../site.ts'
import { nothingPage } from '../closed.ts'
import type { DocumentShown } from '../document.ts'
import { shownInvoice } from './invoice.ts'
import { offeredBy } from '../quote/offered.ts'
import { openedBy, type LinkContext } from '../opened.ts'
import { paperAsShown } from '../quote/quote.ts'
import { LINK_HEADERS } from '../sheet.ts'

/** Sends the document as a PDF, of the same words and figures as its page; asked for its headers alone, nothing is drawn. */
export async function downloadPdf(context: LinkContext, shown: DocumentShown, visit: Visit): Promise<Response> {
  const which = await paperShown(context, shown)
  if (which === undefined) return nothingPage()
  const paper = await context.read((db) => paperOf(db, which))
  const { 'Content-Length': _, ...own } = headersOf({
    file_name: fileName(paper),
    content_type: 'application/pdf',
    size_bytes: null,
  })
  const headers = { ...own, ...LINK_HEADERS }
  if (visit.req.method === 'HEAD') return new Response(null, { headers })
  const { content } = await pdfFrom(context.link.tenant, paper)
  return new Response(new Uint8Array(content), { headers: { ...headers, 'Content-Length': String(content.length) } })
}

/** Returns the paper that a link shows; none while the company changes an invoice, and of a quote that was withdrawn. */
async function paperShown(context: LinkContext, shown: DocumentShown): Promise<PaperOf | undefined> {
  if (shown.kind === 'quotes') {
    const offered = await offeredBy(context, shown)
    return typeof offered === 'object' ? paperAsShown(shown, offered) : undefined
  }
  const invoice = await shownInvoice(context, shown)
  return invoice === undefined || invoice.status === 'draft'
    ? undefined
    : { kind: 'invoices', id: invoice.id, language: readerNow().language }
}

/** Sends the company's logo, which its documents carry. */
export async function showLogo(site: Site, visit: Visit): Promise<Response> {
  const context = await openedBy(site, visit)
  if (context instanceof Response) return context
  const logo = await context.read(logoOf)
  if (logo === undefined) return nothingPage()
  const { content_type, bytes } = logo
  return new Response(new Uint8Array(bytes), {
    headers: { ...headersOf({ file_name: 'logo', content_type, size_bytes: bytes.length }, 'inline'), ...LINK_HEADERS },
  })
}
