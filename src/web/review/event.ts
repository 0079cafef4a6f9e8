import { facts } from '../../platform/html/parts/facts.ts'
import { field } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when } from '../../platform/html/html.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import {
  assignParkedEvent,
  discardParkedEvent,
  openParkedEvent,
  replayParkedEvent,
  type ParkedDetails,
} from '../../payments/events/parked_review.ts'
import type { Refusal } from '../../platform/errors/refusal.ts'
import { moment, money } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import type { Site } from '../site.ts'
import { allMessagesLink, decisionForms, applyDecision } from './list.ts'
import { effectText, parkedReasonText } from './event_words.ts'
import { companyField } from './message.ts'
import type { ReviewQueue } from './queue.ts'
import { say, sayFor } from '../../platform/i18n/say.ts'
import { refusalNotice } from '../refusal_notice.ts'

/** Shows a waiting payment event as received, and what it would do. */
export const showEvent = async ({ database }: Site, request: PageRequest, queue: ReviewQueue): Promise<Response> =>
  page(queue, await openParkedEvent(database, queue.scope, request.req.param('id') ?? ''))

export async function decideEvent(
  { database, paymentsMode }: Site,
  request: PageRequest,
  queue: ReviewQueue,
): Promise<Response> {
  const id = request.req.param('id') ?? ''
  const event = await openParkedEvent(database, queue.scope, id)
  const sent = await readFormFields(request.req.raw)
  const invoice = sent.get('invoice')?.trim() ?? ''
  const target = { tenant: sent.get('tenant') ?? '', ...(invoice === '' ? {} : { invoice }) }
  const decisions = {
    assign: () => assignParkedEvent(database, queue.scope, id, target),
    replay: () => replayParkedEvent(database, queue.scope, id, paymentsMode),
    discard: () => discardParkedEvent(database, queue.scope, id),
  }
  return applyDecision(queue, sent, decisions, (refusal) => page(queue, event, refusal))
}

const page = (queue: ReviewQueue, event: ParkedDetails, refusal?: Refusal): Response =>
  queue.page(
    say`Quarantined payment event`,
    html`
<header class="page-head">
  <div>
    <p class="eyebrow">${say`Quarantined payment event`}</p>
    <h1>${event.type ?? event.event_id}</h1>
  </div>${allMessagesLink(queue)}</header>${when(refusal, refusalNotice)}
${facts([
  { label: say`Why it is in quarantine`, value: parkedReasonText(event.reason) },
  { label: say`Account`, value: event.account_id ?? sayFor('company')`None` },
  { label: say`Effect`, value: effectText(event.effect), says: amountOf(event) },
  { label: say`Invoice`, value: event.invoice?.display_number ?? event.invoice_id ?? sayFor('invoice')`None` },
  { label: say`Received`, value: moment(event.received_at, queue.zone) },
  { label: say`Id`, value: event.event_id },
])}
${decisionForms(
  `${queue.base}/events/${event.id}`,
  html`${companyField(queue)}${field({
    name: 'invoice',
    label: say`Invoice id`,
    value: event.invoice_id ?? '',
    help: say`The one that is paid`,
  })}`,
)}
${part(say`As it came`, html`<pre class="code"><code>${event.text}</code></pre>`)}`,
    refusal,
  )

function amountOf({ amount_cents, currency }: ParkedDetails): string | undefined {
  if (amount_cents === null) return undefined
  try {
    return money(amount_cents, currency ?? '')
  } catch {
    return `${amount_cents} ${currency ?? ''}`
  }
}
