import { WAYS_PAID, methodSaid, receivedOf, type ReceivedRow, type WayPaid } from '../../../records/invoices/index.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money, formatMonth } from '../../../records/format/formats.ts'
import type { Site } from '../../site.ts'
import { addressOf, rangeHtml, readRange } from '../range.ts'
import { spanIn } from '../sales.ts'
import { reportPage, requireBooks } from '../report_page.ts'
import { reportTable, type ReportColumn } from '../report_table.ts'
import { amountOf, sendSheet } from '../../sheet.ts'

export const channelLabel = (way: WayPaid): string =>
  way === 'online' ? say`Online` : way === 'marked' ? say`Marked as paid` : methodSaid(way)

type Month = { month: string; byWay: ReadonlyMap<WayPaid, number>; cents: number }

/** Shows payments received by month, one column per payment method. */
export async function showReceived(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireBooks(site, visit)
  const { currency, timezone } = context.company
  const { problem, ...range } = readRange(new URL(visit.req.url).searchParams, timezone)
  const received = await context.read((db) => receivedOf(db, range))
  const path = context.path('reports', 'received')
  function link(month: string, cents: number, way?: WayPaid): Html {
    if (cents === 0) return html`<span class="nothing">–</span>`
    const href = addressOf(context.path('payments'), spanIn('month', month, range), way === undefined ? {} : { way })
    return html`<a href="${href}">${money(cents, currency)}</a>`
  }
  const sum = (some: readonly ReceivedRow[]): string =>
    money(
      some.reduce((sum, { cents }) => sum + cents, 0),
      currency,
    )
  return reportPage(context, {
    title: say`Payments received`,
    lead: say`By payment date, less refunds.`,
    file: addressOf(`${path}.csv`, range),
    problem,
    choice: rangeHtml(path, range, timezone),
    body: reportTable<Month>({
      caption: say`Payments received`,
      empty: say`No payments in this period`,
      rows: monthsOf(received),
      columns: [
        { label: say`Month`, cell: ({ month }) => formatMonth(month), foot: say`Total` },
        ...listChannels(received).map((way): ReportColumn<Month> => ({
          label: channelLabel(way),
          isNumber: true,
          cell: ({ month, byWay }) => link(month, byWay.get(way) ?? 0, way),
          foot: sum(received.filter((row) => row.way === way)),
        })),
        { label: say`Total`, isNumber: true, cell: ({ month, cents }) => link(month, cents), foot: sum(received) },
      ],
    }),
  })
}

const listChannels = (received: readonly ReceivedRow[]): WayPaid[] =>
  WAYS_PAID.filter((way) => received.some((row) => row.way === way))

const monthsOf = (received: readonly ReceivedRow[]): Month[] =>
  [...Map.groupBy(received, ({ month }) => month)].map(([month, rows]) => ({
    month,
    byWay: new Map(rows.map(({ way, cents }) => [way, cents])),
    cents: rows.reduce((sum, { cents }) => sum + cents, 0),
  }))

/** Sends the same report as a file, one line per month and method. */
export async function sendReceived(site: Site, visit: PageRequest): Promise<Response> {
  const context = await requireBooks(site, visit)
  const range = readRange(new URL(visit.req.url).searchParams, context.company.timezone)
  const received = await context.read((db) => receivedOf(db, range))
  return sendSheet(site, visit, {
    name: `received-${range.from}-${range.to}.csv`,
    columns: [say`Month`, say`Method`, say`Payments`, say`Amount`],
    rows: received.map(({ month, way, payments, cents }) => [
      month,
      channelLabel(way),
      payments,
      amountOf(cents, context.company.currency),
    ]),
  })
}
