import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import { lowerBound, todayIn, upperBound } from '../../../platform/validation/formats/instants.ts'
import { countJobsBySource } from '../../../records/jobs/index.ts'
import { quoteOutcomes } from '../../../records/quotes/index.ts'
import type { MemberContext } from '../../member_context.ts'
import { notFoundRefusal } from '../../not_found.ts'
import { amountOf, sendSheet } from '../../sheet.ts'
import type { Site } from '../../site.ts'
import { readRange } from '../range.ts'
import { requireInvoiceReader } from '../report_page.ts'
import { workloadDays } from './work_charts.ts'

type Scope = Parameters<MemberContext['may']>[0]

/** Answers 404 without all of the scopes that the chart needs. */
async function requireScopes(site: Site, request: PageRequest, ...scopes: Scope[]): Promise<MemberContext> {
  const context = await requireInvoiceReader(site, request)
  if (!scopes.every((scope) => context.may(scope))) throw notFoundRefusal()
  return context
}

/** Sends quote outcomes by month. */
export async function sendQuotes(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireScopes(site, request, 'read:quotes')
  const range = readRange(new URL(request.req.url).searchParams, context.company.timezone)
  const rows = await context.read((db) => quoteOutcomes(db, range))
  const amount = (cents: number): string => amountOf(cents, context.company.currency)
  return sendSheet(site, request, {
    name: `quotes-${range.from}-${range.to}.csv`,
    columns: [
      say`Month`,
      say`Quotes won`,
      say`Quotes waiting`,
      say`Quotes lost`,
      say`Amount won`,
      say`Amount waiting`,
      say`Amount lost`,
    ],
    rows: rows.map(({ month, won, open, lost, won_cents, open_cents, lost_cents }) => [
      month,
      won,
      open,
      lost,
      amount(won_cents),
      amount(open_cents),
      amount(lost_cents),
    ]),
  })
}

/** Sends booked and free hours by day for the next two weeks. */
export async function sendBooked(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireScopes(site, request, 'read:jobs')
  const { timezone } = context.company
  const days = await context.read((db) => workloadDays(db, timezone, todayIn(timezone)))
  return sendSheet(site, request, {
    name: `booked-hours-${days[0]?.day ?? ''}.csv`,
    columns: [say`Day`, say`Booked hours`, say`Free hours`],
    rows: days.map(({ day, booked, free }) => [day, (booked / 60).toFixed(2), (free / 60).toFixed(2)]),
  })
}

/** Sends the number of jobs by source. */
export async function sendSources(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireScopes(site, request, 'read:jobs', 'read:customers')
  const { timezone } = context.company
  const { from, to } = readRange(new URL(request.req.url).searchParams, timezone)
  const rows = await context.read((db) => countJobsBySource(db, lowerBound(timezone, from), upperBound(timezone, to)))
  return sendSheet(site, request, {
    name: `jobs-by-source-${from}-${to}.csv`,
    columns: [say`Source`, say`Jobs`],
    rows: rows.map(({ source, jobs }) => [source ?? say`Unknown source`, jobs]),
  })
}
