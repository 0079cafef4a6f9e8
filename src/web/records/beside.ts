import { html } from '../../html/html.ts'
import type { Html } from '../../html/html.ts'
import type { Screen } from '../../screens/screen.ts'
import { conversationHtml } from '../inbox/conversation.ts'
import type { Workdesk } from '../desk.ts'
import { notesHtml } from './notes_on.ts'

/** What stands on a record's page below its own: the notes on it, and what was written with a customer. */
export async function beside(desk: Workdesk, screen: Screen, id: string): Promise<Html> {
  const [notes, conversation] = await Promise.all([notesHtml(desk, screen, id), screen.entity.name === 'customers' ? conversationHtml(desk, id) : ''])
  return html`${notes}${conversation}`
}
