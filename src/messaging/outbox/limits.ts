import { timeZonesOf } from '../../platform/validation/formats/us_time_zones.ts'
import { auditChange } from '../../identity/audit.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { instantAt, utc } from '../../platform/validation/formats/instants.ts'
import { SENDING_TASKS } from './queue.ts'

/** Daily message limits of a company, and the quiet hours of non-urgent messages (docs/spec/outbox.md#limits). */
export type OutboxLimits = {
  emails_a_day: number
  texts_a_day: number
  /** Local times such as `21:00`; equal times mean no quiet hours. */
  quiet_from: string
  quiet_until: string
}

const DEFAULTS: OutboxLimits = { emails_a_day: 500, texts_a_day: 250, quiet_from: '21:00', quiet_until: '08:00' }

export const outboxLimits = async (db: Db): Promise<OutboxLimits> =>
  (await db.maybe<OutboxLimits>(sql`select emails_a_day, texts_a_day, to_char(quiet_from, 'HH24:MI') as quiet_from,
      to_char(quiet_until, 'HH24:MI') as quiet_until
    from outbox_limits where tenant_id = ${db.tenant}`)) ?? DEFAULTS

/** Changes the limits, records it in the audit log, and rechecks all messages that wait for them. */
export async function changeLimits(db: Db, limits: OutboxLimits, by: { user: string }): Promise<void> {
  const before = await outboxLimits(db)
  await setLimits(db, limits)
  await db.run(auditChange(db.tenant, by, 'companies.set', db.tenant, { outbox: [before, limits] }))
  for (const task of Object.values(SENDING_TASKS))
    await db.run(sql`select ask_chore_by(${db.tenant}, ${task}, moment())`)
}

/** Sets the limits and makes all messages that wait for them due now. */
export async function setLimits(db: Db, limits: OutboxLimits): Promise<void> {
  const { emails_a_day, texts_a_day, quiet_from, quiet_until } = limits
  await db.run(sql`insert into outbox_limits (tenant_id, emails_a_day, texts_a_day, quiet_from, quiet_until)
    values (${db.tenant}, ${emails_a_day}, ${texts_a_day}, ${quiet_from}::time, ${quiet_until}::time)
    on conflict (tenant_id) do update set emails_a_day = excluded.emails_a_day, texts_a_day = excluded.texts_a_day,
      quiet_from = excluded.quiet_from, quiet_until = excluded.quiet_until,
      updated_at = later_than(outbox_limits.updated_at)`)
  await db.run(sql`update outbox set next_at = moment(), reason = null, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and state = 'queued' and reason in ('quiet_hours', 'daily_limit')`)
}

/** Fields of a message that limits depend on. */
type LimitedMessage = { id: string; channel: 'email' | 'sms'; cause: string }

/** End of a message's wait, and its reason. */
export type OutboxWait = { until: Temporal.Instant; reason: 'quiet_hours' | 'daily_limit' }

/** Returns why a message must wait; undefined if it may go now. */
export async function findWait(
  db: Db,
  message: LimitedMessage,
  now: Temporal.Instant,
  zone: string,
): Promise<OutboxWait | undefined> {
  const limits = await outboxLimits(db)
  const zones = hasQuietHours(message) ? await recipientZones(db, message.id) : undefined
  const ends = (zones?.length === 0 ? [zone] : (zones ?? [])).flatMap((one) => quietHoursEnd(limits, now, one) ?? [])
  const quiet = ends.toSorted(Temporal.Instant.compare).at(-1)
  if (quiet !== undefined) return { until: quiet, reason: 'quiet_hours' }
  const max = message.channel === 'email' ? limits.emails_a_day : limits.texts_a_day
  const today = now.toZonedDateTimeISO(zone).startOfDay()
  const { sent } = await db.one<{ sent: number }>(sql`select coalesce(sum(segments), 0) as sent from outbox
    where tenant_id = ${db.tenant} and channel = ${message.channel} and last_attempt_at >= ${utc(today.toInstant())}`)
  return sent < max ? undefined : { until: today.add({ days: 1 }).startOfDay().toInstant(), reason: 'daily_limit' }
}

/** Checks whether quiet hours apply: to reminders, and to texts about records, receipts and automatic payments. */
const hasQuietHours = ({ channel, cause }: Pick<LimitedMessage, 'channel' | 'cause'>): boolean =>
  cause === 'reminder' || (channel === 'sms' && (cause === 'sent' || cause === 'receipt' || cause === 'autopay'))

/**
 * Returns the time zones of the states where the customer has addresses, since quiet hours are local to the called
 * party (47 CFR 64.1200(c)(1)). If there are none, the company's zone applies.
 */
async function recipientZones(db: Db, id: string): Promise<string[]> {
  const states = await db.all<{ region: string }>(sql`select distinct l.region from communications m
    join locations l on l.tenant_id = m.tenant_id and l.customer_id = m.customer_id
    where m.tenant_id = ${db.tenant} and m.id = ${id} and l.country = 'US' and l.region is not null
      and l.archived_at is null limit 60`)
  return [...new Set(states.flatMap(({ region }) => timeZonesOf(region)))]
}

/** Returns when the current quiet hours end in a zone; undefined outside quiet hours. */
export function quietHoursEnd(
  { quiet_from, quiet_until }: OutboxLimits,
  now: Temporal.Instant,
  zone: string,
): Temporal.Instant | undefined {
  const [from, until] = [Temporal.PlainTime.from(quiet_from), Temporal.PlainTime.from(quiet_until)]
  const local = now.toZonedDateTimeISO(zone)
  const time = local.toPlainTime()
  const [isAfter, isBefore] = [Temporal.PlainTime.compare(time, from) >= 0, Temporal.PlainTime.compare(time, until) < 0]
  const isOvernight = Temporal.PlainTime.compare(from, until) > 0
  if (isOvernight ? !(isAfter || isBefore) : !(isAfter && isBefore)) return undefined
  const day = local.toPlainDate().add({ days: isOvernight && isAfter ? 1 : 0 })
  return instantAt(day.toPlainDateTime(until), zone)
}
