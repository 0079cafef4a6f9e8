import { insertSelected, sql, type Db } from '../../../platform/db/tenant.ts'
import type { LineItem } from '../../line_items/line.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { refusals } from '../refusals.ts'

/** Throws `invalid_input` unless all jobs of an invoice are its customer's. */
export async function requireJobsOf(db: Db, customer: string, jobs: readonly string[]): Promise<void> {
  if (jobs.length === 0) return
  const existingJobs = await db.all<{ id: string }>(sql`select id from jobs
    where tenant_id = ${db.tenant} and customer_id = ${customer} and id = any(${[...jobs]}::uuid[]) for key share`)
  const existingIds = new Set(existingJobs.map(({ id }) => id))
  const unknownIndex = jobs.findIndex((id) => !existingIds.has(id))
  if (unknownIndex >= 0) throw invalidField(`job_ids[${unknownIndex}]`, refusals.unknownJob())
}

/** Returns the fields that an invoice copies from a job. */
export const findJobSource = (
  db: Db,
  id: string,
): Promise<{ customer_id: string; line_items: LineItem[] } | undefined> =>
  db.maybe(sql`select customer_id, line_items from jobs where tenant_id = ${db.tenant} and id = ${id}`)

/** Replaces the jobs that an invoice bills. */
export async function billJobs(db: Db, invoice: string, jobs: readonly string[]): Promise<void> {
  await Promise.all([
    db.run(
      sql`delete from invoice_jobs
        where tenant_id = ${db.tenant} and invoice_id = ${invoice} and job_id <> all(${[...jobs]}::uuid[])`,
    ),
    db.run(
      insertSelected(sql`insert into invoice_jobs (tenant_id, invoice_id, job_id)
      select ${db.tenant}, ${invoice}, unnest(${[...new Set(jobs)]}::uuid[]) on conflict do nothing`),
    ),
  ])
}
