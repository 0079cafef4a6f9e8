import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'

/** Reason an entry ended: the member paused or ended it, started another visit, or corrected it by hand. */
type EndReason = 'pause' | 'end' | 'next' | 'hand'

export type TimeEntry = {
  id: string
  user_id: string
  user_name: string
  job_id: string
  started_at: string
  /** Null while it runs. */
  ended_at: string | null
  ended_by: EndReason | null
  is_corrected: boolean
}

/** Hours after which an entry is reported for correction. */
const OVERLONG_HOURS = 16

const columns = sql`e.id, e.user_id, u.name as user_name, e.job_id, e.started_at, e.ended_at, e.ended_by,
  e.is_corrected`
const source = sql`time_entries e join users u on u.id = e.user_id`

export const findEntry = (db: Db, id: string): Promise<TimeEntry> =>
  db.present<TimeEntry>(
    sql`select ${columns} from ${source} where e.tenant_id = ${db.tenant} and e.id = ${id}`,
    'time entry',
  )

/** Lists the entries of jobs, earliest first; only those of `user` if given. */
export const listEntriesOfJobs = (db: Db, jobs: readonly string[], user?: string): Promise<TimeEntry[]> =>
  db.all<TimeEntry>(sql`select ${columns} from ${source}
    where e.tenant_id = ${db.tenant} and e.job_id = any(${[...jobs]}::uuid[]) ${ofMember(user)}
    order by e.started_at, e.id limit 2000`)

/** Lists those of the jobs on which a member's time is running or paused. */
export const visitsWithOpenTime = async (db: Db, jobs: readonly string[], user: string): Promise<string[]> =>
  (
    await db.all<{ job_id: string }>(sql`select distinct job_id from time_entries
      where tenant_id = ${db.tenant} and user_id = ${user} and job_id = any(${[...jobs]}::uuid[])
        and (ended_at is null or ended_by = 'pause')
      order by job_id`)
  ).map(({ job_id }) => job_id)

/** Time entry with the details of its visit for a time sheet. */
export type TimeSheetEntry = TimeEntry & { display_number: string; title: string; customer_name: string }

/** Lists the entries that overlap a period, earliest first. */
export const listEntriesBetween = (db: Db, from: string, to: string, user?: string): Promise<TimeSheetEntry[]> =>
  db.all<TimeSheetEntry>(sql`select ${columns}, j.display_number, j.title, c.display_name as customer_name
    from ${source} join jobs j on j.tenant_id = e.tenant_id and j.id = e.job_id
    join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
    where e.tenant_id = ${db.tenant} and e.started_at < ${to}
      and (e.ended_at is null or e.ended_at > ${from} or e.started_at >= ${from}) ${ofMember(user)}
    order by e.started_at, e.id limit 10000`)

const ofMember = (user: string | undefined): Sql => (user === undefined ? sql`` : sql`and e.user_id = ${user}`)

/** State of a member's time on a visit: the last action, its time, and the total seconds until now. */
export type TimeState = { state: 'none' | 'running' | 'paused' | 'ended'; since: string | null; seconds: number }

/** Returns the state of one member's time on a visit, from its entries in order; `now` ends a running one. */
export function toTimeState(entries: readonly TimeEntry[], now: string): TimeState {
  const last = entries.at(-1)
  const seconds = entries.reduce((sum, entry) => sum + entrySeconds(entry, now), 0)
  if (last === undefined) return { state: 'none', since: null, seconds }
  if (last.ended_at === null) return { state: 'running', since: last.started_at, seconds }
  return { state: last.ended_by === 'pause' ? 'paused' : 'ended', since: last.ended_at, seconds }
}

/** Returns the length of an entry in whole seconds; a running one lasts until `now`. */
export const entrySeconds = (
  { started_at, ended_at }: Pick<TimeEntry, 'started_at' | 'ended_at'>,
  now: string,
): number => Math.max(0, Math.floor((Date.parse(ended_at ?? now) - Date.parse(started_at)) / 1000))

/** Checks whether the member probably forgot to stop the clock: longer than a working day, and not corrected. */
export const isOverlong = (entry: TimeEntry, now: string): boolean =>
  !entry.is_corrected && entrySeconds(entry, now) > OVERLONG_HOURS * 3600
