import {
  PROFIT_DIMENSIONS,
  profitOf,
  type ProfitDimension,
  type ProfitShare,
  type ProfitSums,
} from '../../../mobile/profit/job_profit.ts'
import { readProfit, type ProfitReport } from '../../../mobile/profit/profit_report.ts'
import { barChart } from '../../../platform/html/charts/bar_chart.ts'
import { rowChart } from '../../../platform/html/charts/row_chart.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { seesCost } from '../../../records/catalog_items/index.ts'
import type { DayRange } from '../../../records/invoices/index.ts'
import { formatMonth, money, compactMoney } from '../../../records/format/formats.ts'
import { recordLink } from '../../../records/page/links.ts'
import { part } from '../../../records/page/parts.ts'
import { frame } from '../../frame.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { amountOf, sendSheet } from '../../sheet.ts'
import type { Site } from '../../site.ts'
import { columnLabels } from '../overview/money_charts.ts'
import { monthsBetween } from '../overview/period.ts'
import { addressOf, rangeHtml, readRange } from '../range.ts'
import { ALL_ROWS, MAX_SHOWN } from '../report_page.ts'
import { reportTable, type ReportColumn } from '../report_table.ts'

/** Number of bars in a chart of names. */
const MAX_BARS = 8

/** Answers 404 to all but owners: only they may see costs. */
async function requireCostReader(site: Site, request: PageRequest): Promise<MemberContext> {
  const context = await requireMemberContext(site, request)
  if (!seesCost(context.caller)) throw notFoundRefusal()
  return context
}

type ProfitQuery = { by: ProfitDimension; range: DayRange & { problem?: string } }

const readProfitQuery = ({ company }: MemberContext, request: PageRequest): ProfitQuery => {
  const query = new URL(request.req.url).searchParams
  const by = PROFIT_DIMENSIONS.find((one) => one === query.get('by')) ?? 'month'
  return { by, range: readRange(query, company.timezone) }
}

/** Reads a report for an owner. Checks the right again in the same transaction. */
const readReport = (
  context: MemberContext,
  by: ProfitDimension,
  range: DayRange,
  limit: number,
): Promise<ProfitReport> =>
  context.read((db) => {
    if (!seesCost(context.caller)) throw notFoundRefusal()
    return readProfit(db, { range, timezone: context.company.timezone, by, maxRows: limit })
  })

/** Shows the profit of finished jobs, by the requested grouping. */
export async function showProfit(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCostReader(site, request)
  const { by, range } = readProfitQuery(context, request)
  const report = await readReport(context, by, range, MAX_SHOWN)
  const path = context.path('reports', 'profit')
  return pageResponse(
    frame(context, {
      title: say`Profit`,
      here: context.path('reports'),
      styles: ['charts.css', 'money.css'],
      body: html`
<header class="page-head">
  <div><p class="eyebrow"><a href="${context.path('reports')}">${say`Reports`}</a></p>
  <h1>${say`Profit`}</h1></div>
  <p class="actions">${linkButton(say`Labor rates`, context.path('settings', 'rates'))}${linkButton(
    say`Download CSV`,
    addressOf(`${path}.csv`, range, { by }),
  )}</p>
</header>
<p class="lead">${say`Finished jobs: invoices without tax, less parts and labor. Only owners see this.`}</p>
<nav class="views" aria-label="${say`Totals`}">${PROFIT_DIMENSIONS.map(
        (one) => html`
  <a class="button quiet" href="${addressOf(path, range, { by: one })}"${when(
    one === by,
    () => html` aria-current="true"`,
  )}>${groupLabels(one).choice}</a>`,
      )}
</nav>
${rangeHtml(path, range, context.company.timezone, { params: { by }, problem: range.problem })}${gapsNotice(report)}
${reportBody(context, by, report)}`,
    }),
    { status: range.problem === undefined ? 200 : 422 },
  )
}

/** Draws a warning about data missing from the figures. */
const gapsNotice = ({ unbilled, lacking, isTruncated }: ProfitReport): Html | '' => {
  const gaps = [
    ...(unbilled > 0 ? [sayCount(unbilled, 'One job isn’t billed yet.', '{0} jobs aren’t billed yet.')] : []),
    ...(lacking > 0
      ? [
          sayCount(
            lacking,
            'One job has a part without a cost or a member without a rate.',
            '{0} jobs have a part without a cost or a member without a rate.',
          ),
        ]
      : []),
    ...(isTruncated ? [say`There are more jobs than this report reads. Choose fewer days.`] : []),
  ]
  return when(gaps.length > 0, () =>
    notice({ kind: 'warning', title: say`The profit isn’t complete`, body: gaps.join(' ') }),
  )
}

function reportBody(context: MemberContext, by: ProfitDimension, { rows, sums, groups, jobs }: ProfitReport): Html {
  const { currency } = context.company
  return html`
${when(jobs > 0, () => part(groupLabels(by).choice, profitChart(context, by, rows, sums)))}
${reportTable<ProfitShare>({
  caption: say`Profit`,
  empty: say`No finished jobs in this period`,
  rows,
  columns: [
    { label: groupLabels(by).head, cell: (row) => nameLink(context, by, row), foot: say`Total` },
    ...amounts().map(({ label, centsOf }): ReportColumn<ProfitShare> => ({
      label,
      isNumber: true,
      cell: (row) => money(centsOf(row), currency),
      foot: money(centsOf(sums), currency),
    })),
    { label: say`Margin`, isNumber: true, cell: marginOf, foot: marginOf(sums) },
  ],
})}${when(
    groups > MAX_SHOWN,
    () => html`
<p class="help">
  ${say`Showing the first ${MAX_SHOWN} of ${groups}. The totals and the file include all of them.`}
</p>`,
  )}`
}

/** Draws months as columns, below the axis for losses, and other groupings as bars of the largest rows. */
export function profitChart(
  context: MemberContext,
  by: ProfitDimension,
  rows: readonly ProfitShare[],
  sums: ProfitSums,
): Html {
  const { currency } = context.company
  if (by !== 'month') {
    const largest = rows.slice(0, MAX_BARS)
    const rest = largest.reduce((cents, row) => cents - profitOf(row), profitOf(sums))
    const bars = largest.map((row) => ({
      label: nameOf(by, row),
      value: profitOf(row),
      text: money(profitOf(row), currency),
    }))
    return rowChart(
      say`Profit`,
      rest === 0 ? bars : [...bars, { label: say`All others`, value: rest, text: money(rest, currency), isRest: true }],
    )
  }
  const [first, last] = [rows.at(0)?.key, rows.at(-1)?.key]
  if (first == null || last == null) return html`<p class="empty">${say`No finished jobs in this period`}</p>`
  const byMonth = new Map(rows.map((row) => [row.key, profitOf(row)]))
  return barChart({
    title: say`Profit`,
    head: say`Month`,
    series: [say`Profit`],
    points: monthsBetween(first, last).map((month) => ({
      ...columnLabels('month', month),
      values: [byMonth.get(month) ?? 0],
    })),
    format: (cents) => money(cents, currency),
    formatTick: (cents) => compactMoney(cents, currency),
    hasTotal: true,
  })
}

const amounts = (): { label: string; centsOf(sums: ProfitSums): number }[] => [
  { label: say`Sales`, centsOf: ({ sales_cents }) => sales_cents },
  { label: say`Parts`, centsOf: ({ parts_cents }) => parts_cents },
  { label: say`Labor`, centsOf: ({ labor_cents }) => labor_cents },
  { label: say`Profit`, centsOf: profitOf },
]

/** Returns profit as a whole percentage of sales. */
export const marginOf = (sums: ProfitSums): string =>
  sums.sales_cents <= 0 ? '' : `${Math.round((profitOf(sums) / sums.sales_cents) * 100)}%`

const groupLabels = (by: ProfitDimension): GroupLabels => GROUP_LABELS[by]()

type GroupLabels = { choice: string; head: string; none: string }

const GROUP_LABELS: Readonly<Record<ProfitDimension, () => GroupLabels>> = {
  job: () => ({ choice: say`By job`, head: say`Job`, none: '' }),
  customer: () => ({ choice: say`By customer`, head: say`Customer`, none: '' }),
  technician: () => ({ choice: say`By technician`, head: say`Technician`, none: say`Unassigned` }),
  service: () => ({ choice: say`By service`, head: say`Service`, none: say`Not from the catalog` }),
  month: () => ({ choice: say`By month`, head: say`Month`, none: '' }),
}

function nameOf(by: ProfitDimension, { key, name }: ProfitShare): string {
  if (key === null) return groupLabels(by).none
  return by === 'month' ? formatMonth(key) : (name ?? '')
}

function nameLink(context: MemberContext, by: ProfitDimension, row: ProfitShare): Html | string {
  const name = nameOf(by, row)
  if (row.key === null) return name
  if (by === 'job') return recordLink(context, 'jobs', row.key, name)
  if (by === 'customer') return recordLink(context, 'customers', row.key, name)
  return by === 'service' ? recordLink(context, 'catalog_items', row.key, name) : name
}

/** Sends every row of the same report as a file. */
export async function sendProfit(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireCostReader(site, request)
  const { by, range } = readProfitQuery(context, request)
  const { rows } = await readReport(context, by, range, ALL_ROWS)
  const columns = amounts()
  return sendSheet(site, request, {
    name: `profit-by-${by}-${range.from}-${range.to}.csv`,
    columns: [groupLabels(by).head, ...columns.map(({ label }) => label)],
    rows: rows.map((row) => [
      by === 'month' ? row.key : nameOf(by, row),
      ...columns.map(({ centsOf }) => amountOf(centsOf(row), context.company.currency)),
    ]),
  })
}
