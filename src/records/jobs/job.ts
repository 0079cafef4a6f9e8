import { isDeepStrictEqual } from 'node:util'
import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments, values } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { orderLineFields } from '../line_items/line.ts'
import { newId } from '../../platform/validation/id.ts'
import type { RunContext } from '../../tools/declare/define.ts'
import { ownPartsAfter } from './series/visit_parts.ts'
import { JOB, type Job, type JobInput } from './fields.ts'
import type { Media } from './media/media.ts'
import { nextNumber } from './number.ts'
import { pickWorkParts, toWorkColumns, workPartsOf } from './visits/work.ts'

type NewJob = JobInput & Pick<Job, 'customer_id' | 'quote_id'>

const selectJob = (db: Db, id: string): Sql => sql`select ${JOB.columns('j')}
  from jobs j join customers c on c.tenant_id = j.tenant_id and c.id = j.customer_id
  where j.tenant_id = ${db.tenant} and j.id = ${id}`

/** Returns a job, including a canceled one. */
export const findJob = (db: Db, id: string): Promise<Job> =>
  db.present<Job>(selectJob(db, id), 'job').then(orderLineFields)

/**
 * Returns a job and locks its row until the transaction ends. Locks before it reads, because its customer may change
 * meanwhile.
 */
export async function lockJob(db: Db, id: string): Promise<Job> {
  const [, job] = await Promise.all([
    db.run(sql`select id from jobs where tenant_id = ${db.tenant} and id = ${id} for no key update`),
    findJob(db, id),
  ])
  return job
}

/** Adds a job to a locked customer. */
export async function addJob(db: Db, { user, tenant }: Caller, job: NewJob): Promise<Job> {
  const id = newId()
  const { customer_id, quote_id, location_id } = job
  const [, added] = await Promise.all([
    db.run(
      sql`insert into jobs ${values({
        tenant_id: db.tenant,
        id,
        number: nextNumber(db),
        customer_id,
        quote_id,
        ...toColumns(job),
        location_address: addressOf(db, location_id),
        timezone: tenant.timezone,
        created_by: user,
        updated_by: user,
      })}`,
    ),
    findJob(db, id),
  ])
  return added
}

/** Changes a locked job. A change by hand makes an instance of a series an exception. */
export async function changeJob(db: Db, { user }: Caller, before: Job, after: JobInput): Promise<Job> {
  const [, job] = await Promise.all([
    db.run(
      sql`update jobs j set ${assignments({
        ...toColumns(after),
        ...(after.location_id === before.location_id ? {} : { location_address: addressOf(db, after.location_id) }),
        completed_at: after.status !== 'done' ? null : (before.completed_at ?? sql`moment()`),
        ...(before.series_id !== null && !isUnchanged(before, after)
          ? { is_exception: true, own_parts: ownPartsAfter(inputOf(before), after) }
          : {}),
        updated_by: user,
      })}, updated_at = later_than(j.updated_at) where j.tenant_id = ${db.tenant} and j.id = ${before.id}`,
    ),
    findJob(db, before.id),
  ])
  return job
}

/** Cancels a locked job and keeps its completion time. */
export async function cancelJob(db: Db, { user }: Caller, id: string, reason: string | null): Promise<Job> {
  const [, job] = await Promise.all([
    db.run(sql`update jobs
      set status = 'cancelled', cancelled_at = moment(), cancel_reason = ${reason}, updated_by = ${user},
      updated_at = later_than(updated_at) where tenant_id = ${db.tenant} and id = ${id}`),
    findJob(db, id),
  ])
  return job
}

/** Counts a customer's open jobs. */
export const countOpenJobs = async (db: Db, customer: string): Promise<number> =>
  (
    await db.one<{ count: number }>(sql`select count(*) as count from jobs
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status not in ('done', 'cancelled')`)
  ).count

/** Counts a customer's open jobs, and those of them whose visit is still ahead. */
export const openJobCounts = (db: Db, customer: string): Promise<{ open: number; upcoming: number }> =>
  db.one(sql`select count(*) as open, count(*) filter (where scheduled_end > moment()) as upcoming from jobs
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status not in ('done', 'cancelled')`)

/** Job as a tool returns it; its invoices require read:invoices. */
export type JobView = Omit<Job, 'invoice_ids' | 'media'> & {
  media: (Media & { url: string })[]
  invoice_ids?: string[]
  redacted_fields?: string[]
}

/** Returns a job as its caller may see it, with the URLs of its media; its invoices require read:invoices. */
export function toJobView(
  { caller, baseUrl }: Pick<RunContext, 'caller' | 'baseUrl'>,
  { invoice_ids, media, ...job }: Job,
): JobView {
  const mediaUrl = `${baseUrl}/${caller.tenant.id}/jobs/${job.id}/media`
  return redactInvoices<JobView>(caller, {
    ...job,
    media: media.map(({ stage, ...file }) => ({
      ...file,
      ...(stage != null && { stage }),
      url: `${mediaUrl}/${file.id}`,
    })),
    invoice_ids,
  })
}

/** Removes the invoices from a job, also from a replayed result, unless the caller has read:invoices. */
export function redactInvoices<View extends { invoice_ids?: unknown }>(
  { scopes }: Caller,
  job: View,
): Omit<View, 'invoice_ids'> & Partial<Pick<View, 'invoice_ids'>> & { redacted_fields?: string[] } {
  if (scopes.has('read:invoices') || job.invoice_ids === undefined) return job
  const { invoice_ids: _hidden, ...visible } = job
  return { ...visible, redacted_fields: ['invoice_ids'] }
}

/** Returns the values that a caller sets on a job. */
export const inputOf = (job: Job): JobInput => ({ ...JOB.pickInput(job), ...workPartsOf(job) })

const toSettable = (job: JobInput): JobInput => ({ ...JOB.pickInput(job), ...pickWorkParts(job) })

/** Checks whether schedule and content are unchanged, regardless of the status. */
const isUnchanged = (before: Job, after: JobInput): boolean =>
  isDeepStrictEqual({ ...inputOf(before), status: null }, { ...toSettable(after), status: null })

const addressOf = (db: Db, location: string | null): Sql | null =>
  location === null ? null : sql`address_of(${db.tenant}, ${location})`

const toColumns = (job: JobInput) => ({ ...JOB.toColumns(job), ...toWorkColumns(job) })
