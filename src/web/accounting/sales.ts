import {
  SALES_BY,
  isByTime,
  salesOf,
  type DayRange,
  type SalesBy,
  type SalesRow,
} from '../../records/invoices/index.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { money, formatMonth, shortDay } from '../../records/format/formats.ts'
import { recordLink } from '../../records/page/links.ts'
import type { MemberContext } from '../member_context.ts'
import type { Site } from '../site.ts'
import { addressOf, rangeHtml, readRange } from './range.ts'
import { ALL_ROWS, MAX_SHOWN, reportPage, requireInvoiceReader } from './report_page.ts'
import { reportTable, type ReportColumn } from './report_table.ts'
import { amountOf, sendSheet } from '../sheet.ts'

/** Returns the labels of a grouping: its name, its first column, and its row without a name. */
const groupLabels = (by: SalesBy): GroupLabels => GROUP_LABELS[by]()

type GroupLabels = { choice: string; head: string; none: string }

const GROUP_LABELS: Readonly<Record<SalesBy, () => GroupLabels>> = {
  customer: () => ({ choice: say`By customer`, head: say`Customer`, none: '' }),
  technician: () => ({ choice: say`By technician`, head: say`Technician`, none: say`Unassigned` }),
  category: () => ({ choice: say`By category`, head: say`Category`, none: say`No category` }),
  service: () => ({ choice: say`By service`, head: say`Service`, none: say`Not from the catalog` }),
  source: () => ({ choice: say`By source`, head: say`Source`, none: say`Unknown source` }),
  day: () => ({ choice: say`By day`, head: say`Day`, none: '' }),
  week: () => ({ choice: say`By week`, head: say`Week`, none: '' }),
  month: () => ({ choice: say`By month`, head: say`Month`, none: '' }),
}

type Amount = 'sales_cents' | 'deposit_cents' | 'taxable_cents' | 'tax_cents' | 'total_cents'

/** Lists the amount columns. Deposits appear only if there are any. */
const amountsOf = (hasDeposits: boolean): { name: Amount; label: string }[] => [
  { name: 'sales_cents', label: say`Sales` },
  ...(hasDeposits ? [{ name: 'deposit_cents' as const, label: say`Deposits` }] : []),
  { name: 'taxable_cents', label: say`Taxable` },
  { name: 'tax_cents', label: say`Tax` },
  { name: 'total_cents', label: say`Total` },
]

/** Lists the groupings a member may use. Grouping by source requires access to customers. */
const listSplits = (context: MemberContext): readonly SalesBy[] =>
  SALES_BY.filter((by) => by !== 'source' || context.may('read:customers'))

const readSplit = (context: MemberContext, query: URLSearchParams): SalesBy =>
  listSplits(context).find((by) => by === query.get('by')) ?? 'month'

/** Shows sales and tax of issued invoices, by the requested grouping. */
export async function showSales(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const query = new URL(request.req.url).searchParams
  const [by, { problem, ...range }] = [readSplit(context, query), readRange(query, context.company.timezone)]
  const { rows, sums, groups } = await context.read((db) => salesOf(db, by, range, MAX_SHOWN))
  const { currency, timezone } = context.company
  const path = context.path('reports', 'sales')
  return reportPage(context, {
    title: say`Sales and tax`,
    lead: say`Invoices by their dates, without drafts and void ones.`,
    file: addressOf(`${path}.csv`, range, { by }),
    problem,
    filters: html`${splitsHtml(context, path, by, range)}${rangeHtml(path, range, timezone, { params: { by } })}`,
    rowCount: groups,
    body: reportTable<SalesRow>({
      caption: say`Sales and tax`,
      empty: say`No sales in this period`,
      rows,
      columns: [
        { label: groupLabels(by).head, cell: (row) => nameLink(context, by, range, row), foot: say`Total` },
        { label: say`Invoices`, isNumber: true, cell: ({ invoices }) => String(invoices) },
        ...amountsOf(rows.some(({ deposit_cents }) => deposit_cents !== 0)).map(
          ({ name, label }): ReportColumn<SalesRow> => ({
            label,
            isNumber: true,
            cell: (row) => money(row[name], currency),
            foot: money(sums[name], currency),
          }),
        ),
      ],
    }),
  })
}

const splitsHtml = (context: MemberContext, path: string, by: SalesBy, range: DayRange): Html => html`
<nav class="views" aria-label="${say`Totals`}">${listSplits(context).map(
  (one) => html`
  <a class="button quiet"
    href="${addressOf(path, range, { by: one })}"${when(
      one === by,
      () => html` aria-current="true"`,
    )}>${groupLabels(one).choice}</a>`,
)}
</nav>`

export function nameOf(by: SalesBy, { key, name }: SalesRow): string {
  if (key === null) return groupLabels(by).none
  if (by === 'month') return formatMonth(key)
  if (by === 'day') return shortDay(key)
  return by === 'week' ? say`Week of ${shortDay(key)}` : (name ?? '')
}

/** Links a row to the invoices, jobs or items behind it. */
function nameLink(context: MemberContext, by: SalesBy, range: DayRange, row: SalesRow): Html | string {
  const name = nameOf(by, row)
  const linkTo = (room: string, query: Record<string, string>): Html =>
    html`<a href="${context.path(room)}?${new URLSearchParams(query).toString()}">${name}</a>`
  if (row.key === null) return name
  switch (by) {
    case 'month':
    case 'week':
    case 'day':
      return linkTo('invoices', spanFilter(by, row.key, range))
    case 'customer':
      return linkTo('invoices', { customer_id: row.key, issued_from: range.from, issued_to: range.to })
    case 'technician':
      return context.may('read:jobs') ? linkTo('jobs', { assignee: row.key }) : name
    case 'service':
      return context.may('read:catalog_items') ? recordLink(context, 'catalog_items', row.key, name) : name
    case 'category':
      return context.may('read:catalog_items') ? linkTo('catalog_items', { category_id: row.key }) : name
    case 'source':
      return name
  }
}

/** Groupings by time. */
type Span = 'month' | 'week' | 'day'

/** Returns the list filter for invoices of a month, week or day. */
export function spanFilter(by: Span, key: string, range: DayRange): Record<string, string> {
  const { from, to } = clipSpan(by, key, range)
  return { issued_from: from, issued_to: to }
}

/** Returns the days of a month, a day, or a week given by its Monday, clipped to the range. */
export function clipSpan(by: Span, key: string, { from, to }: DayRange): DayRange {
  const first =
    by === 'month' ? Temporal.PlainYearMonth.from(key).toPlainDate({ day: 1 }) : Temporal.PlainDate.from(key)
  const last = first.add({ [`${by}s`]: 1 }).subtract({ days: 1 })
  const [begin, end] = [first.toString(), last.toString()]
  return { from: begin < from ? from : begin, to: end > to ? to : end }
}

/** Sends every row of the same report as a file. */
export async function sendSales(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const query = new URL(request.req.url).searchParams
  const [by, range] = [readSplit(context, query), readRange(query, context.company.timezone)]
  const { rows } = await context.read((db) => salesOf(db, by, range, ALL_ROWS))
  const amounts = amountsOf(true)
  return sendSheet(site, request, {
    name: `sales-by-${by}-${range.from}-${range.to}.csv`,
    columns: [groupLabels(by).head, say`Invoices`, ...amounts.map(({ label }) => label)],
    rows: rows.map((row) => [
      isByTime(by) ? row.key : nameOf(by, row),
      row.invoices,
      ...amounts.map(({ name }) => amountOf(row[name], context.company.currency)),
    ]),
  })
}
