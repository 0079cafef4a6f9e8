import { html, when } from '../../../platform/html/html.ts'
import type { Message } from '../../../messaging/inbox/inbox.ts'
import { isUnread, messageBody, messageHead } from '../../messaging/inbox/message_item.ts'
import { mayReadMessages } from '../../../messaging/inbox/rights.ts'
import type { OutboxEntry } from '../../../messaging/outbox/list.ts'
import { logText, recipientHtml } from '../../messaging/compose/sent_log.ts'
import { stateTag } from '../../messaging/outbox/words.ts'
import type { MemberContext } from '../../member_context.ts'
import type { TimelineEvent } from './timeline.ts'

/** Returns the event of an inbound or outbound message, always as plain text. */
export const messageEvent = (context: MemberContext, message: Message): TimelineEvent => ({
  id: message.id,
  at: message.occurred_at,
  icon: 'messages',
  ...(isUnread(message) ? { look: 'new' } : {}),
  head: () => messageHead(context, message),
  body: () => html`<div class="said ${message.direction}">${messageBody(context, message)}</div>`,
})

/** Returns the event of a message about a record: recipient, reason and delivery status. */
export const outgoingEvent = (context: MemberContext, entry: OutboxEntry): TimelineEvent => ({
  id: entry.id,
  at: entry.created_at,
  icon: 'messages',
  head: () => html`${recipientHtml(context, entry)} ${stateTag(entry)}`,
  body: () =>
    html`<p class="help">${logText(context, entry)}</p>${when(
      mayReadMessages(context) && entry.body,
      (body) => html`<div class="said outbound"><p class="written">${body}</p></div>`,
    )}`,
})
