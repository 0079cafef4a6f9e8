import { auditChange, type Actor } from '../../identity/audit.ts'
import { requireOwner } from '../../identity/permissions/rights.ts'
import type { Tenant } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { say, sayCount } from '../../platform/i18n/say.ts'
import { lowerBound, upperBound } from '../../platform/validation/formats/instants.ts'
import { dayOfYear, money } from '../../records/format/formats.ts'
import { agingOf, pastDueCents, sumReceived, salesOf } from '../../records/invoices/index.ts'
import { countVisits } from '../../records/jobs/index.ts'
import { quoteOutcomes } from '../../records/quotes/index.ts'
import { canSend, type Senders } from '../outbox/senders/senders.ts'
import { mailOffice } from './notices.ts'

/** Returns whether owners want last week's figures every Monday. */
export const wantsWeeklyReport = async (db: Db): Promise<boolean> =>
  (
    await db.maybe<{ weekly_report: boolean }>(
      sql`select weekly_report from notice_settings where tenant_id = ${db.tenant}`,
    )
  )?.weekly_report ?? false

/** Turns the weekly report on or off; owners only. */
export async function setWeeklyReport(db: Db, by: NonNullable<Actor>, isOn: boolean): Promise<void> {
  await requireOwner(db, by)
  const before = await wantsWeeklyReport(db)
  if (before === isOn) return
  await db.run(sql`insert into notice_settings (tenant_id, quote_answers, weekly_report)
    values (${db.tenant}, true, ${isOn})
    on conflict (tenant_id) do update set weekly_report = excluded.weekly_report,
      updated_at = later_than(notice_settings.updated_at)`)
  await db.run(auditChange(db.tenant, by, 'companies.set_notices', db.tenant, { weekly_report: [before, isOn] }))
}

type Week = { from: Temporal.PlainDate; to: Temporal.PlainDate }

/**
 * Emails owners last week's figures once a week, in the transaction that records the send. If email can't be sent,
 * nothing is recorded, and the next run retries.
 */
export async function mailWeeklyReport(
  db: Db,
  { now, tenant, senders }: { now: Temporal.Instant; tenant: Tenant; senders: Senders },
): Promise<void> {
  const today = now.toZonedDateTimeISO(tenant.timezone).toPlainDate()
  const monday = today.subtract({ days: today.dayOfWeek - 1 })
  if (!(await canSend(db, senders, 'email'))) return
  const due = await db.run(sql`update notice_settings set weekly_report_on = ${monday.toString()}
    where tenant_id = ${db.tenant} and weekly_report
      and (weekly_report_on is null or weekly_report_on < ${monday.toString()})`)
  if (due === 0) return
  const week = { from: monday.subtract({ weeks: 1 }), to: monday.subtract({ days: 1 }) }
  const figures = await figuresOf(db, tenant, week, today)
  const url = `${senders.baseUrl}/${db.tenant}/reports`
  await mailOffice(db, null, null, () => letterOf(tenant, week, figures, url))
}

type Money = { sales: number; received: number; won: number; wonCents: number; sent: number }
type Figures = Money & { before: Money; done: number; booked: number; unpaid: number; late: number }

async function figuresOf(db: Db, tenant: Tenant, week: Week, today: Temporal.PlainDate): Promise<Figures> {
  const { timezone } = tenant
  const earlier = { from: week.from.subtract({ weeks: 1 }), to: week.to.subtract({ weeks: 1 }) }
  const visitsIn = ({ from, to }: Week) =>
    countVisits(db, lowerBound(timezone, from.toString()), upperBound(timezone, to.toString()))
  const next = { from: week.from.add({ weeks: 1 }), to: week.to.add({ weeks: 1 }) }
  const [now, before, last, thisWeek, aging] = await Promise.all([
    moneyOf(db, week),
    moneyOf(db, earlier),
    visitsIn(week),
    visitsIn(next),
    agingOf(db, today.toString(), 1),
  ])
  const [done, booked] = [last.done, thisWeek.remaining + thisWeek.done]
  return { ...now, before, done, booked, unpaid: aging.sums.balance_cents, late: pastDueCents(aging.sums) }
}

async function moneyOf(db: Db, { from, to }: Week): Promise<Money> {
  const range = { from: from.toString(), to: to.toString() }
  const [{ sums }, received, quotes] = await Promise.all([
    salesOf(db, 'week', range, 1),
    sumReceived(db, range),
    quoteOutcomes(db, range),
  ])
  const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0)
  return {
    sales: sums.sales_cents,
    received: sumOf(received.map(({ cents }) => cents)),
    won: sumOf(quotes.map(({ won }) => won)),
    wonCents: sumOf(quotes.map(({ won_cents }) => won_cents)),
    sent: sumOf(quotes.map(({ won, lost, open }) => won + lost + open)),
  }
}

function letterOf({ currency }: Tenant, { from, to }: Week, figures: Figures, url: string) {
  const amount = (cents: number): string => money(cents, currency)
  const [first, last] = [dayOfYear(from.toString()), dayOfYear(to.toString())]
  return {
    subject: say`Your week, ${first} to ${last}: ${amount(figures.sales)} in sales`,
    body: [
      say`Sales: ${amount(figures.sales)} (the week before: ${amount(figures.before.sales)})`,
      say`Received: ${amount(figures.received)} (the week before: ${amount(figures.before.received)})`,
      say`Quotes: ${figures.sent} sent, ${figures.won} won, ${amount(figures.wonCents)}`,
      sayCount(figures.done, 'Visits: one done', 'Visits: {0} done'),
      sayCount(figures.booked, 'This week: one visit booked', 'This week: {0} visits booked'),
      say`Unpaid: ${amount(figures.unpaid)}, of which ${amount(figures.late)} is past due`,
      say`Open the reports: ${url}`,
      say`Turn this off under Settings, Messages.`,
    ].join('\n\n'),
  }
}
