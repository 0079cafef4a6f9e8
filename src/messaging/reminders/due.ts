import { raw } from '../../platform/db/database.ts'
import { ENTERED_TENANT, sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { hasPendingPayment } from '../../records/invoices/index.ts'
import { instantAt, utc } from '../../platform/validation/formats/instants.ts'
import type { ReminderKind, ReminderSetting } from './settings.ts'

/** Due reminder: a record, the day its steps count from, and the step. */
export type DueReminder = { id: string; occasion: string; step: number }

/** The current time and the company's time zone. */
export type ReminderClock = { now: Temporal.Instant; zone: string }

const BATCH_SIZE = 100

/** Days a worker may be down without losing a reminder; visit reminders catch up only one day. */
const CATCH_UP_DAYS: Readonly<Record<ReminderKind, number>> = { visit: 1, quote: 2, invoice: 2, plan: 2 }

/**
 * Returns the next due reminders, by record, that were neither sent nor skipped. If several steps of a record are due,
 * returns only the latest (docs/spec/sending.md#when-a-reminder-is-due).
 */
export function listDueReminders(
  db: Db,
  setting: ReminderSetting,
  clock: ReminderClock,
  after: string,
): Promise<DueReminder[]> {
  const pairs = pairsAt(setting, clock)
  if (pairs.length === 0) return Promise.resolve([])
  return db.all<DueReminder>(sql`select distinct on (r.id) r.id, w.occasion,
      w.step ${whereDue(db, setting.kind, pairs, clock)}
    and r.id > ${after} order by r.id, w.step desc limit ${BATCH_SIZE}`)
}

/** Checks whether a reminder is still due; the record must be locked. */
export async function isStillDue(
  db: Db,
  { kind }: ReminderSetting,
  { id, ...pair }: DueReminder,
  clock: ReminderClock,
): Promise<boolean> {
  const row = await db.maybe(sql`select r.id ${whereDue(db, kind, [pair], clock)} and r.id = ${id}`)
  return row !== undefined
}

type Pair = Omit<DueReminder, 'id'>

/** Returns the days and steps whose hour has come: within the catch-up days, and none from before it was turned on. */
function pairsAt({ kind, steps, hour, since }: ReminderSetting, { now, zone }: ReminderClock): Pair[] {
  const today = now.toZonedDateTimeISO(zone).toPlainDate()
  const turnedOnAt = Temporal.Instant.from(since)
  return [0, 1, 2]
    .map((back) => today.subtract({ days: back }))
    .filter((day) => {
      const moment = instantAt(day.toPlainDateTime({ hour }), zone)
      return Temporal.Instant.compare(moment, now) <= 0 && Temporal.Instant.compare(moment, turnedOnAt) >= 0
    })
    .slice(0, CATCH_UP_DAYS[kind])
    .flatMap((day) => steps.map((step) => ({ occasion: day.subtract({ days: step }).toString(), step })))
}

/** Records of each kind, and the day their steps count from; `r` is the record. */
const REMINDED_RECORDS: Readonly<
  Record<ReminderKind, (zone: string) => { from: Sql; day: Sql; isOpen: (now: string) => Sql }>
> = {
  visit: (zone) => ({
    from: raw('jobs'),
    day: sql`(r.scheduled_start at time zone ${zone})::date`,
    isOpen: (now) => sql`r.status = 'scheduled' and r.scheduled_start > ${now}::timestamptz
      and r.scheduled_start < ${now}::timestamptz + interval '9 days'`,
  }),
  quote: (zone) => ({
    from: raw('quotes'),
    day: sql`(r.sent_at at time zone ${zone})::date`,
    isOpen: (now) => sql`r.status = 'sent' and r.valid_until >= (${now}::timestamptz at time zone ${zone})::date
      and not exists (select 1 from quotes o where o.tenant_id = ${ENTERED_TENANT} and o.option_set = r.option_set
        and o.status = 'sent' and o.number < r.number)`,
  }),
  invoice: (zone) => ({
    from: raw('invoices'),
    day: sql`r.due_date`,
    // Skip steps from before the invoice was sent: for an imported invoice, the previous product sent those reminders.
    isOpen: () => sql`r.status in ('sent', 'partially_paid') and r.balance_due_cents > 0 and not r.disputed
      and not ${hasPendingPayment(sql`r.id`)}
      and w.occasion + w.step >= coalesce((r.sent_at at time zone ${zone})::date, '-infinity'::date)`,
  }),
  plan: () => ({ from: raw('plans'), day: sql`r.end_date`, isOpen: () => sql`r.status = 'active'` }),
}

function whereDue(db: Db, kind: ReminderKind, pairs: readonly Pair[], { now, zone }: ReminderClock): Sql {
  const { from, day, isOpen } = REMINDED_RECORDS[kind](zone)
  return sql`from ${from} r
    join customers c on c.tenant_id = r.tenant_id and c.id = r.customer_id and c.archived_at is null
    join unnest(${pairs.map(({ occasion }) => occasion)}::date[],
      ${pairs.map(({ step }) => step)}::integer[]) w (occasion, step)
      on w.occasion = ${day}
    where r.tenant_id = ${db.tenant} and ${isOpen(utc(now))}
      and not exists (select 1 from reminders m
        where m.tenant_id = ${db.tenant} and m.kind = ${kind} and m.record_id = r.id
        and m.occasion = w.occasion and m.step >= w.step)`
}
