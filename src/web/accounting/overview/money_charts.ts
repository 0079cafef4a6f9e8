import {
  WAYS_PAID,
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
import { dayOfYear, formatMonth, money, roughMoney, shortMonth } from '../../../records/format/formats.ts'
import { ageQuery } from '../aging.ts'
import type { MemberContext } from '../../member_context.ts'
import { channelLabel } from '../payments/received.ts'
import { addressOf } from '../range.ts'
import { spanFilter, spanIn } from '../sales.ts'
import { sumOf } from './figures.ts'
import { monthsBetween, periodOf, type Period } from './period.ts'

/** Returns the labels of a chart column. */
export const spanName = (grain: Period['grain'], key: string): { label: string; short: string } =>
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
      ...spanName(grain, key),
      values: [sales?.get(key) ?? 0, ...(hasBefore ? [earlier?.get(keysBefore[i] ?? '') ?? 0] : [])],
      href: `${path('invoices')}?${new URLSearchParams(spanFilter(grain, key, range)).toString()}`,
    })),
    format: (cents) => money(cents, currency),
    formatTick: (cents) => roughMoney(cents, currency),
    hasTotal: true,
  })
}

/** Maximum payment methods with their own color. The rest share the last one. */
const MAX_WAYS = 4

/** Draws payments received by month, stacked by payment method. Refunds go below the axis. */
export function paymentsChart(
  { company: { currency }, path }: MemberContext,
  range: DayRange,
  rows: readonly ReceivedRow[],
): Html {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (first === undefined || last === undefined) return html`<p class="empty">${say`No payments in this period`}</p>`
  const sizeOf = (way: ReceivedRow['way']): number => sumOf(rows.filter((row) => row.way === way))
  const ways = WAYS_PAID.filter((way) => rows.some((row) => row.way === way)).sort((a, b) => sizeOf(b) - sizeOf(a))
  const groups =
    ways.length <= MAX_WAYS
      ? ways.map((way) => [way])
      : [...ways.slice(0, MAX_WAYS - 1).map((way) => [way]), ways.slice(MAX_WAYS - 1)]
  return stackChart({
    title: say`Payments received`,
    head: say`Month`,
    series: groups.map(([first, ...more]) =>
      first === undefined || more.length > 0 ? say`Other ways` : channelLabel(first),
    ),
    points: monthsBetween(first.month, last.month).map((month) => ({
      ...spanName('month', month),
      values: groups.map((group) => sumOf(rows.filter((row) => row.month === month && group.includes(row.way)))),
      href: addressOf(path('payments'), spanIn('month', month, range)),
    })),
    format: (cents) => money(cents, currency),
    formatTick: (cents) => roughMoney(cents, currency),
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
