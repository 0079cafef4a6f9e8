import type { Job } from '../../../records/jobs/index.ts'
import { say } from '../../../platform/i18n/say.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { choice } from '../../../platform/validation/fields.ts'
import { utc } from '../../../platform/validation/formats/instants.ts'
import { text } from '../../../platform/validation/text/text.ts'
import { requireChecklistDone } from '../../checklists/answering.ts'
import { autoStartTime } from '../../time/auto_clock.ts'
import { stopTime } from '../../time/tracking.ts'
import type { FieldEvent } from '../event.ts'
import { requireUnchangedVisit, type EventJob } from './job.ts'
import { defineKind, phoneOwner, type EventContext } from '../kind.ts'
import { refusals } from '../refusals.ts'

/**
 * Takes the next step of a visit. Only this kind can conflict with the office; a visit already in that status stays
 * unchanged. The user's own time starts with "In progress" if the company enabled that, pauses with a hold and ends
 * with Done.
 */
export const status = defineKind(
  { to: choice('en_route', 'in_progress', 'on_hold', 'done'), reason: text(500) },
  async (context, event, job) => {
    const { to, reason = null } = event
    if (reason !== null && to !== 'on_hold') throw invalidField('reason', refusals.reasonWithoutHold({ to }))
    if (job.status !== to) await applyStatus(context, event, job)
    const ownAction = { at: utc(context.at), by: phoneOwner(context.caller) }
    if (to === 'in_progress') await autoStartTime(context.db, job, ownAction)
    if (to !== 'on_hold' && to !== 'done') return
    await stopTime(context.db, job, ownAction, to === 'done' ? 'end' : 'pause')
  },
)

type StatusEvent = FieldEvent & { to: Job['status']; reason?: string | null | undefined }

async function applyStatus({ db, call }: EventContext, event: StatusEvent, job: EventJob): Promise<void> {
  const { to, reason = null } = event
  requireUnchangedVisit(event, job)
  if (to === 'done') await requireChecklistDone(db, job)
  await call('jobs_update', { id: job.id, status: to })
  if (reason !== null)
    await call('notes_create', { body: say`On hold: ${reason}`, subject_type: 'job', subject_id: job.id })
}
