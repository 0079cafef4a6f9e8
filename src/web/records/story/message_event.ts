import { html } from '../../../platform/html/html.ts'
import type { Message } from '../../../messaging/inbox/inbox.ts'
import { isUnread, messageBody, messageHead } from '../../messaging/inbox/message_item.ts'
import type { MemberContext } from '../../member_context.ts'
import type { StoryEvent } from './story.ts'

/** Returns a message that came or went, as text, whatever it holds. */
export const messageEvent = (context: MemberContext, message: Message): StoryEvent => ({
  id: message.id,
  at: message.occurred_at,
  icon: 'messages',
  ...(isUnread(message) ? { look: 'new' } : {}),
  head: () => messageHead(context, message),
  body: () => html`<div class="said ${message.direction}">${messageBody(context, message)}</div>`,
})
