import { downloadHeaders } from '../../files/download.ts'
import type { PdfDocumentData } from '../../pdf/document.ts'
import { fileName, renderPdf } from '../../pdf/pdf.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'

type PdfResponseOptions = { company: string; name?: string; headers?: Readonly<Record<string, string>> }

/** Sends a document as a PDF; for a HEAD request nothing is rendered. */
export async function sendPdf(
  visit: PageRequest,
  paper: PdfDocumentData,
  { company, name = fileName(paper), headers: more = {} }: PdfResponseOptions,
): Promise<Response> {
  const { 'Content-Length': _, ...own } = downloadHeaders({
    file_name: name,
    content_type: 'application/pdf',
    size_bytes: null,
  })
  const headers = { ...own, ...more }
  if (visit.req.method === 'HEAD') return new Response(null, { headers })
  const { content } = await renderPdf(company, paper)
  return new Response(new Uint8Array(content), { headers: { ...headers, 'Content-Length': String(content.length) } })
}
