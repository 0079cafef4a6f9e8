import type { PaperKind } from '../../pdf/paper.ts'
import { paperOf } from '../../pdf/paper_of.ts'
import { fileName, pdfFrom } from '../../pdf/pdf.ts'
import { headersOf } from '../../files/download.ts'
import { answer } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html } from '../../platform/html/html.ts'
import { layout } from '../../platform/html/layout.ts'
import { wrongMethod } from '../../platform/html/message.ts'
import { newPages, type Pages, type Visit } from '../../platform/http/visit.ts'
import { say } from '../../platform/i18n/say.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { noPage } from '../not_here.ts'
import { printMany } from './many.ts'
import type { Site } from '../site.ts'
import { paperHtml } from './paper.ts'

const MANY = '/:tenant{[0-9a-f-]{36}}/:kind{invoices|quotes|jobs}'
const RECORD = `${MANY}/:id{[0-9a-f-]{36}}`

/** Returns invoices, quotes and work orders as their customers get them: on a page to print, and as a PDF. */
export const printingRoutes = (site: Site): Pages =>
  newPages()
    .get(`${MANY}/print`, (visit) => printMany(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${RECORD}/print`, (visit) => print(site, visit))
    .all(wrongMethod('GET, HEAD'))
    .get(`${RECORD}/pdf`, (visit) => download(site, visit))
    .all(wrongMethod('GET, HEAD'))

async function print(site: Site, visit: Visit): Promise<Response> {
  const { context, kind, id } = await opened(site, visit)
  const paper = await context.read((db) => paperOf(db, { kind, id, namesContact: context.may('read:customers') }))
  return answer(
    layout({
      title: `${paper.name} ${paper.number}`,
      person: context.user,
      company: context.company,
      styles: ['paper.css'],
      scripts: ['print.js'],
      body: html`
<div class="paper-tools">${linkButton(say`Back`, context.path(kind, id))}
  <div class="actions">${linkButton(say`Download PDF`, context.path(kind, id, 'pdf'))}<print-button label="${say`Print`}"></print-button></div></div>
${paperHtml(paper, context.path('logo', paper.from.logo?.id ?? ''))}`,
    }),
  )
}

/** Sends the PDF; asked for its headers alone, nothing is drawn. */
async function download(site: Site, visit: Visit): Promise<Response> {
  const { context, kind, id } = await opened(site, visit)
  const paper = await context.read((db) => paperOf(db, { kind, id, namesContact: context.may('read:customers') }))
  const { 'Content-Length': _, ...headers } = headersOf({
    file_name: fileName(paper),
    content_type: 'application/pdf',
    size_bytes: null,
  })
  if (visit.req.method === 'HEAD') return new Response(null, { headers })
  const { content } = await pdfFrom(context.company.id, paper)
  return new Response(new Uint8Array(content), { headers: { ...headers, 'Content-Length': String(content.length) } })
}

async function opened(site: Site, visit: Visit): Promise<{ context: MemberContext; kind: PaperKind; id: string }> {
  const context = await requireMemberContext(site, visit)
  // The address takes only these.
  const kind = visit.req.param('kind') as PaperKind
  if (!context.may(`read:${kind}`)) throw noPage()
  return { context, kind, id: visit.req.param('id')! }
}
