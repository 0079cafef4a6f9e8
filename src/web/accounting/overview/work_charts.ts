import { stackChart } from '../../../platform/html/charts/bar_chart.ts'
import { rowChart } from '../../../platform/html/charts/row_chart.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { day, dayOfYear, duration, money, compactMoney } from '../../../records/format/formats.ts'
import type { SourceCount } from '../../../records/jobs/index.ts'
import type { QuoteOutcomes } from '../../../records/quotes/index.ts'
import { findFreeTime, HORIZON_DAYS, type MemberTime } from '../../../scheduling/availability.ts'
import type { MemberContext } from '../../member_context.ts'
import { columnLabels } from './money_charts.ts'
import { monthsBetween } from './period.ts'

/** Draws quote outcomes by month of the quote date. */
export function quotesChart(currency: string, rows: readonly QuoteOutcomes[]): Html {
  const [first, last] = [rows.at(0), rows.at(-1)]
  if (first === undefined || last === undefined) return html`<p class="empty">${say`No quotes in this period`}</p>`
  const byMonth = new Map(rows.map((row) => [row.month, row]))
  return stackChart({
    title: say`Quotes won and lost`,
    head: say`Month`,
    series: [say`Won`, say`Waiting`, say`Lost`],
    points: monthsBetween(first.month, last.month).map((month) => {
      const { won_cents = 0, open_cents = 0, lost_cents = 0 } = byMonth.get(month) ?? {}
      return { ...columnLabels('month', month), values: [won_cents, open_cents, lost_cents] }
    }),
    format: (cents) => money(cents, currency),
    formatTick: (cents) => compactMoney(cents, currency),
    hasTotal: true,
  })
}

/** Draws the number of jobs by source. */
export const sourcesChart = (rows: readonly SourceCount[]): Html =>
  rows.length === 0
    ? html`<p class="empty">${say`No jobs in this period`}</p>`
    : rowChart(
        say`Jobs by source`,
        rows
          .slice(0, MAX_SOURCES)
          .map(({ source, jobs }) => ({ label: source ?? say`Unknown source`, value: jobs, text: String(jobs) })),
      )

/** Maximum sources drawn. The file has all of them. */
const MAX_SOURCES = 8

/** Minutes of all technicians on one day. */
type WorkloadDay = { day: string; booked: number; free: number }

/** Returns booked and free working time per day for the next two weeks, starting today. */
export async function workloadDays(db: Db, zone: string, today: Temporal.PlainDate): Promise<WorkloadDay[]> {
  const start = (days: number): Temporal.Instant => today.add({ days }).toZonedDateTime(zone).toInstant()
  const until = start(HORIZON_DAYS).subtract({ milliseconds: 1 })
  const members = await findFreeTime(db, zone, { from: start(0), until })
  return Array.from({ length: HORIZON_DAYS }, (_, i) => {
    const [from, to] = [start(i).epochMilliseconds, start(i + 1).epochMilliseconds]
    const [work, free] = (['work', 'free'] as const).map((part) => minutesWithin(members, part, from, to))
    return { day: today.add({ days: i }).toString(), booked: (work ?? 0) - (free ?? 0), free: free ?? 0 }
  })
}

const minutesWithin = (members: readonly MemberTime[], part: 'work' | 'free', from: number, to: number): number =>
  Math.round(
    members
      .flatMap((member) => member[part])
      .reduce((sum, one) => sum + Math.max(0, Math.min(one.to, to) - Math.max(one.from, from)), 0) / 60_000,
  )

/** Draws booked and free hours by day. Each day links to its schedule. */
export const workloadChart = ({ path }: MemberContext, days: readonly WorkloadDay[]): Html =>
  stackChart({
    title: say`Booked hours`,
    head: say`Day`,
    series: [say`Booked`, say`Free`],
    points: days.map(({ day: date, booked, free }) => ({
      label: day(date),
      short: dayOfYear(date),
      values: [booked / 60, free / 60],
      href: `${path('schedule')}?day=${date}`,
    })),
    format: (hours) => duration(Math.round(hours * 60)),
    formatTick: (hours) => `${hours} h`,
    hasTotal: true,
  })
