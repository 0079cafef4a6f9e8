import { downloadHeaders } from '../../files/download.ts'
import type { PdfDocumentData } from '../../pdf/document.ts'
import { fileName, renderPdf } from '../../pdf/pdf.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'

type PdfResponseOptions = { company: string; name?: string; headers?: Readonly<Record<string, string>> }

/** Sends a document as a PDF; for a HEAD request nothing is rendered. */
export async function sendPdf(
  request: PageRequest,
  document: PdfDocumentData,
  { company, name = fileName(document), headers: extraHeaders = {} }: PdfResponseOptions,
): Promise<Response> {
  const { 'Content-Length': _, ...baseHeaders } = downloadHeaders({
    file_name: name,
    content_type: 'application/pdf',
    size_bytes: null,
  })
  const headers = { ...baseHeaders, ...extraHeaders }
  if (request.req.method === 'HEAD') return new Response(null, { headers })
  const { content } = await renderPdf(company, document)
  return new Response(new Uint8Array(content), { headers: { ...headers, 'Content-Length': String(content.length) } })
}
