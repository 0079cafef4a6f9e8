import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { Job } from '../../../records/jobs/index.ts'
import type { FieldEvent } from '../event.ts'

/** Current state of the visit an event is about. */
export type EventJob = Pick<
  Job,
  'id' | 'display_number' | 'title' | 'status' | 'scheduled_start' | 'location_id' | 'customer_id'
> & { mine: boolean }

/** Conflict with a change the office made meanwhile. The user who sent the event decides what counts. */
export class VisitChangedError extends Error {}

/** Returns the visit of an event and locks it until the transaction ends. */
export const lockEventJob = (db: Db, id: string, user: string | null): Promise<EventJob> =>
  db.present<EventJob>(
    sql`select id, display_number, title, status, scheduled_start, location_id, customer_id,
        ${user}::uuid = any(assignee_ids) as mine
      from jobs where tenant_id = ${db.tenant} and id = ${id} for no key update`,
    'visit',
  )

/**
 * Throws if the visit differs from what the phone showed: another status or time, canceled, or reassigned
 * (docs/spec/field.md#conflicts). With `decided`, a reassignment is accepted: the user has seen it.
 */
export function requireUnchangedVisit({ seen, decided }: FieldEvent, job: EventJob): void {
  const isReassigned = seen.mine && !job.mine && decided === undefined
  if (isReassigned || job.status !== seen.status || !isSameTime(job.scheduled_start, seen.scheduled_start))
    throw new VisitChangedError()
}

const isSameTime = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : Date.parse(a) === Date.parse(b)
