import { html, type Html } from '../../html/html.ts'
import type { Screen } from '../../screens/screen.ts'
import { conversationHtml } from '../inbox/conversation.ts'
import type { MemberContext } from '../member_context.ts'
import { notesHtml } from './notes_on.ts'

/** Draws what follows a record on its page: the notes on it, and what was written with a customer. */
export async function beside(context: MemberContext, screen: Screen, id: string): Promise<Html> {
  const [notes, conversation] = await Promise.all([
    notesHtml(context, screen, id),
    screen.entity.name === 'customers' ? conversationHtml(context, id) : '',
  ])
  return html`${notes}${conversation}`
}
