import { pageResponse } from '../../platform/http/answer.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { frame } from '../frame.ts'
import { requireMemberContext, type MemberContext } from '../member_context.ts'
import { notFoundRefusal } from '../not_found.ts'
import type { Site } from '../site.ts'

/** Maximum rows a report shows. Its file has all of them. */
export const MAX_SHOWN = 200

/** Row limit higher than any report needs. */
export const ALL_ROWS = 1_000_000

/** Answers 404 to members who can't see invoices. */
export async function requireInvoiceReader(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  if (!context.may('read:invoices')) throw notFoundRefusal()
  return context
}

type Report = {
  title: string
  /** URL of the file with all rows. */
  file: string
  lead?: string
  problem?: string | undefined
  filters?: Html | ''
  /** True if the table is a list with one line per row. */
  isList?: boolean
  body: Html
  /** Number of rows. */
  rowCount?: number
}

/** Draws a report between its date picker and the note on rows left out. */
export const reportPage = (context: MemberContext, report: Report): Response =>
  pageResponse(
    frame(context, {
      title: report.title,
      here: context.path('reports'),
      styles: report.isList === true ? ['lists.css', 'money.css'] : ['money.css'],
      body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path('reports')}">${say`Reports`}</a></p>
  <h1>${report.title}</h1></div>
  <p class="actions">${linkButton(say`Download CSV`, report.file)}</p>
</header>${when(
        report.lead,
        (lead) => html`
<p class="lead">${lead}</p>`,
      )}
${report.filters ?? ''}${when(report.problem, (problem) =>
        notice({ kind: 'error', title: say`These dates can't be shown`, body: problem }),
      )}
${report.body}${when(
        (report.rowCount ?? 0) > MAX_SHOWN,
        () => html`
<p class="help">${say`Showing the first ${MAX_SHOWN} of ${report.rowCount!}. The totals and the file include all of them.`}</p>`,
      )}`,
    }),
    { status: report.problem === undefined ? 200 : 422 },
  )
