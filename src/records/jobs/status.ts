import { conflict } from '../../platform/errors/refusal.ts'
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
