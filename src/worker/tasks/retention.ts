import type { RetentionConfig } from '../../platform/config/config.ts'
import {
  MAX_WAIT_DAYS,
  deleteSettledMessages,
  deleteWaitingMessages,
} from '../../messaging/inbox/quarantine/quarantine.ts'
import { deleteEventBytes } from '../../payments/events/record_event.ts'
import type { Sql } from '../../platform/db/tenant.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { PeriodicTask, ServiceRun } from '../periodic_task.ts'
import { every } from '../schedule.ts'

const BATCH_SIZE = 1_000

/** Returns the task that deletes old quarantined messages and settled payment events' bytes, never waiting events. */
export const retentionTask = (config: RetentionConfig): PeriodicTask => ({
  name: 'retention',
  of: 'service',
  next: every({ hours: 6 }),
  run: (service) => deleteExpired(service, config),
})

async function deleteExpired(
  service: ServiceRun,
  { paymentEventDays, quarantineDays }: RetentionConfig,
): Promise<void> {
  await deleteBefore(service, paymentEventDays, deleteEventBytes)
  await deleteBefore(service, quarantineDays, deleteSettledMessages)
  await deleteBefore(service, MAX_WAIT_DAYS, deleteWaitingMessages)
}

/** Deletes rows in batches until none are left. 0 days keeps everything. */
async function deleteBefore(
  { now, send }: ServiceRun,
  days: number,
  deletionOf: (before: string, limit: number) => Sql,
): Promise<void> {
  if (days === 0) return
  const day = utc(now.subtract({ hours: 24 * days }))
  while ((await send([deletionOf(day, BATCH_SIZE)]))[0] === BATCH_SIZE);
}
