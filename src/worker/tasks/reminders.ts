import { listDueReminders } from '../../messaging/reminders/due.ts'
import { sendReminder } from '../../messaging/reminders/remind.ts'
import { reminderSettings } from '../../messaging/reminders/settings.ts'
import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import type { PeriodicTask } from '../periodic_task.ts'
import { hourly } from '../schedule.ts'

/** Returns the task that sends a company's reminders, every hour of its local time (docs/spec/sending.md#reminders). */
export const reminderTask = (senders: Senders): PeriodicTask => ({
  name: 'reminders',
  of: 'tenant',
  next: hourly,
  run: async ({ now, tenant, write, each }) => {
    const clock = { now, zone: tenant.timezone }
    const settings = await write(reminderSettings)
    for (const setting of settings.filter(({ is_on }) => is_on))
      await each(
        (db, after) => listDueReminders(db, setting, clock, after),
        (db, due) => sendReminder(db, setting, due, { clock, senders }),
      )
  },
})
