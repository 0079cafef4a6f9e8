import { mailWeeklyReport } from '../../messaging/notices/weekly_report.ts'
import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import type { PeriodicTask } from '../periodic_task.ts'
import { weekly } from '../schedule.ts'

/** Returns the task that mails owners last week's figures, if they want them (docs/spec/sending.md#notices). */
export const weeklyReportTask = (senders: Senders): PeriodicTask => ({
  name: 'weekly_report',
  of: 'tenant',
  next: weekly('06:30'),
  run: ({ now, tenant, write }) => write((db) => mailWeeklyReport(db, { now, tenant, senders })),
})
