import type { PdfDocumentKind } from '../../pdf/document.ts'
import { readPdfDocument } from '../../pdf/read_document.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest, PageRouter } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import { printDocuments } from './many.ts'
import { pageRoutes } from '../page_routes.ts'
import type { Site } from '../site.ts'
import { documentHtml } from './document.ts'
import { sendPdf } from './pdf_response.ts'

const LIST_PATH = '/:tenant{[0-9a-f-]{36}}/:kind{invoices|quotes|jobs}'
const RECORD_PATH = `${LIST_PATH}/:id{[0-9a-f-]{36}}`

/** Returns invoices, quotes and work orders as customers get them: as a page to print, and as a PDF. */
export const printingRoutes = (site: Site): PageRouter =>
  pageRoutes(site, {
    [`${LIST_PATH}/print`]: { get: printDocuments },
    [`${RECORD_PATH}/print`]: { get: printDocument },
    [`${RECORD_PATH}/pdf`]: { get: downloadPdf },
  })

async function printDocument(site: Site, request: PageRequest): Promise<Response> {
  const { context, kind, id } = await requireDocument(site, request)
  const document = await context.read((db) =>
    readPdfDocument(db, { kind, id, namesContact: context.may('read:customers') }),
  )
  return pageResponse(
    layout({
      title: `${document.name} ${document.number}`,
      person: context.user,
      company: context.company,
      styles: ['paper.css'],
      scripts: ['print.js'],
      body: html`
<div class="paper-tools">${linkButton(say`Back`, context.path(kind, id))}
  <div class="actions">${linkButton(
    say`Download PDF`,
    context.path(kind, id, 'pdf'),
  )}<print-button label="${say`Print`}"></print-button></div>
  </div>
${documentHtml(document, context.path('logo', document.from.logo?.id ?? ''))}`,
    }),
  )
}

async function downloadPdf(site: Site, request: PageRequest): Promise<Response> {
  const { context, kind, id } = await requireDocument(site, request)
  const document = await context.read((db) =>
    readPdfDocument(db, { kind, id, namesContact: context.may('read:customers') }),
  )
  return sendPdf(request, document, { company: context.company.id })
}

async function requireDocument(
  site: Site,
  request: PageRequest,
): Promise<{ context: MemberContext; kind: PdfDocumentKind; id: string }> {
  const context = await requireMemberContext(site, request)
  // The route allows only these kinds.
  const kind = request.req.param('kind') as PdfDocumentKind
  if (!context.may(`read:${kind}`)) throw notFoundRefusal()
  return { context, kind, id: request.req.param('id')! }
}
