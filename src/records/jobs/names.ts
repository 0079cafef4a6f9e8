import { sql, type Db } from '../../platform/db/tenant.ts'
import type { JobStatus } from './status.ts'

/** Job as other records name it. */
type NamedJob = { id: string; display_number: string; title: string; status: JobStatus }

/** Returns the names of jobs, newest first. Skips unknown ids. */
export const listJobNames = async (db: Db, ids: readonly string[]): Promise<NamedJob[]> =>
  ids.length === 0
    ? []
    : db.all<NamedJob>(sql`select id, display_number, title, status from jobs
      where tenant_id = ${db.tenant} and id = any(${[...ids]}::uuid[]) order by number desc`)

/** Returns the job with a display number; `numbers` are those it can end with. */
export const findJobsByNumber = (
  db: Db,
  numbers: readonly number[],
  text: string,
): Promise<{ id: string; said: string }[]> =>
  db.all(sql`select id, display_number as said from jobs
    where tenant_id = ${db.tenant} and number = any(${[...numbers]}::int[]) and lower(display_number) = ${text}`)

const MAX_JOBS = 50

/** Returns the jobs of a customer that an invoice can name, newest first. */
export const billableJobs = (db: Db, customer: string): Promise<NamedJob[]> =>
  db.all<NamedJob>(sql`select id, display_number, title, status from jobs
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status <> 'cancelled'
    order by created_at desc, id desc limit ${MAX_JOBS}`)

/** Returns the jobs created from a quote, newest first. */
export const jobsOfQuote = (db: Db, quote: string): Promise<NamedJob[]> =>
  db.all<NamedJob>(sql`select id, display_number, title, status from jobs
    where tenant_id = ${db.tenant} and quote_id = ${quote} order by number desc limit ${MAX_JOBS}`)

/** Maximum recent jobs to search for common titles. */
const MAX_RECENT_JOBS = 300

/** Returns titles of up to `maxLength` characters that recent one-off jobs had more than once, most common first. */
export const listCommonTitles = async (db: Db, maxLength: number, limit: number): Promise<string[]> =>
  (
    await db.all<{ title: string }>(sql`
      select title
      from (select title, series_id, created_at
        from jobs
        where tenant_id = ${db.tenant}
        order by created_at desc, id desc limit ${MAX_RECENT_JOBS}) newest
      where series_id is null and char_length(title) <= ${maxLength}
      group by title having count(*) > 1 order by count(*) desc, max(created_at) desc, title limit ${limit}`)
  ).map(({ title }) => title)
