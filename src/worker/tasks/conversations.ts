import { sweepConversations } from '../../assistant/retention.ts'
import { utc } from '../../platform/validation/formats/instants.ts'
import type { PeriodicTask } from '../periodic_task.ts'
import { daily } from '../schedule.ts'

const BATCH_SIZE = 500

/** Returns the task that deletes assistant conversations `keepDays` after their last message; 0 keeps them. */
export const conversationTask = (keepDays: number): PeriodicTask => ({
  name: 'conversation_sweep',
  of: 'tenant',
  next: daily('03:35'),
  async run({ now, write }) {
    if (keepDays === 0) return
    const before = utc(now.subtract({ hours: 24 * keepDays }))
    while ((await write((db) => sweepConversations(db, before, BATCH_SIZE))) === BATCH_SIZE);
  },
})
