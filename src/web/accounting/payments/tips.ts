import { sumTips } from '../../../records/invoices/index.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { formatMonth, money } from '../../../records/format/formats.ts'
import type { Site } from '../../site.ts'
import { addressOf, rangeHtml, readRange } from '../range.ts'
import { reportPage, requireInvoiceReader } from '../report_page.ts'
import { reportTable } from '../report_table.ts'
import { amountOf, sendSheet } from '../../sheet.ts'

/** Shows tips by month, less refunds. Tips aren't sales and carry no tax. */
export async function showTips(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const { currency, timezone } = context.company
  const { problem, ...range } = readRange(new URL(request.req.url).searchParams, timezone)
  const months = await context.read((db) => sumTips(db, range))
  const total = months.reduce((sum, { cents }) => sum + cents, 0)
  const path = context.path('reports', 'tips')
  return reportPage(context, {
    title: say`Tips`,
    lead: say`By payment date, less refunds. Tips aren’t sales, and no tax is due on them here.`,
    file: addressOf(`${path}.csv`, range),
    problem,
    filters: rangeHtml(path, range, timezone),
    body: reportTable({
      caption: say`Tips`,
      empty: say`No tips in this period`,
      rows: months,
      columns: [
        { label: say`Month`, cell: ({ month }) => formatMonth(month), foot: say`Total` },
        { label: say`Number`, isNumber: true, cell: ({ tips }) => String(tips), foot: '' },
        {
          label: say`Amount`,
          isNumber: true,
          cell: ({ cents }) => money(cents, currency),
          foot: money(total, currency),
        },
      ],
    }),
  })
}

/** Sends the same report as a file. */
export async function sendTips(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const range = readRange(new URL(request.req.url).searchParams, context.company.timezone)
  const months = await context.read((db) => sumTips(db, range))
  return sendSheet(site, request, {
    name: `tips-${range.from}-${range.to}.csv`,
    columns: [say`Month`, say`Number`, say`Amount`],
    rows: months.map(({ month, tips, cents }) => [month, tips, amountOf(cents, context.company.currency)]),
  })
}
