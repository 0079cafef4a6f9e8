import { lineChart } from '../../platform/html/charts/line_chart.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { dayOfYear, money, compactMoney } from '../../records/format/formats.ts'
import { salesOf, type SalesRow } from '../../records/invoices/index.ts'
import { part } from '../../records/page/parts.ts'
import { changeText } from '../accounting/overview/figures.ts'
import { thisMonth } from '../accounting/range.ts'
import type { MemberContext } from '../member_context.ts'

/** Maximum rows of daily sales; more than any month has. */
const MAX_DAYS = 40

/** Renders this month's cumulative sales by day beside last month's; nothing if both are empty. */
export async function monthPart(context: MemberContext, today: Temporal.PlainDate): Promise<Html | ''> {
  const { currency, timezone } = context.company
  const range = thisMonth(timezone)
  const first = today.with({ day: 1 })
  const before = { from: first.subtract({ months: 1 }).toString(), to: first.subtract({ days: 1 }).toString() }
  const [now, last] = await context.read((db) =>
    Promise.all([salesOf(db, 'day', range, MAX_DAYS), salesOf(db, 'day', before, MAX_DAYS)]),
  )
  const days = daysFrom(first)
  const [sums, sumsBefore] = [sumByDay(now.rows, days), sumByDay(last.rows, daysFrom(first.subtract({ months: 1 })))]
  const sumOn = (day: number): number => sumsBefore[Math.min(day, sumsBefore.length) - 1] ?? 0
  const toDate = sums[today.day - 1] ?? 0
  return when(now.rows.length + last.rows.length > 0, () =>
    part(
      say`Sales this month`,
      html`
<p class="chart-sum"><b>${money(toDate, currency)}</b>
  <span class="help">${changeText(toDate, sumOn(today.day), '')}</span></p>
${lineChart({
  title: say`Sales this month`,
  head: say`Day`,
  series: [say`This month`, say`Last month`],
  points: sums.map((cents, i) => ({
    label: dayOfYear(days[i] ?? ''),
    short: String(i + 1),
    values: [i < today.day ? cents : null, sumOn(i + 1)],
  })),
  format: (cents) => money(cents, currency),
  formatTick: (cents) => compactMoney(cents, currency),
})}`,
      linkButton(say`Reports`, context.path('reports')),
    ),
  )
}

/** Returns the days of the month that starts on a day. */
const daysFrom = (first: Temporal.PlainDate): string[] => {
  const month = first.toString().slice(0, -2)
  return Array.from({ length: first.daysInMonth }, (_, i) => month + String(i + 1).padStart(2, '0'))
}

/** Returns the cumulative sales of a month, one value per day. */
function sumByDay(rows: readonly SalesRow[], days: readonly string[]): number[] {
  const sales = new Map(rows.map(({ key, sales_cents }) => [key, sales_cents]))
  let sum = 0
  return days.map((day) => (sum += sales.get(day) ?? 0))
}
