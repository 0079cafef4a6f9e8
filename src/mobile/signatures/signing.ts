import { auditChange } from '../../identity/audit.ts'
import { readName } from '../../identity/inputs.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { hashOfContent } from '../../platform/validation/canonical.ts'
import { readSignaturePath } from '../../platform/validation/text/signature_path.ts'
import { newId } from '../../platform/validation/id.ts'
import { toWorkOrder, type SignableJob } from './work_order.ts'
import { refusals } from './refusals.ts'

/** Maximum signatures of a job: one per day of long work, and again after changes. */
const MAX_SIGNATURES = 50

/** Signature as given: the name as typed, and the drawing as path data; empty if only a name was typed. */
export type SignatureInput = { name: string; drawing: string; at: string; by: { user: string } }

/** Stores a signature of a job's work order, with its current content and hash; it is immutable. */
export async function signWorkOrder(db: Db, job: SignableJob, input: SignatureInput): Promise<void> {
  const name = readName(input.name, 'name', 100)
  const drawing = readSignaturePath(input.drawing, 'drawing')
  await db.present(sql`select id from jobs where tenant_id = ${db.tenant} and id = ${job.id} for no key update`, 'job')
  const { count } = await db.one<{ count: number }>(
    sql`select count(*) as count from job_signatures where tenant_id = ${db.tenant} and job_id = ${job.id}`,
  )
  if (count >= MAX_SIGNATURES) throw conflict(refusals.tooMany({ max: MAX_SIGNATURES }))
  const content = toWorkOrder(job)
  await db.run(sql`insert into job_signatures (tenant_id, id, job_id, signed_at, name, drawing, taken_by, hash, content)
    values (${db.tenant}, ${newId()}, ${job.id}, ${input.at}, ${name}, ${drawing}, ${input.by.user},
      ${hashOfContent(content)}, ${JSON.stringify(content)})`)
  await db.run(auditChange(db.tenant, input.by, 'jobs.sign', job.id, { signed_by: [null, name] }))
}
