import { html, when, type Html } from '../../../platform/html/html.ts'
import { say } from '../../../platform/i18n/say.ts'
import { listOutgoingAbout, type OutboxEntry } from '../../../messaging/outbox/list.ts'
import { mayReadMessages } from '../../../messaging/inbox/rights.ts'
import { moment } from '../../../records/format/formats.ts'
import { part } from '../../../records/page/parts.ts'
import { recipientText } from '../../../records/page/contact_links.ts'
import type { MemberContext } from '../../member_context.ts'
import { reasonOf, stateTag } from '../outbox/words.ts'

/** Draws the messages about a record with time, recipient and status; nothing if there are none. */
export async function messageLog(context: MemberContext, id: string): Promise<Html | ''> {
  const zone = context.company.timezone
  const sent = await context.read((db) => listOutgoingAbout(db, id))
  return when(sent.length > 0, () =>
    part(
      say`Sent messages`,
      html`
<ol class="timeline">${sent.map(
        (entry) => html`
  <li>
    <p>${stateTag(entry)} ${recipientHtml(context, entry)} <time datetime="${entry.created_at}">${moment(
      entry.created_at,
      zone,
    )}</time></p>
  <p class="help">${logText(context, entry)}</p>
  </li>`,
      )}
</ol>`,
    ),
  )
}

/** Describes a message's cause, its status, and for members who may read messages also its subject. */
export const logText = (context: MemberContext, entry: OutboxEntry): string =>
  [causeOf(entry), mayReadMessages(context) && entry.subject, reasonOf(entry, context.company.timezone)]
    .filter(Boolean)
    .join(' · ')

/** Draws the recipient's address for members who may see customers, linked for those who may read messages. */
export function recipientHtml(context: MemberContext, { id, recipient, customer_name }: OutboxEntry): Html | string {
  if (!context.may('read:customers')) return customer_name ?? ''
  if (!mayReadMessages(context)) return recipientText(recipient)
  return html`<a href="${context.path('outbox', id)}">${recipientText(recipient)}</a>`
}

function causeOf({ cause, queued_by }: OutboxEntry): string {
  if (cause === 'notice') return say`Notice to you and the office`
  if (cause === 'receipt') return say`Automatic receipt`
  if (cause === 'reminder') return queued_by === null ? say`Automatic reminder` : say`Reminder, by ${queued_by}`
  if (cause === 'on_my_way') return say`On my way, by ${queued_by ?? ''}`
  if (cause === 'late') return say`Running late, by ${queued_by ?? ''}`
  return queued_by === null ? say`Sent automatically` : say`By ${queued_by}`
}
