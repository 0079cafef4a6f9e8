import { html, when, type Html } from '../../html/html.ts'
import { notice } from '../../html/notice.ts'
import { status } from '../../html/status.ts'
import { moment, phone, words } from '../../screens/formats.ts'
import type { Message, MessageAttachment } from '../../messages/inbox.ts'
import type { MemberContext } from '../member_context.ts'

/** Tells whether a message came in that nobody of the company has read. */
export const isUnread = ({ direction, read_at }: Pick<Message, 'direction' | 'read_at'>): boolean =>
  direction === 'inbound' && read_at === null

const CHANNELS = { sms: 'SMS', email: 'E-mail' } as const

type Shown = { name?: Html | string; about?: Html | ''; ways?: Html | '' }

/**
 * Draws a message as text, whatever it holds; `name` says who wrote, `about` for which customer, `ways` what can be
 * done with it.
 */
export const messageHtml = (
  context: MemberContext,
  message: Message,
  { name = nameOf(message), about = '', ways = '' }: Shown = {},
): Html => html`
<li class="message ${message.direction}${isUnread(message) ? ' unread' : ''}" id="message-${message.id}">
  <p class="message-head">
    <b>${name}</b>
    ${about}
    <span class="help">${CHANNELS[message.channel]} ${message.direction === 'outbound' ? 'out' : message.contact_name === null ? 'in' : `in from ${phone(message.sender)}`},
      <time datetime="${message.occurred_at}">${moment(message.occurred_at, context.company.timezone)}</time></span>
    ${stateOf(context, message)}
  </p>${when(message.dmarc === 'fail', () => notice({ kind: 'warning', title: 'The sender may be somebody else', body: 'The mail failed the checks of the address it says it is from.' }))}${when(
    message.subject,
    (subject) => html`
  <p class="message-subject">${subject}</p>`,
  )}
  <p class="written">${message.body}${message.is_cut ? '…' : ''}</p>${when(
    message.is_cut,
    () => html`
  <p><a href="${textPath(context, message)}">Show more of this message</a></p>`,
  )}${attachmentsHtml(message.attachments)}${when(
    ways !== '',
    () => html`
  <div class="actions">${ways}</div>`,
  )}
</li>`

/** Returns the address of a message by itself, with more of its text. */
const textPath = (context: MemberContext, { id }: Pick<Message, 'id'>): string => context.path('messages', id, 'text')

export const nameOf = ({ direction, contact_name, sender, recipients }: Message): string =>
  direction === 'inbound' ? (contact_name ?? phone(sender)) : `To ${recipients.map(phone).join(', ')}`

function stateOf(context: MemberContext, message: Message): Html | '' {
  const { direction, read_at, error_message, error_code } = message
  const at = (instant: string): string => moment(instant, context.company.timezone)
  if (direction === 'inbound')
    return read_at === null ? status('Unread', 'warning') : html`<span class="help">Read ${at(read_at)}</span>`
  if (message.status === 'failed')
    return html`${status('Failed', 'warning')}<span class="help">${[error_message, error_code].filter((part) => part !== null).join(' ')}</span>`
  return html`${status(words(message.status), message.status === 'delivered' ? 'good' : 'plain')}${when(read_at, (read_at) => html`<span class="help">Opened ${at(read_at)}</span>`)}`
}

/** Draws the files of a message, and says how many of its pictures are not here. */
export function attachmentsHtml(attachments: readonly MessageAttachment[]): Html | '' {
  const elsewhere = attachments.filter(({ state }) => state === 'elsewhere').length
  return when(
    attachments.length > 0,
    () => html`
  <ul class="attachments" aria-label="Attachments">${attachments.filter(({ state }) => state !== 'elsewhere').map(attachmentHtml)}${when(
    elsewhere !== 0,
    () => html`
    <li>${elsewhere === 1 ? '1 picture' : `${elsewhere} pictures`}, not fetched</li>`,
  )}
  </ul>`,
  )
}

/** Draws a file to save, or says why there is none. */
const attachmentHtml = ({ file_name, size_bytes, state, reason, path }: MessageAttachment): Html => html`
    <li>${path === null ? file_name : html`<a href="${path}">${file_name}</a>`}<span class="help">${[
      size_bytes === null ? '' : sizeOf(size_bytes),
      state === 'rejected'
        ? `not kept: ${reason ?? 'it did not pass the checks'}`
        : state === 'pending'
          ? 'being stored'
          : '',
    ]
      .filter(Boolean)
      .join(', ')}</span></li>`

/** Writes bytes as people read them. */
const sizeOf = (bytes: number): string =>
  bytes < 1000
    ? `${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
