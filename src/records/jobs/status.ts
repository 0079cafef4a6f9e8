import { conflict, invalidField, fieldName } from '../../platform/errors/refusal.ts'
import type { Schedule, ScheduleDraft } from './visits/schedule.ts'
import { refusals } from './refusals.ts'

export const OPEN = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold'] as const
/** Lists what an update may set. */
export const SETTABLE = [...OPEN, 'done'] as const
export const STATUSES = [...SETTABLE, 'cancelled'] as const
export type JobStatus = (typeof STATUSES)[number]

/** Refuses to change a canceled job; there is no way back (docs/spec/records.md#cancelled-jobs). */
export function requireNotCancelled({ status }: { status: JobStatus }): void {
  if (status === 'cancelled') throw conflict(refusals.cancelled())
}

/** Clears the schedule of a job that becomes unscheduled, so that a start or an end can't be sent with it. */
export function scheduleUnder(asked: JobStatus | undefined, typed: ScheduleDraft): ScheduleDraft {
  if (asked !== 'unscheduled') return typed
  for (const field of ['scheduled_start', 'scheduled_end'] as const) {
    if (typed[field] != null) throw invalidField('status', refusals.unscheduledWithTime({ field: fieldName(field) }))
  }
  return { ...typed, scheduled_start: null, scheduled_end: null }
}

/** Returns the status after a change (docs/spec/records.md#job-status): what is asked, else what follows from the schedule. */
export function statusAfter(before: JobStatus, asked: JobStatus | undefined, { scheduled_start }: Schedule): JobStatus {
  if (asked === 'scheduled' && scheduled_start === null)
    throw invalidField('status', refusals.scheduledWithoutTime({ start: fieldName('scheduled_start') }))
  if (asked !== undefined) return asked
  if (before === 'unscheduled' && scheduled_start !== null) return 'scheduled'
  if (before === 'scheduled' && scheduled_start === null) return 'unscheduled'
  return before
}

/** Returns the one status that usually comes next for whoever makes the visit; none where it is over or has no time. */
export function nextStatus(status: JobStatus): 'en_route' | 'in_progress' | 'done' | undefined {
  switch (status) {
    case 'scheduled':
      return 'en_route'
    case 'en_route':
    case 'on_hold':
      return 'in_progress'
    case 'in_progress':
      return 'done'
    default:
      return undefined
  }
}
