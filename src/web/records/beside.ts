import { html, type Html } from '../../html/html.ts'
import type { Screen } from '../../screens/screen.ts'
import { linksPart } from '../customer_link/given.ts'
import { conversationHtml } from '../inbox/conversation.ts'
import type { MemberContext } from '../member_context.ts'
import { notesHtml } from './notes_on.ts'

/** Draws what follows a record on its page: its customer links, the notes on it, and what was written with a customer. */
export async function beside(context: MemberContext, screen: Screen, id: string): Promise<Html> {
  const [links, notes, conversation] = await Promise.all([
    linksPart(context, screen.entity.name, id),
    notesHtml(context, screen, id),
    screen.entity.name === 'customers' ? conversationHtml(context, id) : '',
  ])
  return html`${links}${notes}${conversation}`
}
