import { signWorkOrder } from '../../mobile/signatures/signing.ts'
import { toWorkOrder } from '../../mobile/signatures/work_order.ts'
import { pageResponse } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { say } from '../../platform/i18n/say.ts'
import { Refusal, conflict } from '../../platform/errors/refusal.ts'
import { multilineText } from '../../records/page/parts.ts'
import { quantity } from '../../records/format/units.ts'
import { hashOfContent } from '../../platform/validation/canonical.ts'
import { signaturePad } from '../customer_portal/quote/acceptance.ts'
import { statusOf } from '../faults.ts'
import { frame } from '../frame.ts'
import { redirectWithMessage } from '../flash_message.ts'
import type { Site } from '../site.ts'
import { toAuthor, nowText, openJob, type JobContext } from './job_context.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Shows the work order to the person who signs it, with fields for the name and signature. */
export const showSigning = async (site: Site, request: PageRequest): Promise<Response> =>
  signingPage(await openJob(site, request, 'write:jobs'))

/** Saves the signature of the content shown; if the work order changed meanwhile, shows it again. */
export async function saveSignature(site: Site, request: PageRequest): Promise<Response> {
  const opened = await openJob(site, request, 'write:jobs')
  const { context, job, there } = opened
  const sent = await readFormFields(request.req.raw)
  const name = sent.get('name') ?? ''
  try {
    if (sent.get('shown') !== workOrderHash(opened))
      throw conflict(say`The work order changed in the meantime. Read it again.`)
    const signature = { name, drawing: sent.get('signature') ?? '', at: nowText(), by: toAuthor(context) }
    await context.write((db) => signWorkOrder(db, job, signature))
    return redirectWithMessage(`${there}#signatures`, { sentence: say`Signed by ${name.trim()}` })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return signingPage(opened, { name: name.slice(0, 200), refusal: error })
  }
}

const workOrderHash = ({ job }: JobContext): string => hashOfContent(toWorkOrder(job)).toString('hex')

function signingPage(opened: JobContext, failure?: { name: string; refusal: Refusal }): Response {
  const { context, job, there } = opened
  const { lines } = toWorkOrder(job)
  return pageResponse(
    frame(context, {
      title: say`Sign`,
      here: context.path('jobs'),
      width: 'narrow',
      styles: ['customer.css'],
      scripts: ['signature.js'],
      body: html`
<section class="ticket">
  <p class="eyebrow">${say`Work order`} ${job.display_number}</p>
  <h1>${job.title}</h1>${when(failure, ({ refusal }) => refusalNotice(refusal))}
  ${when(job.description, (description) => multilineText(description))}${when(
    lines.length > 0,
    () => html`
  <ul>${lines.map((line) => html`<li>${line.name}, ${quantity(line.quantity, line.unit)}</li>`)}</ul>`,
  )}
  <p class="lead">${say`The work described above was completed to my satisfaction.`}</p>
  <form class="form" method="post" action="${there}/sign">
    ${hidden('shown', workOrderHash(opened))}
    ${field({
      name: 'name',
      label: say`Signer's name`,
      value: failure?.name ?? '',
      isRequired: true,
      help: say`The typed name counts as the signature.`,
    })}
    ${signaturePad()}
    <p class="actions">
      ${button({ label: say`Sign`, kind: 'main' })}${linkButton(say`Cancel`, `${there}#signatures`, 'quiet')}
    </p>
  </form>
</section>`,
    }),
    { status: failure === undefined ? 200 : statusOf(failure.refusal) },
  )
}
