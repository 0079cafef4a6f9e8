import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'

/** How an entry ended: the member paused or ended it, started another visit, or corrected it by hand. */
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

/** Hours that an entry may run before a person is asked to correct it. */
const OVERLONG_HOURS = 16

const columns = sql`e.id, e.user_id, u.name as user_name, e.job_id, e.started_at, e.ended_at, e.ended_by,
  e.is_corrected`
const source = sql`time_entries e join users u on u.id = e.user_id`

/** Returns an entry of the company. */
export const findEntry = (db: Db, id: string): Promise<TimeEntry> =>
  db.present<TimeEntry>(
    sql`select ${columns} from ${source} where e.tenant_id = ${db.tenant} and e.id = ${id}`,
    'time entry',
  )

/** Lists the entries of jobs, the earliest first; of one member alone where one is named. */
export const listEntriesOfJobs = (db: Db, jobs: readonly string[], user?: string): Promise<TimeEntry[]> =>
  db.all<TimeEntry>(sql`select ${columns} from ${source}
    where e.tenant_id = ${db.tenant} and e.job_id = any(${[...jobs]}::uuid[]) ${ofMember(user)}
    order by e.started_at, e.id limit 2000`)

/** Lists those of some jobs on which a member's time runs or is paused. */
export const visitsWithOpenTime = async (db: Db, jobs: readonly string[], user: string): Promise<string[]> =>
  (
    await db.all<{ job_id: string }>(sql`select distinct job_id from time_entries
      where tenant_id = ${db.tenant} and user_id = ${user} and job_id = any(${[...jobs]}::uuid[])
        and (ended_at is null or ended_by = 'pause')
      order by job_id`)
  ).map(({ job_id }) => job_id)

/** Time entry with the details of its visit for a time sheet. */
export type TimeSheetEntry = TimeEntry & { display_number: string; title: string; customer_name: string }

/** Lists the entries of which some part is between two moments, the earliest first. */
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

/** Returns how a visit stands, from one member's entries of it in their order; `now` ends one that runs. */
export function toTimeState(entries: readonly TimeEntry[], now: string): TimeState {
  const last = entries.at(-1)
  const seconds = entries.reduce((sum, entry) => sum + entrySeconds(entry, now), 0)
  if (last === undefined) return { state: 'none', since: null, seconds }
  if (last.ended_at === null) return { state: 'running', since: last.started_at, seconds }
  return { state: last.ended_by === 'pause' ? 'paused' : 'ended', since: last.ended_at, seconds }
}

/** Returns how long an entry is in whole seconds; one that runs until now. */
export const entrySeconds = (
  { started_at, ended_at }: Pick<TimeEntry, 'started_at' | 'ended_at'>,
  now: string,
): number => Math.max(0, Math.floor((Date.parse(ended_at ?? now) - Date.parse(started_at)) / 1000))

/** Checks whether an entry was probably forgotten: it is longer than a working day, and nobody has corrected it. */
export const isOverlong = (entry: TimeEntry, now: string): boolean =>
  !entry.is_corrected && entrySeconds(entry, now) > OVERLONG_HOURS * 3600
