import type { RetentionConfig } from '../../platform/config/config.ts'
import { sql, type Sql } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { PeriodicTask, ServiceRun } from '../periodic_task.ts'
import { every } from '../schedule.ts'

const AT_ONCE = 1_000

/**
 * Maximum days that a message can wait for a decision before it is deleted
 * (docs/spec/messages.md#retention-of-messages).
 */
const MAX_WAIT_DAYS = 90

/** Deletes what ended so many days ago, and messages that waited too long; a payment event that waits is never touched. */
export const retention = (config: RetentionConfig): PeriodicTask => ({
  name: 'retention',
  of: 'service',
  next: every({ hours: 6 }),
  run: (service) => deleteEnded(service, config),
})

async function deleteEnded(service: ServiceRun, { paymentEventDays, quarantineDays }: RetentionConfig): Promise<void> {
  await deleteBefore(
    service,
    paymentEventDays,
    (day) => sql`update payment_events set raw = null
    where id in (select id from payment_events where raw is not null and settled_at < ${day} limit ${AT_ONCE})`,
  )
  await deleteBefore(
    service,
    quarantineDays,
    (day) => sql`delete from quarantined_messages
    where id in (select id from quarantined_messages where settled_at < ${day} limit ${AT_ONCE})`,
  )
  await deleteBefore(
    service,
    MAX_WAIT_DAYS,
    (day) => sql`delete from quarantined_messages
    where id in (select id from quarantined_messages where state = 'open' and received_at < ${day} limit ${AT_ONCE})`,
  )
}

/** Deletes rows in batches until none are left. 0 days keeps everything. */
async function deleteBefore({ now, send }: ServiceRun, days: number, deletionOf: (day: string) => Sql): Promise<void> {
  if (days === 0) return
  const day = utc(now.subtract({ hours: 24 * days }))
  while ((await send([deletionOf(day)]))[0] === AT_ONCE);
}
