import { findJob } from '../../records/jobs/index.ts'
import { html, type Html } from '../../platform/html/html.ts'
import { jobProfitPart } from '../accounting/profit/job_part.ts'
import type { MemberContext } from '../member_context.ts'
import { checklistPart } from './checklist_part.ts'
import { signaturePart } from './signature_part.ts'
import { timePart } from './time_part.ts'

/** Draws what was recorded on site, on the page of its job. */
export async function visitRecords(context: MemberContext, id: string): Promise<Html> {
  const job = await context.read((db) => findJob(db, id))
  const [checklists, time, signatures, profit] = await Promise.all([
    checklistPart(context, job),
    timePart(context, job),
    signaturePart(context, job),
    jobProfitPart(context, id),
  ])
  return html`${checklists}${time}${signatures}${profit}`
}
