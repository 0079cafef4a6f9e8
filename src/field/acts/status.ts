import { say } from '../../language/say.ts'
import { invalidField } from '../../refusal.ts'
import { choice } from '../../shape/fields.ts'
import { text } from '../../shape/text.ts'
import { requireChecklistDone } from '../checklists/answering.ts'
import { requireAsSeen } from './job.ts'
import { kind } from './kind.ts'

/** Takes the next step of a visit. It alone can contradict what the office did; a visit that is there already stays as it is. */
export const status = kind(
  { to: choice('en_route', 'in_progress', 'on_hold', 'done'), reason: text(500) },
  async ({ db, call }, act, job) => {
    const { to, reason = null } = act
    if (reason !== null && to !== 'on_hold') throw invalidField('reason', `goes with on_hold alone (got ${to})`)
    if (job.status === to) return
    requireAsSeen(act, job)
    if (to === 'done') await requireChecklistDone(db, job)
    await call('jobs_update', { id: job.id, status: to })
    if (reason !== null)
      await call('notes_create', { body: say`On hold: ${reason}`, subject_type: 'job', subject_id: job.id })
  },
)
