import {
  pastDueCents,
  sumReceived,
  salesOf,
  type Aging,
  type DayRange,
  type ReceivedRow,
} from '../../../records/invoices/index.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { html, type Html } from '../../../platform/html/html.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { money } from '../../../records/format/formats.ts'
import type { MemberContext } from '../../member_context.ts'
import { addressOf, thisMonth } from '../range.ts'
import { percentChange, periodBefore, periodToDate } from './period.ts'

/** Draws what customers owe now, and this month next to the same days of last month. */
export async function figuresPart(
  context: MemberContext,
  db: Db,
  today: Temporal.PlainDate,
  owed: Promise<Aging>,
): Promise<Html> {
  const { currency, timezone } = context.company
  const month = thisMonth(timezone)
  const { now, before } = periodToDate(month, today) ?? { now: month, before: periodBefore(month) }
  const readFigures = (range: DayRange) => Promise.all([salesOf(db, 'month', range, 1), sumReceived(db, range)])
  const [aging, [sales, all], [toDate, received], [earlier, receivedEarlier]] = await Promise.all([
    owed,
    readFigures(month),
    readFigures(now),
    readFigures(before),
  ])
  const reportPath = (step: string): string => context.path('reports', step)
  const late = pastDueCents(aging.sums)
  return html`
<div class="figures">
  ${figure(
    say`Unpaid`,
    money(aging.sums.balance_cents, currency),
    sayCount(aging.customers, 'one customer', '{0} customers'),
    reportPath('aging'),
  )}
  ${figure(
    say`Past due`,
    money(late, currency),
    late === 0 ? say`No overdue invoices` : say`By customer and age`,
    reportPath('aging'),
  )}
  ${figure(
    say`Sales this month`,
    money(sales.sums.sales_cents, currency),
    changeText(toDate.sums.sales_cents, earlier.sums.sales_cents, say`Tax ${money(sales.sums.tax_cents, currency)}`),
    addressOf(reportPath('sales'), month),
  )}
  ${figure(
    say`Received this month`,
    money(sumOf(all), currency),
    changeText(sumOf(received), sumOf(receivedEarlier), say`Less refunds`),
    addressOf(reportPath('received'), month),
  )}
</div>`
}

export const sumOf = (rows: readonly ReceivedRow[]): number => rows.reduce((sum, { cents }) => sum + cents, 0)

/** Compares this month to date with the same days of last month. Returns `otherwise` if those had nothing. */
export function changeText(now: number, before: number, otherwise: string): string {
  const percent = percentChange(now, before)
  if (percent === undefined) return otherwise
  return percent < 0
    ? say`${-percent}% less than in the same days last month`
    : say`${percent}% more than in the same days last month`
}

const figure = (label: string, value: string, text: string, href: string): Html => html`
<a class="figure" href="${href}"><span>${label}</span><b>${value}</b><small>${text}</small></a>`
