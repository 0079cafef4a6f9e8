import { mayWriteMessages } from '../../../messaging/inbox/rights.ts'
import { pageResponse, redirect } from '../../../platform/http/answer.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { linkButton } from '../../../platform/html/parts/button.ts'
import { pager } from '../../../platform/html/parts/pager.ts'
import type { PageRequest } from '../../../platform/http/page_request.ts'
import { say } from '../../../platform/i18n/say.ts'
import type { Db } from '../../../platform/db/tenant.ts'
import { listMessages, type Messages } from '../../../messaging/inbox/inbox.ts'
import { findPreparedAnswer, type PreparedAnswer } from '../../../assistant/preparing.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { listUnclearNumbers } from '../../../messaging/opt_out/suppression.ts'
import type { Refusal } from '../../../platform/errors/refusal.ts'
import { isId } from '../../../platform/validation/id.ts'
import { requireMemberContext, type MemberContext } from '../../member_context.ts'
import { statusOf } from '../../faults.ts'
import { frame } from '../../frame.ts'
import type { Site } from '../../site.ts'
import { conversationActions, archiveHtml } from './actions.ts'
import { isUnread, messageHtml } from './message_item.ts'
import { unclearStopHtml } from './opt_out.ts'
import {
  listReplyAddresses,
  readSenderStatus,
  type ReplyAddress,
  type SenderStatus,
} from '../../../messaging/inbox/reply_address.ts'
import { markReadButton, requireReadAccess } from './reading.ts'
import { replyHtml } from './reply_form.ts'
import { requireCounterpart, type Counterpart } from './counterpart.ts'

const MAX_SHOWN = 25

/** Shows a conversation across all channels, newest message last, with the reply form. */
export async function showPerson(site: Site, request: PageRequest): Promise<Response> {
  const context = await requireMemberContext(site, request)
  requireReadAccess(context)
  const person = await requireCounterpart(context, request)
  if (person.path !== request.req.path) return redirect(person.path)
  return personPage(site, context, person, new URL(request.req.url).searchParams)
}

/** Draws the page. `refusal` is the reason why the typed message wasn't sent. */
export async function personPage(
  site: Site,
  context: MemberContext,
  person: Counterpart,
  form: URLSearchParams,
  refusal?: Refusal,
): Promise<Response> {
  const before = form.get('before') ?? ''
  const { customer, stranger, name, correspondent, path } = person
  const filter = customer === null ? { stranger: stranger! } : { customer }
  const mayWrite = mayWriteMessages(context)
  const [messages, replyAddresses, senderStatus, unclear] = await context.read((db) =>
    Promise.all([
      listMessages(db, filter, { limit: MAX_SHOWN, ...(isId(before) ? { before } : {}) }),
      mayWrite ? listReplyAddresses(db, { customer, stranger }, context.user.id) : ([] as ReplyAddress[]),
      senderStatusOf(site, db),
      listUnclearNumbers(db, { customer, stranger }),
    ]),
  )
  const prepared =
    correspondent &&
    (await findPreparedAnswer(site.database, context.company.id, context.user.id, correspondent.last_id))
  const actions = await conversationActions(context, person)
  return pageResponse(
    frame(context, {
      title: name,
      here: context.path('messages'),
      width: 'wide',
      styles: ['conversations.css'],
      scripts: ['conversation.js', 'text_parts.js'],
      body: html`
<header class="page-head">
  <div>
    <p class="eyebrow"><a href="${context.path('messages')}">${say`Messages`}</a></p>
    <h1>${customer === null ? name : html`<a href="${context.path('customers', customer)}">${name}</a>`}</h1>
  </div>
  <div class="actions">${nextStepsHtml(context, person, messages)}${archiveHtml(context, person)}</div>
</header>
${actions}
${pager({
  label: say`Earlier messages`,
  previous: messages.earlier === null ? undefined : `${path}?before=${messages.earlier}`,
  next: before === '' ? undefined : path,
})}
${threadHtml(context, messages)}${unclear.map((one) => unclearStopHtml(context, one, path))}${when(
        mayWrite && messages.rows.some(isUnread) && messages.rows.at(-1),
        (last) => html`
<div class="reads">${markReadButton(context, filter, last.id, path)}</div>`,
      )}${when(mayWrite && correspondent?.blocked_at == null, () => draftNotice(context, prepared, path))}${when(
        mayWrite && correspondent?.blocked_at == null,
        () => replyHtml({ person, replyAddresses, senderStatus, form: withPrepared(form, prepared), refusal }),
      )}`,
    }),
    { status: refusal === undefined ? 200 : statusOf(refusal) },
  )
}

/** Draws a notice of a prepared answer, for the person whose assistant prepared it. */
const draftNotice = (context: MemberContext, prepared: PreparedAnswer | undefined, path: string): Html | '' =>
  prepared === undefined
    ? ''
    : notice({
        kind: 'info',
        title: say`The assistant prepared an answer`,
        body: html`<a href="${context.path('assistant', prepared.conversation)}">${say`See what it found`}</a>${when(
          prepared.text,
          () => html` · <a href="${path}?prepared=1#reply">${say`Use this answer`}</a>`,
        )}`,
      })

/** Fills the form with the prepared answer if it was requested. */
function withPrepared(form: URLSearchParams, prepared: PreparedAnswer | undefined): URLSearchParams {
  if (prepared === undefined || !form.has('prepared') || form.has('body')) return form
  return new URLSearchParams([...form, ['body', prepared.text]])
}

const senderStatusOf = (site: Site, db: Db): Promise<SenderStatus> => readSenderStatus(db, site.senders)

const threadHtml = (context: MemberContext, { rows }: Messages): Html =>
  rows.length === 0
    ? html`<p class="empty">${say`No messages yet`}</p>`
    : html`
<ol class="messages thread">${rows.map((message) => messageHtml(context, message))}
</ol>`

/** Draws the next steps: book a job with the last message as notes, or link the sender to a customer. */
function nextStepsHtml(context: MemberContext, { customer, stranger }: Counterpart, { rows }: Messages): Html {
  const last = rows.findLast(({ direction }) => direction === 'inbound')
  const query = new URLSearchParams(customer === null ? { q: stranger! } : { customer_id: customer })
  if (last !== undefined) query.set('confirm', 'yes')
  if (last !== undefined) query.set('notes', Array.from(last.body).slice(0, MAX_CARRIED).join(''))
  return html`${when(context.may('read:jobs') && context.may('write:jobs') && context.may('write:customers'), () =>
    linkButton(say`Book job`, `${context.path('calls', 'new')}?${query.toString()}`),
  )}${when(customer === null && mayWriteMessages(context) && last?.conversation_id, (conversation) =>
    linkButton(say`Whose message is it?`, context.path('messages', conversation, 'link')),
  )}`
}

/** Maximum characters of a message carried over to a booking. */
const MAX_CARRIED = 500
