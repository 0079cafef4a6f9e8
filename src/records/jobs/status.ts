import { conflict } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

export const OPEN_STATUSES = ['unscheduled', 'scheduled', 'en_route', 'in_progress', 'on_hold'] as const
/** Statuses that an update may set. */
export const SETTABLE_STATUSES = [...OPEN_STATUSES, 'done'] as const
export const STATUSES = [...SETTABLE_STATUSES, 'cancelled'] as const
export type JobStatus = (typeof STATUSES)[number]

/** Throws if a job is canceled: a cancellation is final (docs/spec/records.md#cancelled-jobs). */
export function requireNotCancelled({ status }: { status: JobStatus }): void {
  if (status === 'cancelled') throw conflict(refusals.cancelled())
}

/** Returns the usual next status of a visit; undefined if it is over or has no time. */
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
