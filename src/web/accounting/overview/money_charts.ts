import {
  PAYMENT_CHANNELS,
  type Ages,
  type DayRange,
  type ReceivedRow,
  type SalesRow,
  listAges,
} from '../../../records/invoices/index.ts'
import { barChart, stackChart } from '../../../platform/html/charts/bar_chart.ts'
import { rowChart } from '../../../platform/html/charts/row_chart.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { dayOfYear, formatMonth, money, compactMoney, shortMonth } from '../../../records/format/formats.ts'
import { ageQuery } from '../aging.ts'
import type { MemberContext } from '../../member_context.ts'
import { channelLabel } from '../payments/received.ts'
import { addressOf } from '../range.ts'
import { spanFilter, clipSpan } from '../sales.ts'
import { sumOf } from './figures.ts'
import { monthsBetween, periodOf, type Period } from './period.ts'

/** Returns the labels of a chart column. */
export const columnLabels = (grain: Period['grain'], key: string): { label: string; short: string } =>
  grain === 'month'
    ? { label: formatMonth(key), short: shortMonth(key) }
    : { label: say`Week of ${dayOfYear(key)}`, short: dayOfYear(key) }

/** Draws sales by month or week next to the previous period. Each column links to its invoices. */
export function salesChart(
  { company: { currency }, path }: MemberContext,
  range: DayRange,
  { now, before, daysBefore }: { now: readonly SalesRow[]; before: readonly SalesRow[]; daysBefore: DayRange },
): Html {
  const { grain, keys } = periodOf(range)
  const keysBefore = periodOf(daysBefore).keys
  const [sales, earlier] = [now, before].map((rows) => new Map(rows.map((row) => [row.key, row.sales_cents])))
  const hasBefore = before.length > 0
  return barChart({
    title: say`Sales`,
    head: grain === 'month' ? say`Month` : say`Week`,
    series: hasBefore ? [say`This period`, say`Previous period`] : [say`Sales`],
    points: keys.map((key, i) => ({
      ...columnLabels(grain, key),
      values: [sales?.get(key) ?? 0, ...(hasBefore ? [earlier?.get(keysBefore[i] ?? '') ?? 0] : [])],
      href: `${path('invoices')}?${new URLSearchParams(spanFilter(grain, key, range)).toString()}`,
    })),
    format: (cents) => money(cents, currency),
    formatTick: (cents) => compactMoney(cents, currency),
    hasTotal: true,
  })
}

/** Maximum payment methods with their own color. The rest share the last one. */
const MAX_CHANNELS = 4

/** Draws payments received by month, stacked by payment method. Refunds go below the axis. */
export function paymentsChart(
  { company: { currency }, path }: MemberContext,
  range: DayRange,
  rows: readonly ReceivedRow[],
): Html {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (first === undefined || last === undefined) return html`<p class="empty">${say`No payments in this period`}</p>`
  const sizeOf = (channel: ReceivedRow['channel']): number => sumOf(rows.filter((row) => row.channel === channel))
  const channels = PAYMENT_CHANNELS.filter((channel) => rows.some((row) => row.channel === channel)).sort(
    (a, b) => sizeOf(b) - sizeOf(a),
  )
  const groups =
    channels.length <= MAX_CHANNELS
      ? channels.map((channel) => [channel])
      : [...channels.slice(0, MAX_CHANNELS - 1).map((channel) => [channel]), channels.slice(MAX_CHANNELS - 1)]
  return stackChart({
    title: say`Payments received`,
    head: say`Month`,
    series: groups.map(([first, ...more]) =>
      first === undefined || more.length > 0 ? say`Other ways` : channelLabel(first),
    ),
    points: monthsBetween(first.month, last.month).map((month) => ({
      ...columnLabels('month', month),
      values: groups.map((group) => sumOf(rows.filter((row) => row.month === month && group.includes(row.channel)))),
      href: addressOf(path('payments'), clipSpan('month', month, range)),
    })),
    format: (cents) => money(cents, currency),
    formatTick: (cents) => compactMoney(cents, currency),
    hasTotal: true,
  })
}

/** Draws what customers owe by days overdue. Each bar links to its invoices. */
export function agingChart(
  { company: { currency }, path }: MemberContext,
  today: Temporal.PlainDate,
  sums: Ages,
): Html {
  return rowChart(
    say`Unpaid invoices by age`,
    listAges().map(({ age, label }) => ({
      label,
      value: sums[age],
      text: money(sums[age], currency),
      ...(sums[age] === 0 ? {} : { href: `${path('invoices')}?${ageQuery(age, today).toString()}` }),
    })),
  )
}

/** Draws the largest rows of a sales report and one bar for the rest, so that the bars add up to the total. */
export function largestChart(
  title: string,
  rows: readonly SalesRow[],
  { nameOf, total, currency }: { nameOf(row: SalesRow): string; total: number; currency: string },
): Html {
  const rest = total - rows.reduce((sum, { sales_cents }) => sum + sales_cents, 0)
  const bars = rows.map((row) => ({
    label: nameOf(row),
    value: row.sales_cents,
    text: money(row.sales_cents, currency),
  }))
  return rows.length === 0
    ? html`<p class="empty">${say`No sales in this period`}</p>`
    : rowChart(
        title,
        rest === 0
          ? bars
          : [...bars, { label: say`All others`, value: rest, text: money(rest, currency), isRest: true }],
      )
}
