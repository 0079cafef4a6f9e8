import {
  PAYMENT_CHANNELS,
  exportTips,
  listPayments,
  paymentLabel,
  type DayRange,
  type ExportedTip,
  type PaymentCursor,
  type PaymentRow,
  type PaymentChannel,
} from '../../../records/invoices/index.ts'
import { select } from '../../../platform/html/parts/field.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { pager } from '../../../platform/html/parts/pager.ts'
import { table } from '../../../platform/html/parts/table.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money, shortDay } from '../../../records/format/formats.ts'
import { numberLink, recordLink } from '../../../records/page/links.ts'
import { isId } from '../../../platform/validation/id.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { addressOf, rangeHtml, readRange } from '../range.ts'
import { channelLabel } from './received.ts'
import { reportPage, requireInvoiceReader } from '../report_page.ts'
import { amountOf, sendSheet, type Sheet, type SheetRow } from '../../sheet.ts'

const PAGE_SIZE = 50
const BATCH_SIZE = 500

/** Shows the payments of all invoices, newest first, one page at a time. */
export async function showPayments(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const query = new URL(request.req.url).searchParams
  const { problem, ...range } = readRange(query, context.company.timezone)
  const channel = readChannel(query)
  const payments = await context.read((db) =>
    listPayments(db, range, { channel, after: readCursor(query) }, PAGE_SIZE + 1),
  )
  const rows = payments.slice(0, PAGE_SIZE)
  const last = rows.at(-1)
  const path = context.path('payments')
  const filter = channel === undefined ? {} : { way: channel }
  return reportPage(context, {
    title: say`Payments`,
    file: addressOf(`${path}.csv`, range, filter),
    problem,
    filters: rangeHtml(path, range, context.company.timezone, {
      params: filter,
      fields: channelField(channel),
      isOpen: channel !== undefined,
    }),
    isList: true,
    body: html`
${table({
  caption: say`Payments`,
  isCaptionHidden: true,
  isList: true,
  empty: say`No payments in this period`,
  rows,
  columns: [
    { label: say`Customer`, cell: (row) => customerOf(context, row) },
    { label: say`Date`, cell: ({ paid_on }) => shortDay(paid_on), isOneLine: true },
    {
      label: say`Invoice`,
      cell: ({ invoice_id, invoice_number }) => numberLink(context, 'invoices', invoice_id, invoice_number),
      isOneLine: true,
    },
    { label: say`How`, cell: ({ kind, method }) => paymentLabel(kind, method), isOneLine: true },
    { label: say`Reference`, cell: ({ reference }) => reference ?? '' },
    { label: say`Who`, cell: ({ recorded_by }) => recorded_by ?? '', isOneLine: true, onPhone: 'none' },
    {
      label: say`Amount`,
      cell: ({ amount_cents, currency }) => money(amount_cents, currency),
      isNumber: true,
      onPhone: 'side',
    },
  ],
})}
${pager({
  label: say`Pages of payments`,
  previous: undefined,
  next:
    payments.length > PAGE_SIZE && last !== undefined
      ? addressOf(path, range, { ...filter, after: `${last.paid_on}_${last.id}` })
      : undefined,
})}`,
  })
}

const customerOf = (context: MemberContext, { customer_id, customer_name }: PaymentRow): Html | string =>
  recordLink(context, 'customers', customer_id, customer_name)

const channelField = (chosen: PaymentChannel | undefined): Html =>
  select({
    name: 'way',
    label: say`Method`,
    chosen: chosen ?? '',
    options: [
      { value: '', label: say`All methods` },
      ...PAYMENT_CHANNELS.map((channel) => ({ value: channel, label: channelLabel(channel) })),
    ],
  })

const readChannel = (query: URLSearchParams): PaymentChannel | undefined =>
  PAYMENT_CHANNELS.find((channel) => channel === query.get('way'))

function readCursor(query: URLSearchParams): PaymentCursor | undefined {
  const [paid_on = '', id = ''] = (query.get('after') ?? '').slice(0, 60).split('_')
  return /^\d{4}-\d\d-\d\d$/.test(paid_on) && !Number.isNaN(Date.parse(paid_on)) && isId(id)
    ? { paid_on, id }
    : undefined
}

/** Sends the payments as a file, read in batches of `BATCH_SIZE`. */
export async function sendPayments(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const query = new URL(request.req.url).searchParams
  const range = readRange(query, context.company.timezone)
  return sendSheet(site, request, {
    name: `payments-${range.from}-${range.to}.csv`,
    ...paymentSheet(context, range, readChannel(query)),
  })
}

/** Builds the file of payments and their tips, newest first. */
export const paymentSheet = (
  context: MemberContext,
  range: DayRange,
  channel?: PaymentChannel,
): Omit<Sheet, 'name'> => ({
  columns: [
    say`Date`,
    say`Customer`,
    say`Invoice`,
    say`How`,
    say`Reference`,
    say`Note`,
    say`Who`,
    say`Amount`,
    say`Currency`,
  ],
  rows: linesOf(context, range, channel),
})

async function* linesOf(
  context: MemberContext,
  range: DayRange,
  channel: PaymentChannel | undefined,
): AsyncGenerator<SheetRow, void> {
  for await (const row of everyPayment(context, range, channel))
    yield [
      row.paid_on,
      row.customer_name,
      row.invoice_number,
      paymentLabel(row.kind, row.method),
      row.reference,
      row.note,
      row.recorded_by,
      amountOf(row.amount_cents, row.currency),
      row.currency,
    ]
  if (channel !== undefined) return
  for await (const { paid_on, customer_name, invoice_number, charge, amount_cents, currency } of everyTip(
    context,
    range,
  ))
    yield [
      paid_on,
      customer_name,
      invoice_number,
      say`Tip`,
      charge,
      null,
      null,
      amountOf(amount_cents, currency),
      currency,
    ]
}

/** Yields every payment in a date range, newest first. */
export async function* everyPayment(
  context: MemberContext,
  range: DayRange,
  channel?: PaymentChannel,
): AsyncGenerator<PaymentRow, void> {
  for (let after: PaymentCursor | undefined; ;) {
    const payments = await context.read((db) => listPayments(db, range, { channel, after }, BATCH_SIZE))
    yield* payments
    after = payments.at(-1)
    if (after === undefined || payments.length < BATCH_SIZE) return
  }
}

/** Yields every tip in a date range and every tip refund, oldest first. */
export async function* everyTip(context: MemberContext, range: DayRange): AsyncGenerator<ExportedTip, void> {
  for (let after: string | undefined; ;) {
    const tips = await context.read((db) => exportTips(db, range, after, BATCH_SIZE))
    yield* tips
    after = tips.at(-1)?.id
    if (after === undefined || tips.length < BATCH_SIZE) return
  }
}
