import type { PdfDocumentData, PdfDocumentKind } from '../../pdf/document.ts'
import { readPdfDocument } from '../../pdf/read_document.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { Refusal } from '../../platform/errors/refusal.ts'
import { isId } from '../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'
import { documentHtml } from './document.ts'

/** Maximum number of documents to print at once. */
const MAX_DOCUMENTS = 100

/** Renders several documents for printing, each on its own sheet; skips those that no longer exist. */
export async function printDocuments(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  // The route allows only these kinds.
  const kind = request.req.param('kind') as PdfDocumentKind
  if (!context.may(`read:${kind}`)) throw notFoundRefusal()
  const idsText = (new URL(request.req.url).searchParams.get('ids') ?? '').slice(0, MAX_DOCUMENTS * 37)
  const ids = [...new Set(idsText.split(','))].filter(isId).slice(0, MAX_DOCUMENTS)
  const documents: PdfDocumentData[] = []
  for (const id of ids) documents.push(...(await findDocuments(context, kind, id)))
  return pageResponse(
    layout({
      title: say`Print`,
      person: context.user,
      company: context.company,
      styles: ['paper.css'],
      scripts: ['print.js'],
      body: html`
<div class="paper-tools">${linkButton(say`Back to the list`, context.path(kind))}
  <div class="actions">
    <p class="help">${sayCount(
      documents.length,
      'One sheet.',
      '{0} sheets.',
    )}</p><print-button label="${say`Print`}"></print-button></div>
  </div>
${documents.map((document) => documentHtml(document, context.path('logo', document.from.logo?.id ?? '')))}`,
    }),
  )
}

async function findDocuments(context: MemberContext, kind: PdfDocumentKind, id: string): Promise<PdfDocumentData[]> {
  try {
    return [await context.read((db) => readPdfDocument(db, { kind, id, namesContact: context.may('read:customers') }))]
  } catch (error) {
    if (error instanceof Refusal && error.code === 'not_found') return []
    throw error
  }
}
