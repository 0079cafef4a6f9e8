import { lacksCosts, profitOf, sumsOf, type JobProfit } from '../../../mobile/profit/job_profit.ts'
import { findJobProfit } from '../../../mobile/profit/read_profit.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { table } from '../../../platform/html/parts/table.ts'
import { say } from '../../../platform/i18n/say.ts'
import { seesCost } from '../../../records/catalog_items/index.ts'
import { money } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { formatHours } from '../../time_sheets/time_fields.ts'
import { marginOf } from './profit.ts'

/** Draws a job's profit so far on its page, for owners. For others it draws and reads nothing. */
export async function jobProfitPart(context: MemberContext, job: string): Promise<Html | ''> {
  if (!seesCost(context.caller)) return ''
  const profit = await context.read((db) => findJobProfit(db, job, context.company.timezone))
  return when(hasFigures(profit) ? profit : undefined, (profit) =>
    part(
      say`Profit`,
      profitTable(context, profit),
      linkButton(say`Labor rates`, context.path('settings', 'rates'), 'quiet'),
    ),
  )
}

/** Checks whether there is anything to show: sales, parts or hours. */
const hasFigures = (profit: JobProfit | undefined): boolean => {
  if (profit === undefined) return false
  const { sales_cents, parts_cents } = sumsOf(profit)
  return sales_cents !== 0 || parts_cents !== 0 || profit.labor.length > 0
}

type Row = { name: string; detail: string; cents: number }

function profitTable({ company: { currency } }: MemberContext, profit: JobProfit): Html {
  const sums = sumsOf(profit)
  const rows: Row[] = [
    { name: say`Sales`, detail: profit.is_billed ? '' : say`Not billed yet`, cents: sums.sales_cents },
    { name: say`Parts`, detail: '', cents: -sums.parts_cents },
    ...profit.labor.map(({ name, seconds, cost_cents }) => ({
      name: say`Labor: ${name}`,
      detail: cost_cents === null ? say`${formatHours(seconds)} without a rate` : formatHours(seconds),
      cents: -(cost_cents ?? 0),
    })),
  ]
  return html`${table({
    caption: say`Profit`,
    isCaptionHidden: true,
    empty: '',
    rows,
    columns: [
      {
        label: say`What`,
        cell: ({ name, detail }) =>
          html`${name}${when(detail, (detail) => html` <span class="help">${detail}</span>`)}`,
      },
      { label: say`Amount`, cell: ({ cents }) => money(cents, currency), isNumber: true },
    ],
  })}
<p class="totals-line">${say`Profit`} <b>${money(profitOf(sums), currency)}</b> ${marginOf(sums)}</p>${when(
    lacksCosts(profit),
    () => html`
<p class="help">${say`A part without a cost or a member without a rate counts as nothing.`}</p>`,
  )}`
}
