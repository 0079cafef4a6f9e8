import { sql, type Db } from '../../../platform/db/tenant.ts'
import type { Job } from '../../../records/jobs/index.ts'
import type { FieldEvent } from '../event.ts'

/** Describes the visit that an act is about, as it is now. */
export type EventJob = Pick<
  Job,
  'id' | 'display_number' | 'title' | 'status' | 'scheduled_start' | 'location_id' | 'customer_id'
> & { mine: boolean }

/** The office changed the visit meanwhile. The person who sent the event decides what counts. */
export class VisitChangedError extends Error {}

/** Returns the visit of an act, which no other call changes until this one ends. */
export const lockEventJob = (db: Db, id: string, user: string | null): Promise<EventJob> =>
  db.present<EventJob>(
    sql`select id, display_number, title, status, scheduled_start, location_id, customer_id,
        ${user}::uuid = any(assignee_ids) as mine
      from jobs where tenant_id = ${db.tenant} and id = ${id} for no key update`,
    'visit',
  )

/**
 * Throws where the visit is no longer what the phone showed: another status, another time, canceled, or given to
 * somebody else (docs/spec/field.md#conflicts). Who decided for their own act said so of the visit as it is now.
 */
export function requireUnchangedVisit({ seen, decided }: FieldEvent, job: EventJob): void {
  const isLost = seen.mine && !job.mine && decided === undefined
  if (isLost || job.status !== seen.status || !isSameTime(job.scheduled_start, seen.scheduled_start))
    throw new VisitChangedError()
}

const isSameTime = (a: string | null, b: string | null): boolean =>
  a === null || b === null ? a === b : Date.parse(a) === Date.parse(b)
