import { facts } from '../../platform/html/parts/facts.ts'
import { field, hidden } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import {
  assignQuarantined,
  discardQuarantined,
  openQuarantined,
  replayQuarantined,
  type QuarantinedMessage,
} from '../../messaging/inbox/quarantine/quarantine_review.ts'
import { reasonText } from '../../files/screening/screening.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment, phone } from '../../records/format/formats.ts'
import { part, multilineText } from '../../records/page/parts.ts'
import type { Site } from '../site.ts'
import { allMessagesLink, decisionForms, quarantineReasonText, applyDecision } from './list.ts'
import type { ReviewQueue } from './queue.ts'
import { say } from '../../platform/i18n/say.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Shows a waiting message in full, and the possible decisions. */
export const showMessage = async ({ database }: Site, request: PageRequest, queue: ReviewQueue): Promise<Response> =>
  page(queue, await openQuarantined(database, queue.scope, request.req.param('id') ?? ''))

export async function decideMessage({ database }: Site, request: PageRequest, queue: ReviewQueue): Promise<Response> {
  const id = request.req.param('id') ?? ''
  const message = await openQuarantined(database, queue.scope, id)
  const sent = await readFormFields(request.req.raw)
  const decisions = {
    assign: () => assignQuarantined(database, queue.scope, id, sent.get('tenant') ?? ''),
    replay: () => replayQuarantined(database, queue.scope, id),
    discard: () => discardQuarantined(database, queue.scope, id),
  }
  return applyDecision(queue, sent, decisions, (refusal) => page(queue, message, refusal))
}

const MAX_RECIPIENTS = 20

const page = (queue: ReviewQueue, message: QuarantinedMessage, refusal?: Refusal): Response =>
  queue.page(
    say`Quarantined message`,
    html`
<header class="page-head">
  <div>
    <p class="eyebrow">${say`Quarantined message`}</p>
    <h1>${message.subject ?? say`From ${phone(message.sender)}`}</h1>
  </div>${allMessagesLink(queue)}</header>${when(refusal, refusalNotice)}
${facts([
  { label: say`From`, value: phone(message.sender) },
  { label: say`To`, value: message.recipients.slice(0, MAX_RECIPIENTS).map(phone).join(', ') },
  { label: say`Received`, value: moment(message.received_at, queue.zone) },
  { label: say`By`, value: message.channel === 'sms' ? say`Text message` : say`Email` },
  { label: say`Why it is in quarantine`, value: quarantineReasonText(message.reason) },
  ...(message.dmarc === null ? [] : [{ label: say`Sender checked (DMARC)`, value: dmarcText(message.dmarc) }]),
])}
${part(say`Message`, multilineText(message.body))}
${when(message.attachments.length > 0, () =>
  part(
    say`Attachments`,
    html`<ul class="links">${message.attachments.map(
      ({ file_name, content_type, reason }) => html`
  <li>${file_name} <span class="help">${content_type}${reason === null ? '' : `: ${reasonText(reason)}`}</span></li>`,
    )}</ul>`,
  ),
)}
${decisionForms(`${queue.base}/messages/${message.id}`, companyField(queue))}`,
    refusal,
  )

/** Renders the company field for operators; an owner's is fixed to their own company. */
export const companyField = ({ scope }: ReviewQueue): Html =>
  scope.tenant === null
    ? field({ name: 'tenant', label: say`Company id`, isRequired: true })
    : html`<p class="help">${say`To this company.`}</p>${hidden('tenant', scope.tenant)}`

const dmarcText = (dmarc: 'pass' | 'fail' | 'neutral' | 'none'): string => DMARC_TEXTS[dmarc]()

const DMARC_TEXTS: Readonly<Record<'pass' | 'fail' | 'neutral' | 'none', () => string>> = {
  pass: () => say`Passed`,
  fail: () => say`Failed`,
  neutral: () => say`Inconclusive`,
  none: () => say`Not checked`,
}
