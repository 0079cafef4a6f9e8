import { auditChange } from '../../identity/audit.ts'
import { values } from '../../platform/db/rows.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Job } from '../../records/jobs/index.ts'
import { conflict, invalidField } from '../../platform/errors/refusal.ts'
import { newId } from '../../platform/validation/id.ts'
import { refusals } from './refusals.ts'

export const TIME_ACTIONS = ['started', 'paused', 'ended'] as const

/** Member's action on a visit's time. `at` is an instant by our clock. */
export type TimeAction = { what: string; at: string; by: { user: string } }

type TimedJob = Pick<Job, 'id'>
type OwnEntry = { id: string; job_id: string; started_at: string; ended_at: string | null; ended_by: string | null }

/**
 * Starts, pauses or ends a member's time on a visit. Events may arrive late and out of order; each applies at its own
 * time. A repeated event counts once.
 */
export async function trackTime(db: Db, job: TimedJob, { what, at, by }: TimeAction): Promise<void> {
  switch (what) {
    case 'started':
      return start(db, job, at, by)
    case 'paused':
      return stop(db, job, at, by, 'pause')
    case 'ended':
      return stop(db, job, at, by, 'end')
    default:
      throw invalidField('what', refusals.unknownAction({ actions: TIME_ACTIONS.join(', '), value: what.slice(0, 20) }))
  }
}

async function start(db: Db, job: TimedJob, at: string, by: { user: string }): Promise<void> {
  const corrected = await startTime(db, job, { at, by })
  if (corrected !== undefined)
    throw conflict(refusals.onOtherVisit({ from: corrected.started_at, to: String(corrected.ended_at) }))
}

/**
 * Starts an entry and ends one running on another visit, since nobody can be in two places. A manually corrected entry
 * stays unchanged: nothing starts inside it, and it is returned.
 */
export async function startTime(
  db: Db,
  job: TimedJob,
  { at, by }: Pick<TimeAction, 'at' | 'by'>,
): Promise<OwnEntry | undefined> {
  await lockMember(db, by.user)
  const { containing, next } = await neighborsOf(db, by.user, at)
  if (containing?.job_id === job.id) return undefined
  if (containing?.ended_by === 'hand') return containing
  if (containing !== undefined)
    await db.run(sql`update time_entries set ended_at = ${at}, ended_by = 'next'
      where tenant_id = ${db.tenant} and id = ${containing.id}`)
  await db.run(
    sql`insert into time_entries ${values({
      tenant_id: db.tenant,
      id: newId(),
      user_id: by.user,
      job_id: job.id,
      started_at: at,
      ended_at: next?.started_at ?? null,
      ended_by: next === undefined ? null : 'next',
    })}`,
  )
  await db.run(auditChange(db.tenant, by, 'jobs.start_time', job.id, { time_started: [null, at] }))
  return undefined
}

async function stop(
  db: Db,
  job: TimedJob,
  at: string,
  by: { user: string },
  endReason: 'pause' | 'end',
): Promise<void> {
  if (await stopTime(db, job, { at, by }, endReason)) return
  throw conflict(refusals.notRunning())
}

/**
 * Stops a member's running time on a visit, for example when the visit is put on hold or finished. Returns whether they
 * ever started time there.
 */
export async function stopTime(
  db: Db,
  job: TimedJob,
  { at, by }: Pick<TimeAction, 'at' | 'by'>,
  endReason: 'pause' | 'end',
): Promise<boolean> {
  await lockMember(db, by.user)
  const last = await db.maybe<OwnEntry>(sql`select id, job_id, started_at, ended_at, ended_by from time_entries
    where tenant_id = ${db.tenant} and user_id = ${by.user} and job_id = ${job.id} and started_at <= ${at}
    order by started_at desc, id desc limit 1`)
  if (last === undefined) return false
  const isOpen = last.ended_at === null || (last.ended_by === 'next' && last.ended_at > at)
  if (!isOpen && !(endReason === 'end' && last.ended_by === 'pause')) return true
  await db.run(sql`update time_entries set ended_at = ${isOpen ? at : last.ended_at}, ended_by = ${endReason}
    where tenant_id = ${db.tenant} and id = ${last.id}`)
  const action = endReason === 'pause' ? 'jobs.pause_time' : 'jobs.end_time'
  await db.run(
    auditChange(db.tenant, by, action, job.id, { [endReason === 'pause' ? 'time_paused' : 'time_ended']: [null, at] }),
  )
  return true
}

/** Serializes changes to a member's time with a row lock. */
export const lockMember = (db: Db, user: string): Promise<unknown> =>
  db.present(
    sql`select user_id from members where tenant_id = ${db.tenant} and user_id = ${user} for no key update`,
    'member',
  )

/** Returns the entry that contains a moment, and the first one after it. */
async function neighborsOf(db: Db, user: string, at: string): Promise<{ containing?: OwnEntry; next?: OwnEntry }> {
  const [containing, next] = await Promise.all([
    db.maybe<OwnEntry>(sql`select id, job_id, started_at, ended_at, ended_by from time_entries
      where tenant_id = ${db.tenant} and user_id = ${user} and started_at <= ${at}
        and (ended_at is null or ended_at > ${at})
      order by started_at desc limit 1`),
    db.maybe<OwnEntry>(sql`select id, job_id, started_at, ended_at, ended_by from time_entries
      where tenant_id = ${db.tenant} and user_id = ${user} and started_at > ${at} order by started_at limit 1`),
  ])
  return { ...(containing && { containing }), ...(next && { next }) }
}
