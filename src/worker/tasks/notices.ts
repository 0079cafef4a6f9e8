import type { Senders } from '../../messaging/outbox/senders/senders.ts'
import { noticeTasks, settleNotice } from '../../messaging/notices/notice_tasks.ts'
import type { Chore } from '../chore.ts'
import { whenAsked } from '../schedule.ts'

/** Returns the chore that mails receipts to customers and notices to the office (docs/spec/sending.md#receipts). */
export const notices = (senders: Senders): Chore => ({
  name: 'notices',
  of: 'tenant',
  next: whenAsked,
  run: ({ each }) => each(noticeTasks, (db, task) => settleNotice(db, task, senders)),
})
