import { sql, type Db } from '../../platform/db/tenant.ts'
import type { Job } from '../../records/jobs/index.ts'
import { hashOfContent } from '../../platform/validation/canonical.ts'

/** Content of a work order that its customer signs: never prices or instructions for the crew. */
type WorkOrderContent = Pick<Job, 'display_number' | 'customer_name' | 'location_address' | 'title' | 'description'> & {
  lines: { name: string; description: string | null; quantity: number | null; unit: string | null }[]
}

export type SignableJob = Pick<
  Job,
  'id' | 'display_number' | 'customer_name' | 'location_address' | 'title' | 'description' | 'line_items'
>

/** Returns the current content of a job's work order. */
export const toWorkOrder = (job: SignableJob): WorkOrderContent => ({
  display_number: job.display_number,
  customer_name: job.customer_name,
  location_address: job.location_address,
  title: job.title,
  description: job.description,
  lines: job.line_items
    .filter(({ kind }) => kind !== 'discount')
    .map(({ name, description, quantity, unit }) => ({ name, description, quantity, unit })),
})

/** Signature of a work order, with the content that was signed. */
export type JobSignature = {
  id: string
  job_id: string
  signed_at: string
  name: string
  drawing: string | null
  taken_by_name: string | null
  /** SHA-256 of the canonical content, in hexadecimal. */
  hash: string
  content: WorkOrderContent
}

/** Lists the signatures of jobs, newest first. */
export const listSignatures = (db: Db, jobs: readonly string[]): Promise<JobSignature[]> =>
  db.all<JobSignature>(sql`select s.id, s.job_id, s.signed_at, s.name, s.drawing, u.name as taken_by_name,
      encode(s.hash, 'hex') as hash, s.content
    from job_signatures s left join users u on u.id = s.taken_by
    where s.tenant_id = ${db.tenant} and s.job_id = any(${[...jobs]}::uuid[]) order by s.signed_at desc, s.id desc
    limit 500`)

/** Checks whether the work order still has the content that was signed. */
export const isAsSigned = ({ hash }: Pick<JobSignature, 'hash'>, job: SignableJob): boolean =>
  hashOfContent(toWorkOrder(job)).toString('hex') === hash
