import { html, when, type Html } from '../../html/html.ts'
import { status } from '../../html/status.ts'
import { say } from '../../language/say.ts'
import { moment, phone } from '../../screens/formats.ts'
import { part } from '../../screens/parts.ts'
import { sentAbout, type SentMessage } from '../../sending/sent.ts'
import type { MemberContext } from '../member_context.ts'

/** Draws what was sent about a record: when, to whom, and what became of it; nothing where nothing was. */
export async function sentLog(context: MemberContext, id: string): Promise<Html | ''> {
  const sent = await context.read((db) => sentAbout(db, id))
  return when(sent.length > 0, () =>
    part(
      say`Sent`,
      html`
<ol class="timeline">${sent.map(
        (message) => html`
  <li><p>${stateHtml(message)} ${message.channel === 'sms' ? phone(message.recipient) : message.recipient} <time datetime="${message.created_at}">${moment(message.created_at, context.company.timezone)}</time></p>
  <p class="help">${causeOf(message)}${when(message.subject, (subject) => html` · ${subject}`)}${when(message.reply, (reply) => html`<br>${reply}`)}</p></li>`,
      )}
</ol>`,
    ),
  )
}

function causeOf({ cause, sender_name }: SentMessage): string {
  if (cause === 'reminder') return say`Reminder, by itself`
  if (cause === 'on_my_way') return say`On my way, by ${sender_name ?? ''}`
  return sender_name === null ? say`By itself` : say`By ${sender_name}`
}

/** Draws what became of a message, in people's words. */
export function stateHtml({ state, reason }: Pick<SentMessage, 'state' | 'reason'>): Html {
  switch (state) {
    case 'delivered':
      return status(say`Delivered`, 'good')
    case 'handed_over':
      return status(say`Sent`, 'active')
    case 'failed':
      return status(say`Failed`, 'warning')
    case 'uncertain':
      return status(say`Uncertain`, 'warning')
    case 'cancelled':
      return status(say`Canceled`, 'ended')
    default:
      return status(reason === 'no_sender' ? say`Not sent: no sender` : say`Waiting`, 'plain')
  }
}
