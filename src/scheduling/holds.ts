import { sql, type Db } from '../platform/db/tenant.ts'
import { conflictField } from '../platform/errors/refusal.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import { findFreeTime, isFreeFor, requireFree } from './availability.ts'
import { refusals } from './refusals.ts'

/** Time held for an online booking: its member, and the job booked from it. */
export type Hold = { user_id: string; job_id: string | null }

/** Minutes for which a time is held while the customer enters their details. */
export const HOLD_MINUTES = 10
/** Maximum times of one company that are held at once. */
const MAX_HOLDS = 20

/** Start and length of a wanted time, and the skills for it; `id` is the hold's, so that one token holds one time. */
type RequestedTime = { id: string; start: string; minutes: number; skills: readonly string[] }

/**
 * Holds a time with a free member, the first of the roster first. The time isn't offered to anyone else until the hold
 * ends. An existing hold with this id moves to the time, unless it was booked: then it is returned unchanged.
 */
export async function holdTime(db: Db, zone: string, { id, start, minutes, skills }: RequestedTime): Promise<Hold> {
  const [, existing] = await Promise.all([
    db.present(sql`select id from tenants where id = ${db.tenant} for no key update`, 'company'),
    findHold(db, id),
  ])
  if (existing !== undefined && existing.job_id !== null) return existing
  if (existing !== undefined) await endHold(db, id)
  const user = await requireFreeMember(db, zone, { start, minutes, skills, preferred: existing?.user_id })
  await db.run(sql`insert into booking_holds (tenant_id, id, user_id, starts_at, ends_at, expires_at)
    values (${db.tenant}, ${id}, ${user}, ${start}, ${utc(Temporal.Instant.from(start).add({ minutes }))},
      moment() + make_interval(mins => ${HOLD_MINUTES}))
    on conflict (tenant_id, id) do update set user_id = excluded.user_id, starts_at = excluded.starts_at,
      ends_at = excluded.ends_at, expires_at = excluded.expires_at`)
  return { user_id: user, job_id: null }
}

const findHold = (db: Db, id: string): Promise<Hold | undefined> =>
  db.maybe<Hold>(sql`select user_id, job_id from booking_holds where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns and locks a hold, even if it was booked or has ended. */
export const lockHold = (db: Db, id: string): Promise<Hold> =>
  db.present<Hold>(
    sql`select user_id, job_id from booking_holds where tenant_id = ${db.tenant} and id = ${id} for update`,
    'hold',
  )

/** Ends a hold, so that it no longer blocks its time. */
export const endHold = (db: Db, id: string): Promise<number> =>
  db.run(sql`update booking_holds set expires_at = least(expires_at, moment())
    where tenant_id = ${db.tenant} and id = ${id}`)

/** Records the job booked from a hold. */
export const markBooked = (db: Db, id: string, job: string): Promise<number> =>
  db.run(sql`update booking_holds set job_id = ${job} where tenant_id = ${db.tenant} and id = ${id}`)

/** Deletes up to `limit` holds that ended before an instant; no page asks for them any more. */
export const sweepHolds = (db: Db, before: string, limit: number): Promise<number> =>
  db.run(sql`delete from booking_holds where tenant_id = ${db.tenant} and id in (
    select id from booking_holds where tenant_id = ${db.tenant} and expires_at < ${before} limit ${limit})`)

/** Checks whether a company may hold another time; a hold with this id doesn't count. */
export async function mayHold(db: Db, id: string): Promise<boolean> {
  const { count } = await db.one<{ count: number }>(sql`select count(*)::int as count from booking_holds
    where tenant_id = ${db.tenant} and expires_at > moment() and id <> ${id}`)
  return count < MAX_HOLDS
}

/** Time for which a member must be free: only `user`, or `preferred` before others. */
type FreeSearch = Omit<RequestedTime, 'id'> & { user?: string | undefined; preferred?: string | undefined }

/** Returns a member who works and is free then, and locks them against other bookings until the transaction ends. */
export async function requireFreeMember(
  db: Db,
  zone: string,
  { start, minutes, skills, user: requestedUser, preferred }: FreeSearch,
): Promise<string> {
  const from = Temporal.Instant.from(start)
  const until = from.add({ minutes })
  const members = await findFreeTime(db, zone, { from, until, user: requestedUser, skills })
  const freeUsers = members.filter((member) => isFreeFor(member, from, until)).map(({ user_id }) => user_id)
  const user = freeUsers.find((one) => one === preferred) ?? freeUsers[0]
  if (user === undefined) throw conflictField('scheduled_start', refusals.timeTaken())
  await requireFree(db, zone, { user, start, minutes })
  return user
}
