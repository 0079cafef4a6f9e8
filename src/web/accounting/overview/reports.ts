import { setImmediate } from 'node:timers/promises'
import {
  agingOf,
  sumReceived,
  largestCustomers,
  salesOf,
  type Aging,
  type DayRange,
  type SalesBy,
  type SalesReport,
  type SalesRow,
} from '../../../records/invoices/index.ts'
import { profitOf } from '../../../mobile/profit/job_profit.ts'
import { readProfit } from '../../../mobile/profit/profit_report.ts'
import { seesCost } from '../../../records/catalog_items/index.ts'
import { marginOf, profitChart } from '../profit/profit.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { pageResponse } from '../../../platform/http/answer.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say, sayFor } from '../../../platform/i18n/say.ts'
import { lowerBound, todayIn, upperBound } from '../../../platform/validation/formats/instants.ts'
import { money } from '../../../records/format/formats.ts'
import { countJobsBySource } from '../../../records/jobs/index.ts'
import { part } from '../../../records/page/parts.ts'
import { quoteOutcomes } from '../../../records/quotes/index.ts'
import { frame } from '../../frame.ts'
import type { MemberContext } from '../../member_context.ts'
import type { Site } from '../../site.ts'
import { rangeHtml, readRange } from '../range.ts'
import { ALL_ROWS, requireInvoiceReader } from '../report_page.ts'
import { maySendStatements } from '../statements/rights.ts'
import { nameOf } from '../sales.ts'
import { agingChart, largestChart, paymentsChart, salesChart } from './money_charts.ts'
import { figuresPart } from './figures.ts'
import { percentChange, periodBefore, periodOf, periodToDate } from './period.ts'
import { workloadChart, workloadDays, quotesChart, sourcesChart } from './work_charts.ts'

/** Number of rows in a chart of names. */
const MAX_BARS = 5

/** Shows charts of the company's money, each with its file, and links to every other report. */
export async function showReports(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireInvoiceReader(site, request)
  const { timezone } = context.company
  const { problem, ...range } = readRange(new URL(request.req.url).searchParams, timezone, 'this_month')
  const today = todayIn(timezone)
  const owed = context.read((db) => agingOf(db, today.toString(), 1))
  const [figures, charts] = await Promise.all([
    context.read((db) => figuresPart(context, db, today, owed)),
    chartParts(context, { range, today, owed }),
  ])
  return pageResponse(
    frame(context, {
      title: say`Reports`,
      here: context.path('reports'),
      styles: ['charts.css', 'money.css'],
      body: html`
<header class="page-head">
  <h1>${say`Reports`}</h1>
  <p class="actions">${when(maySendStatements(context), () =>
    linkButton(say`Send statements`, context.path('reports', 'statements')),
  )}${linkButton(say`All payments`, context.path('payments'))}${linkButton(
    say`Accounting exports`,
    context.path('reports', 'exports'),
  )}</p>
</header>${figures}
${rangeHtml(context.path('reports'), range, timezone, { problem })}
<div class="parts">${charts}
</div>
<p><a href="${context.path('reports', 'ledger')}">${say`Journal entries`}</a>
  <a href="${context.path('reports', 'tips')}">${say`Tips`}</a></p>`,
    }),
    { status: problem === undefined ? 200 : 422 },
  )
}

type ChartDays = { range: DayRange; today: Temporal.PlainDate; owed: Promise<Aging> }

/** Draws the charts for a date range: sales and payments, work, then the breakdown of sales. */
async function chartParts(context: MemberContext, { range, today, owed }: ChartDays): Promise<Html> {
  const { currency } = context.company
  const daysBefore = periodBefore(range)
  const { grain } = periodOf(range)
  const toDate = periodToDate(range, today)
  // A turn later, so that sales are read in parallel: a large company's year holds two connections half as long.
  const sales = setImmediate().then(() =>
    context.read((db) =>
      Promise.all([
        salesOf(db, grain, range, ALL_ROWS),
        salesOf(db, grain, daysBefore, ALL_ROWS),
        toDate && Promise.all([salesOf(db, 'month', toDate.now, 1), salesOf(db, 'month', toDate.before, 1)]),
        largestCustomers(db, range, MAX_BARS),
        salesOf(db, 'technician', range, MAX_BARS),
        salesOf(db, 'service', range, MAX_BARS),
        sumReceived(db, range),
      ]),
    ),
  )
  const [work, profit, aging, [now, before, compared, customers, technicians, services, received]] = await Promise.all([
    context.read((db) => workParts(context, db, range, today)),
    seesCost(context.caller) ? context.read((db) => profitPart(context, db, range)) : '',
    owed,
    sales,
  ])
  const largest = (by: SalesBy, title: string, rows: readonly SalesRow[]): Html => {
    const sums = { nameOf: (row: SalesRow) => nameOf(by, row), total: now.sums.sales_cents, currency }
    return chartPart(context, title, largestChart(title, rows, sums), { report: 'sales', query: { ...range, by } })
  }
  return html`
${chartPart(
  context,
  say`Sales`,
  html`${salesSum(now, compared, before, currency)}${salesChart(context, range, {
    now: now.rows,
    before: before.rows,
    daysBefore,
  })}`,
  { report: 'sales', query: { ...range, by: grain } },
)}
${chartPart(context, say`Payments received`, paymentsChart(context, range, received), {
  report: 'received',
  query: range,
})}
${work}${profit}
${chartPart(context, say`Unpaid invoices by age`, agingChart(context, today, aging.sums), { report: 'aging' })}
${largest('customer', say`Sales by customer`, customers)}
${largest('technician', say`Sales by technician`, technicians.rows)}
${largest('service', say`Sales by service`, services.rows)}`
}

/**
 * Draws total sales and the change from the preceding period. A period in progress is compared with the same part of
 * the preceding one.
 */
function salesSum(all: SalesReport, toDate: SalesToDate | undefined, before: SalesReport, currency: string): Html {
  const [now, earlier] = toDate ?? [all, before]
  const text = comparison(now.sums.sales_cents, earlier.sums.sales_cents, {
    isInProgress: toDate !== undefined,
    currency,
  })
  return html`
<p class="chart-sum"><b>${money(all.sums.sales_cents, currency)}</b> <span class="help">${text}</span></p>`
}

type SalesToDate = readonly [now: SalesReport, before: SalesReport]

function comparison(
  now: number,
  before: number,
  { isInProgress, currency }: { isInProgress: boolean; currency: string },
): string {
  const [percent, earlier] = [percentChange(now, before), money(before, currency)]
  if (percent === undefined) return ''
  if (percent < 0)
    return isInProgress
      ? say`${-percent}% less than ${earlier} by this day of the previous period`
      : say`${-percent}% less than ${earlier} in the previous period`
  return isInProgress
    ? say`${percent}% more than ${earlier} by this day of the previous period`
    : say`${percent}% more than ${earlier} in the previous period`
}

/** Draws the charts of work for a date range, each only for members who can see its records. */
async function workParts(context: MemberContext, db: Db, range: DayRange, today: Temporal.PlainDate): Promise<Html> {
  const { timezone, currency } = context.company
  const [quotes, sources, days] = await Promise.all([
    context.may('read:quotes') ? quoteOutcomes(db, range) : null,
    context.may('read:jobs') && context.may('read:customers')
      ? countJobsBySource(db, lowerBound(timezone, range.from), upperBound(timezone, range.to))
      : null,
    context.may('read:jobs') ? workloadDays(db, timezone, today) : null,
  ])
  return html`${when(quotes, (rows) =>
    chartPart(context, say`Quotes won and lost`, quotesChart(currency, rows), { report: 'quotes', query: range }),
  )}${when(days, (days) =>
    chartPart(context, say`Booked hours`, workloadChart(context, days), { report: 'booked' }),
  )}${when(sources, (rows) =>
    chartPart(context, say`Jobs by source`, sourcesChart(rows), { report: 'sources', query: range }),
  )}`
}

/** Draws the profit of finished jobs by month, for owners. */
async function profitPart(context: MemberContext, db: Db, range: DayRange): Promise<Html> {
  const { timezone } = context.company
  const { rows, sums } = await readProfit(db, { range, timezone, by: 'month', maxRows: ALL_ROWS })
  const amount = money(profitOf(sums), context.company.currency)
  const sum = html`
<p class="chart-sum"><b>${amount}</b> <span class="help">${marginOf(sums)}</span></p>`
  return chartPart(context, say`Profit`, html`${sum}${profitChart(context, 'month', rows, sums)}`, {
    report: 'profit',
    query: range,
  })
}

/** Reports that have their own page as well as a file. */
const REPORTS_WITH_PAGE: readonly string[] = ['profit', 'sales', 'received', 'aging']

type ChartLinks = { report: string; query?: Record<string, string> }

/** Draws a titled chart with links to its page and file. */
function chartPart(context: MemberContext, title: string, chart: Html, { report, query = {} }: ChartLinks): Html {
  const search = new URLSearchParams(query).toString()
  const reportUrl = (name: string): string => `${context.path('reports', name)}${search === '' ? '' : `?${search}`}`
  return part(
    title,
    chart,
    html`${when(REPORTS_WITH_PAGE.includes(report), () =>
      linkButtonFor(sayFor('action')`Open`, title, reportUrl(report)),
    )}${linkButtonFor(say`CSV`, title, reportUrl(`${report}.csv`))}`,
  )
}

/** Draws a link whose text names its chart for screen readers. */
const linkButtonFor = (label: string, title: string, href: string): Html =>
  html`<a class="button" href="${href}">${label}<span class="unseen">: ${title}</span></a>`
