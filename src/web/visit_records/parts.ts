import { mediaForm, mediaPart, type Job } from '../../records/jobs/index.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import type { MemberContext } from '../member_context.ts'
import type { VisitRecord } from './job_context.ts'
import { checklistPart } from './checklist_part.ts'
import { jobEquipment } from './equipment_part.ts'
import { signaturePart } from './signature_part.ts'
import { timePart } from './time_part.ts'

/** Renders the visit records on the page of a job; those that are still empty only as start buttons, in one row. */
export async function visitRecords(context: MemberContext, job: Job): Promise<Html> {
  const media: VisitRecord = {
    part: mediaPart(context, job),
    start: when(job.media.length === 0, () => mediaForm(context, job)),
  }
  const records = [
    media,
    ...(await Promise.all([
      jobEquipment(context, job),
      checklistPart(context, job),
      timePart(context, job),
      signaturePart(context, job),
    ])),
  ]
  const startControls = records.map(({ start }) => start).filter((start) => start !== '')
  return html`${records.map(({ part }) => part)}${when(
    startControls.length > 0,
    () => html`
<section class="part on-site" aria-labelledby="on-site-head"><h2 id="on-site-head">${say`On site`}</h2>
  <div class="actions">${startControls}</div></section>`,
  )}`
}
