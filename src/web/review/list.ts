import { redirect } from '../../platform/http/answer.ts'
import { button, linkButton } from '../../platform/html/parts/button.ts'
import { field } from '../../platform/html/parts/field.ts'
import { readFormFields } from '../../platform/http/form.ts'
import { html, when, type Html } from '../../platform/html/html.ts'
import { notice } from '../../platform/html/parts/notice.ts'
import { pager } from '../../platform/html/parts/pager.ts'
import { table } from '../../platform/html/parts/table.ts'
import type { PageRequest } from '../../platform/http/page_request.ts'
import { listParkedEvents, type ParkedEvent } from '../../payments/events/parked_events.ts'
import { listQuarantined, type QuarantineEntry } from '../../messaging/inbox/quarantine/quarantine.ts'
import { discardManyQuarantined } from '../../messaging/inbox/quarantine/quarantine_review.ts'
import { Refusal, invalidField } from '../../platform/errors/refusal.ts'
import { moment, phone } from '../../records/format/formats.ts'
import { part } from '../../records/page/parts.ts'
import { isId } from '../../platform/validation/id.ts'
import type { Site } from '../site.ts'
import type { ReviewQueue } from './queue.ts'
import { parkedReasonText } from './event_words.ts'
import { say, sayCount, sayFor } from '../../platform/i18n/say.ts'
import { refusalNotice } from '../refusal_notice.ts'
import { refusals } from '../refusals.ts'

const PAGE_SIZE = 25

/** Returns why a message is in quarantine. */
export const quarantineReasonText = (reason: QuarantineEntry['reason']): string =>
  reason === 'no_tenant' ? say`No company has this number or mailbox` : say`Another message arrived with the same ID`

/** Shows waiting messages, and payment events that can't be booked automatically. */
export const showWaiting = (site: Site, request: PageRequest, queue: ReviewQueue): Promise<Response> =>
  page(site, request, queue)

/** Discards many messages at once. */
export async function discardWaiting(site: Site, request: PageRequest, queue: ReviewQueue): Promise<Response> {
  const sent = await readFormFields(request.req.raw)
  const [sender, domain, days] = ['sender', 'domain', 'days'].map((name) => sent.get(name) ?? '') as [
    string,
    string,
    string,
  ]
  try {
    const count = await discardManyQuarantined(site.database, queue.scope, { sender, domain, days })
    return redirect(`${queue.base}?discarded=${count}`)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return page(site, request, queue, error)
  }
}

async function page(
  { database }: Site,
  request: PageRequest,
  queue: ReviewQueue,
  refusal?: Refusal,
): Promise<Response> {
  const searchParams = new URL(request.req.url).searchParams
  const [messages, events] = await Promise.all([
    listQuarantined(database, queue.scope, { limit: PAGE_SIZE, ...readCursor(searchParams, 'message') }),
    listParkedEvents(database, queue.scope, { limit: PAGE_SIZE, ...readCursor(searchParams, 'event') }),
  ])
  const discarded = searchParams.get('discarded') ?? ''
  return queue.page(
    say`Quarantine`,
    html`
<header class="page-head">
  <h1>${say`Quarantined messages and events`}</h1>${when(
    queue.scope.tenant === null,
    () => html`<div class="actions">${linkButton(say`Health`, '/operator/health', 'quiet')}</div>`,
  )}
</header>
<p class="lead">${
      queue.scope.tenant === null
        ? say`What arrived at this service and waits for an operator. Times are UTC. A message that nobody decides on is deleted after 90 days.`
        : say`What arrived for the company and waits for an owner. A message that nobody decides on is deleted after 90 days.`
    }</p>${when(refusal, refusalNotice)}${when(/^\d{1,9}$/.test(discarded), () =>
      notice({
        kind: 'good',
        title: sayCount(Number(discarded), 'One message was discarded', '{0} messages were discarded'),
      }),
    )}
${messageTable(messages.rows, queue)}
${moreLink(queue, 'message', say`More messages`, messages.next)}
${when(messages.rows.length > 0, () => discardForm(queue))}
${eventTable(events.rows, queue)}
${moreLink(queue, 'event', say`More events`, events.next)}`,
    refusal,
  )
}

const readCursor = (searchParams: URLSearchParams, name: string): { before?: string } => {
  const id = searchParams.get(name) ?? ''
  return isId(id) ? { before: id } : {}
}

const moreLink = ({ base }: ReviewQueue, name: string, label: string, next: string | null): Html | '' =>
  pager({ label, next: next === null ? undefined : `${base}?${name}=${next}` })

const messageTable = (rows: readonly QuarantineEntry[], { base, zone }: ReviewQueue): Html =>
  table<QuarantineEntry>({
    caption: say`Messages`,
    rows,
    empty: say`No messages in quarantine.`,
    columns: [
      { label: say`From`, cell: ({ id, sender }) => html`<a href="${base}/messages/${id}">${phone(sender)}</a>` },
      {
        label: say`To`,
        cell: ({ recipients }) => html`<span class="mail">${recipients.slice(0, 3).map(phone).join(', ')}</span>`,
      },
      { label: say`Message`, cell: ({ subject, excerpt }) => (subject ?? excerpt).slice(0, 120) },
      { label: say`Why`, cell: ({ reason }) => quarantineReasonText(reason) },
      { label: say`Received`, cell: ({ received_at }) => moment(received_at, zone) },
    ],
  })

/** Renders the form that discards messages; they must match everything filled in. */
const discardForm = ({ base }: ReviewQueue): Html =>
  part(
    say`Discard many`,
    html`
<form class="form" method="post" action="${base}">
  <p class="help">${say`Deletes the messages that match everything you fill in. This can't be undone.`}</p>
  ${field({ name: 'sender', label: say`Sender`, help: say`An address or a number` })}${field({
    name: 'domain',
    label: say`Domain`,
    help: say`Such as example.com`,
  })}${field({
    name: 'days',
    label: say`Older than (days)`,
    keys: 'numeric',
  })}<p class="actions">${button({ label: say`Discard`, kind: 'danger' })}</p></form>`,
  )

const eventTable = (rows: readonly ParkedEvent[], { base, zone }: ReviewQueue): Html =>
  table<ParkedEvent>({
    caption: say`Payment events`,
    rows,
    empty: say`No payment events in quarantine.`,
    columns: [
      {
        label: say`Event`,
        cell: ({ id, type, event_id }) => html`<a href="${base}/events/${id}">${type ?? event_id}</a>`,
      },
      { label: say`Account`, cell: ({ account_id }) => account_id ?? sayFor('company')`None` },
      { label: say`Why`, cell: ({ reason }) => parkedReasonText(reason) },
      { label: say`Received`, cell: ({ received_at }) => moment(received_at, zone) },
    ],
  })

/** Renders the link back to the list. */
export const allMessagesLink = ({ base }: ReviewQueue): Html =>
  html`<p class="actions">${linkButton(say`Back to quarantine`, base, 'quiet')}</p>`

type Decisions = Readonly<Record<'assign' | 'replay' | 'discard', () => Promise<unknown>>>

/** Applies the decision in a form; shows the item again if it is refused. */
export async function applyDecision(
  queue: ReviewQueue,
  sent: URLSearchParams,
  decisions: Decisions,
  onRefusal: (refusal: Refusal) => Response,
): Promise<Response> {
  const action = sent.get('act')
  try {
    if (action !== 'assign' && action !== 'replay' && action !== 'discard')
      throw invalidField('act', refusals.unknownReviewAction())
    await decisions[action]()
    return redirect(queue.base)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return onRefusal(error)
  }
}

/** Renders the decisions about an item, each in its own form, so that a submit does only one thing. */
export const decisionForms = (action: string, assign: Html): Html => html`
<div class="parts thirds">
  <section class="part">
    <h2>${say`Assign`}</h2>
    <form class="form" method="post" action="${action}">${assign}<p class="actions">${button({
      label: say`Assign`,
      kind: 'main',
      name: 'act',
      value: 'assign',
    })}</p>
    </form>
  </section>
  <section class="part">
    <h2>${say`Try again`}</h2>
    <form class="form" method="post" action="${action}">
      <p class="help">${say`Delivers it with the current settings.`}</p>
      <p class="actions">${button({ label: say`Try again`, name: 'act', value: 'replay' })}</p>
    </form>
  </section>
  <section class="part">
    <h2>${say`Discard`}</h2>
    <form class="form" method="post" action="${action}">
      <p class="help">${say`It has no effect and is deleted. This can't be undone.`}</p>
      <p class="actions">${button({ label: say`Discard`, kind: 'danger', name: 'act', value: 'discard' })}</p>
    </form>
  </section>
</div>`
