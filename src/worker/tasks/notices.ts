import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import { listNoticeTasks, sendNotice } from '../../messaging/notices/notice_tasks.ts'
import type { PeriodicTask } from '../periodic_task.ts'
import { onDemand } from '../schedule.ts'

/** Returns the task that mails receipts to customers and notices to the office (docs/spec/sending.md#receipts). */
export const noticeTask = (senders: Senders): PeriodicTask => ({
  name: 'notices',
  of: 'tenant',
  next: onDemand,
  run: ({ each }) => each(listNoticeTasks, (db, task) => sendNotice(db, task, senders)),
})
