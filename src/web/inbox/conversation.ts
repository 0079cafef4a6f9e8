import { linkButton } from '../../html/button.ts'
import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import { listMessages } from '../../messages/inbox.ts'
import { part } from '../../screens/parts.ts'
import type { Workdesk } from '../desk.ts'
import { isUnread, messageHtml } from './message_item.ts'
import { readButton } from './reading.ts'

const MOST = 10

/** What was written with a customer lately, newest last. */
export async function conversationHtml(desk: Workdesk, customer: string): Promise<Html> {
  const { rows, earlier } = await desk.read((db) => listMessages(db, { customer }, { limit: MOST }))
  const back = desk.path('customers', customer)
  return part('Conversation', rows.length === 0 ? html`<p class="help">No messages yet. What comes to the company's number or address is shown here.</p>` : html`
<ol class="messages">${rows.map((message) => messageHtml(desk, message))}
</ol>`, html`${rows.some(isUnread) ? readButton(desk, { customer }, rows.at(-1)!.id, back) : ''}${
    earlier === null ? '' : linkButton('Earlier messages', `${desk.path('messages')}?customer_id=${customer}&before=${earlier}`, 'quiet')}`)
}
