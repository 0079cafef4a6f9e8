import { sql, type Db, type Sql } from '../platform/db/tenant.ts'
import { conflictField } from '../platform/errors/refusal.ts'
import { utc } from '../platform/validation/formats/instants.ts'
import { freeTime, requireFree } from './availability.ts'
import { refusals } from './refusals.ts'

/** A time that is kept free for somebody who books online. */
export type Hold = {
  id: string
  user_id: string
  starts_at: string
  ends_at: string
  has_ended: boolean
  /** Job that was booked from it. */
  job_id: string | null
}

/** Minutes that a time is held while its customer enters who they are. */
export const HOLD_MINUTES = 10
/** Maximum number of times that are held at once for strangers of one company. */
const MAX_HOLDS = 20

/** Start and length of a time that is wanted; `id` is the hold's, so that the same request holds once. */
type WantedTime = { id: string; start: string; minutes: number }

/**
 * Holds a time with whoever is free then, the first of the roster first; the engine offers it to nobody else until the
 * hold ends. Returns the hold that has the id where there is one.
 */
export async function holdTime(db: Db, zone: string, { id, start, minutes }: WantedTime): Promise<Hold> {
  const existing = await findHold(db, id)
  if (existing !== undefined) return existing
  await db.present(sql`select id from tenants where id = ${db.tenant} for no key update`, 'company')
  await requireHoldsLeft(db)
  const user = await requireFreeMember(db, zone, { start, minutes })
  await db.run(sql`insert into booking_holds (tenant_id, id, user_id, starts_at, ends_at, expires_at)
    values (${db.tenant}, ${id}, ${user}, ${start}, ${utc(Temporal.Instant.from(start).add({ minutes }))},
      moment() + make_interval(mins => ${HOLD_MINUTES})) on conflict (tenant_id, id) do nothing`)
  return db.one<Hold>(selectHold(db, id))
}

/** Returns a hold whose row is locked, booked or ended ones too. */
export const lockHold = (db: Db, id: string): Promise<Hold | undefined> =>
  db.maybe<Hold>(sql`${selectHold(db, id)} for update`)

const findHold = (db: Db, id: string): Promise<Hold | undefined> => db.maybe<Hold>(selectHold(db, id))

/**
 * Ends a locked hold, so that its time is judged like any other, and returns a member who is still free then: the one
 * who was held, else another.
 */
export async function releaseHold(db: Db, zone: string, hold: Hold): Promise<string> {
  await db.run(sql`update booking_holds set expires_at = least(expires_at, moment())
    where tenant_id = ${db.tenant} and id = ${hold.id}`)
  const start = new Date(hold.starts_at).toISOString()
  const minutes = Math.round((Date.parse(hold.ends_at) - Date.parse(hold.starts_at)) / 60_000)
  return requireFreeMember(db, zone, { start, minutes, preferred: hold.user_id })
}

/** Notes which job was booked from a hold. */
export const markBooked = (db: Db, id: string, job: string): Promise<number> =>
  db.run(sql`update booking_holds set job_id = ${job} where tenant_id = ${db.tenant} and id = ${id}`)

/** Removes holds that ended a day ago, of which no page asks any more. */
export const sweepHolds = (db: Db, before: string, atOnce: number): Promise<number> =>
  db.run(sql`delete from booking_holds where tenant_id = ${db.tenant} and id in (
    select id from booking_holds where tenant_id = ${db.tenant} and expires_at < ${before} limit ${atOnce})`)

const selectHold = (db: Db, id: string): Sql =>
  sql`select id, user_id, starts_at, ends_at, expires_at <= moment() as has_ended, job_id from booking_holds
    where tenant_id = ${db.tenant} and id = ${id}`

async function requireHoldsLeft(db: Db): Promise<void> {
  const { count } = await db.one<{ count: number }>(
    sql`select count(*)::int as count from booking_holds where tenant_id = ${db.tenant} and expires_at > moment()`,
  )
  if (count >= MAX_HOLDS) throw conflictField('scheduled_start', refusals.tooManyHolds())
}

/** A time that somebody must be free for: `user` and no other, or `preferred` before others. */
type FreeSearch = Pick<WantedTime, 'start' | 'minutes'> & { user?: string | undefined; preferred?: string }

/** Returns a member who works and is free then, and keeps others from booking them until the transaction ends. */
export async function requireFreeMember(
  db: Db,
  zone: string,
  { start, minutes, user: only, preferred }: FreeSearch,
): Promise<string> {
  const from = Temporal.Instant.from(start)
  const until = from.add({ minutes })
  const members = await freeTime(db, zone, { from, until, user: only })
  const isFree = members
    .filter(({ free }) => free.some((one) => one.from <= from.epochMilliseconds && one.to >= until.epochMilliseconds))
    .map(({ user_id }) => user_id)
  const user = isFree.find((one) => one === preferred) ?? isFree[0]
  if (user === undefined) throw conflictField('scheduled_start', refusals.timeTaken())
  await requireFree(db, zone, { user, start, minutes })
  return user
}
