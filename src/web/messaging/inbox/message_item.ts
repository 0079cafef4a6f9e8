import { html, when, type Html } from '../../../platform/html/html.ts'
import { notice } from '../../../platform/html/parts/notice.ts'
import { status } from '../../../platform/html/parts/status.ts'
import { storedTextForPeople } from '../../../platform/i18n/refusal_for_people.ts'
import { say, sayCount } from '../../../platform/i18n/say.ts'
import { moment, phone } from '../../../records/format/formats.ts'
import type { Message, MessageAttachment } from '../../../messaging/inbox/inbox.ts'
import type { MemberContext } from '../../member_context.ts'

/** Checks whether a message is inbound and nobody in the company has read it. */
export const isUnread = ({ direction, read_at }: Pick<Message, 'direction' | 'read_at'>): boolean =>
  direction === 'inbound' && read_at === null

type MessageOptions = { name?: Html | string; customerHtml?: Html | ''; actions?: Html | '' }

/** Draws a message, always as plain text. `name` is its author, `customerHtml` its customer, `actions` its actions. */
export const messageHtml = (
  context: MemberContext,
  message: Message,
  { name = nameOf(message), customerHtml = '', actions = '' }: MessageOptions = {},
): Html => html`
<li class="message ${message.direction}${isUnread(message) ? ' unread' : ''}" id="message-${message.id}">
  <p class="message-head">
    <b>${name}</b>
    ${customerHtml}
    <span class="help">${channelText(message)},
      <time datetime="${message.occurred_at}">${moment(message.occurred_at, context.company.timezone)}</time></span>
    ${stateOf(context, message)}
  </p>${messageBody(context, message)}${when(
    actions !== '',
    () => html`
  <div class="actions">${actions}</div>`,
  )}
</li>`

/** Draws a message's author, channel and status. */
export const messageHead = (context: MemberContext, message: Message): Html => html`
    <b>${nameOf(message)}</b> <span class="help">${channelText(message)}</span> ${stateOf(context, message)}`

/** Draws a message's text and files, and a warning if its sender may be forged. */
export const messageBody = (context: MemberContext, message: Message): Html =>
  html`${when(message.dmarc === 'fail', () =>
    notice({
      kind: 'warning',
      title: say`The sender may not be who they claim to be`,
      body: say`The message failed the authentication checks of the address it claims to be from.`,
    }),
  )}${when(
    message.subject,
    (subject) => html`
  <p class="message-subject">${subject}</p>`,
  )}
  <p class="written">${message.body}${message.is_cut ? '…' : ''}</p>${when(
    message.is_cut,
    () => html`
  <p><a href="${textPath(context, message)}">${say`Show more of this message`}</a></p>`,
  )}${attachmentsHtml(message.attachments)}`

/** Returns the path of the page that shows more of a message's text. */
const textPath = (context: MemberContext, { id }: Pick<Message, 'id'>): string => context.path('messages', id, 'text')

export const nameOf = ({ direction, contact_name, sender, recipients }: Message): string =>
  direction === 'inbound' ? (contact_name ?? phone(sender)) : say`To ${recipients.map(phone).join(', ')}`

/** Describes a message's channel and direction. */
function channelText({ channel, direction, contact_name, sender }: Message): string {
  const isText = channel === 'sms'
  if (direction === 'outbound') return isText ? say`Text message` : say`Email`
  if (contact_name === null) return isText ? say`Text received` : say`Email received`
  return isText ? say`Text from ${phone(sender)}` : say`Email from ${sender}`
}

function stateOf(context: MemberContext, message: Message): Html | '' {
  const { direction, read_at, error_message, error_code } = message
  const at = (instant: string): string => moment(instant, context.company.timezone)
  if (direction === 'inbound')
    return read_at === null
      ? status(say`Unread`, 'warning')
      : html`<span class="help">${say`Read ${at(read_at)}`}</span>`
  if (message.status === 'failed')
    return html`${status(say`Failed`, 'warning')}<span class="help">${[
      error_message && storedTextForPeople(error_message),
      error_code,
    ]
      .filter(Boolean)
      .join(' ')}</span>`
  return html`${status(deliveryText(message.status), message.status === 'delivered' ? 'good' : 'plain')}${when(
    read_at,
    (read_at) => html`<span class="help">${say`Opened ${at(read_at)}`}</span>`,
  )}`
}

/** Returns the delivery status of an outbound message. */
const deliveryText = (state: Exclude<Message['status'], 'failed'>): string => DELIVERY_TEXTS[state]()

const DELIVERY_TEXTS: Readonly<Record<Exclude<Message['status'], 'failed'>, () => string>> = {
  queued: () => say`Waiting to be sent`,
  sending: () => say`Sending`,
  delivered: () => say`Delivered`,
  received: () => say`Received`,
}

/** Draws the files of a message, and the number of remote pictures not fetched. */
export function attachmentsHtml(attachments: readonly MessageAttachment[]): Html | '' {
  const elsewhere = attachments.filter(({ state }) => state === 'elsewhere').length
  return when(
    attachments.length > 0,
    () => html`
  <ul class="attachments" aria-label="${say`Attachments`}">${attachments
    .filter(({ state }) => state !== 'elsewhere')
    .map(attachmentHtml)}${when(
    elsewhere !== 0,
    () => html`
    <li>${sayCount(elsewhere, '1 picture, not fetched', '{0} pictures, not fetched')}</li>`,
  )}
  </ul>`,
  )
}

/** Draws a link to save a file, or the reason why there is none. */
const attachmentHtml = ({ file_name, size_bytes, state, reason, path }: MessageAttachment): Html => html`
    <li>${path === null ? file_name : html`<a href="${path}">${file_name}</a>`}<span class="help">${[
      size_bytes === null ? '' : sizeOf(size_bytes),
      state === 'rejected'
        ? say`not kept: ${reason ?? say`it did not pass the checks`}`
        : state === 'pending'
          ? say`being stored`
          : '',
    ]
      .filter(Boolean)
      .join(', ')}</span></li>`

/** Formats a file size. */
const sizeOf = (bytes: number): string =>
  bytes < 1000
    ? say`${bytes} bytes`
    : bytes < 1_000_000
      ? `${Math.round(bytes / 1000)} kB`
      : `${(bytes / 1_000_000).toFixed(1)} MB`
