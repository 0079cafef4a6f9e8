import type { Job } from '../../records/jobs/index.ts'
import { isAsSigned, listSignatures, type JobSignature } from '../../mobile/signatures/work_order.ts'
import { linkButton } from '../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { say } from '../../platform/i18n/say.ts'
import { moment } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { drawingHtml } from '../customer_portal/quote/acceptance.ts'
import type { MemberContext } from '../member_context.ts'
import type { VisitRecord } from './job_context.ts'

const MAX_SHOWN = 5

/** Renders who signed a job's work order, and whether it has changed since. */
export async function signaturePart(context: MemberContext, job: Job): Promise<VisitRecord> {
  const signatures = await context.read((db) => listSignatures(db, [job.id]))
  const maySign = context.may('write:jobs') && job.status !== 'cancelled'
  const signLink = (label: string): Html | '' =>
    when(maySign, () => linkButton(label, context.path('jobs', job.id, 'sign')))
  if (signatures.length === 0) return { part: '', start: signLink(say`Get a signature`) }
  return {
    part: html`<div id="signatures">${part(
      say`Signature`,
      html`${signatures.slice(0, MAX_SHOWN).map((one) => signatureHtml(context, job, one))}`,
      signLink(say`Sign again`),
    )}</div>`,
    start: '',
  }
}

const signatureHtml = ({ company }: MemberContext, job: Job, one: JobSignature): Html => html`${when(
  one.drawing,
  (drawing) => drawingHtml(one.name, drawing),
)}
  <p><b>${one.name}</b>, <time datetime="${one.signed_at}">${moment(one.signed_at, company.timezone)}</time></p>
  <p class="help">${when(
    one.taken_by_name,
    (name) => html`${say`Taken by ${name}`} · `,
  )}${say`Fingerprint of what was signed`} <code>${one.hash.slice(0, 16)}</code>${when(
    !isAsSigned(one, job),
    () => html` · ${say`The work order has changed since.`}`,
  )}</p>`
