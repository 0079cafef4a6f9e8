import {
  PAYMENT_CHANNELS,
  methodLabel,
  sumReceived,
  type ReceivedRow,
  type PaymentChannel,
} from '../../../records/invoices/index.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money, formatMonth } from '../../../records/format/formats.ts'
import type { Site } from '../../site.ts'
import { addressOf, rangeHtml, readRange } from '../range.ts'
import { clipSpan } from '../sales.ts'
import { reportPage, requireInvoiceReader } from '../report_page.ts'
import { reportTable, type ReportColumn } from '../report_table.ts'
import { amountOf, sendSheet } from '../../sheet.ts'

export const channelLabel = (channel: PaymentChannel): string =>
  channel === 'online' ? say`Online` : channel === 'marked' ? say`Marked as paid` : methodLabel(channel)

type Month = { month: string; byChannel: ReadonlyMap<PaymentChannel, number>; cents: number }

/** Shows payments received by month, one column per payment method. */
export async function showReceived(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const { currency, timezone } = context.company
  const { problem, ...range } = readRange(new URL(request.req.url).searchParams, timezone)
  const received = await context.read((db) => sumReceived(db, range))
  const path = context.path('reports', 'received')
  function link(month: string, cents: number, channel?: PaymentChannel): Html {
    if (cents === 0) return html`<span class="nothing">–</span>`
    const href = addressOf(
      context.path('payments'),
      clipSpan('month', month, range),
      channel === undefined ? {} : { way: channel },
    )
    return html`<a href="${href}">${money(cents, currency)}</a>`
  }
  const sum = (rows: readonly ReceivedRow[]): string =>
    money(
      rows.reduce((sum, { cents }) => sum + cents, 0),
      currency,
    )
  return reportPage(context, {
    title: say`Payments received`,
    lead: say`By payment date, less refunds.`,
    file: addressOf(`${path}.csv`, range),
    problem,
    filters: rangeHtml(path, range, timezone),
    body: reportTable<Month>({
      caption: say`Payments received`,
      empty: say`No payments in this period`,
      rows: monthsOf(received),
      columns: [
        { label: say`Month`, cell: ({ month }) => formatMonth(month), foot: say`Total` },
        ...listChannels(received).map((channel): ReportColumn<Month> => ({
          label: channelLabel(channel),
          isNumber: true,
          cell: ({ month, byChannel }) => link(month, byChannel.get(channel) ?? 0, channel),
          foot: sum(received.filter((row) => row.channel === channel)),
        })),
        { label: say`Total`, isNumber: true, cell: ({ month, cents }) => link(month, cents), foot: sum(received) },
      ],
    }),
  })
}

const listChannels = (received: readonly ReceivedRow[]): PaymentChannel[] =>
  PAYMENT_CHANNELS.filter((channel) => received.some((row) => row.channel === channel))

const monthsOf = (received: readonly ReceivedRow[]): Month[] =>
  [...Map.groupBy(received, ({ month }) => month)].map(([month, rows]) => ({
    month,
    byChannel: new Map(rows.map(({ channel, cents }) => [channel, cents])),
    cents: rows.reduce((sum, { cents }) => sum + cents, 0),
  }))

/** Sends the same report as a file, one line per month and method. */
export async function sendReceived(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const range = readRange(new URL(request.req.url).searchParams, context.company.timezone)
  const received = await context.read((db) => sumReceived(db, range))
  return sendSheet(site, request, {
    name: `received-${range.from}-${range.to}.csv`,
    columns: [say`Month`, say`Method`, say`Payments`, say`Amount`],
    rows: received.map(({ month, channel, payments, cents }) => [
      month,
      channelLabel(channel),
      payments,
      amountOf(cents, context.company.currency),
    ]),
  })
}
