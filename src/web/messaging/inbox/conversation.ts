import { linkButton } from '../../../platform/html/parts/button.ts'
import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { listMessages } from '../../../messaging/inbox/inbox.ts'
import { part } from '../../../records/page/parts.ts'
import type { MemberContext } from '../../member_context.ts'
import { isUnread, messageHtml } from './message_item.ts'
import { readButton } from './reading.ts'

const MAX_SHOWN = 10

/** Draws what was written with a customer lately, newest last, and the way to write to them. */
export async function conversationHtml(context: MemberContext, customer: string): Promise<Html> {
  const { rows, earlier } = await context.read((db) => listMessages(db, { customer }, { limit: MAX_SHOWN }))
  const back = context.path('customers', customer)
  const all = context.path('messages', 'with', customer)
  return part(
    say`Conversation`,
    rows.length === 0
      ? html`<p class="help">${say`No messages yet`}</p>`
      : html`
<ol class="messages">${rows.map((message) => messageHtml(context, message))}
</ol>`,
    html`${rows.some(isUnread) ? readButton(context, { customer }, rows.at(-1)!.id, back) : ''}${when(
      context.may('write:customers'),
      () => linkButton(say`Write`, `${all}#reply`),
    )}${when(earlier, (earlier) => linkButton(say`Earlier messages`, `${all}?before=${earlier}`, 'quiet'))}`,
  )
}
