import type { DueMessage, SenderIdentity } from './attempt.ts'
import type { MailFile, MailToSend, SmsToSend } from './senders/sender.ts'
import type { MailLook } from './senders/mail_html.ts'
import type { Senders } from './senders/senders.ts'
import { unsubscribePath } from './unsubscribe_link.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/** Returns the sender of a message; undefined if none is configured (docs/spec/outbox.md#identity). */
export function senderIdentity(message: DueMessage, { email, sms }: Senders): SenderIdentity | undefined {
  const address = message.sender_address || (message.channel === 'email' ? email?.from.address : sms?.from)
  const isConfigured = message.channel === 'email' ? email !== null : sms !== null
  if (!isConfigured || address == null) return undefined
  return {
    sender_address: address,
    provider_message_id:
      message.channel === 'email' ? `<${message.id}@${address.slice(address.lastIndexOf('@') + 1)}>` : null,
  }
}

/** Builds an email from the company, under its own name, so that replies reach it. */
export function toMail(
  tenant: string,
  message: DueMessage,
  identity: SenderIdentity,
  senders: Senders,
  files: readonly MailFile[],
  look: MailLook,
): MailToSend {
  const isOwn = identity.sender_address !== senders.email?.from.address
  return {
    messageId: requireValue(message.provider_message_id ?? identity.provider_message_id, 'The id of a mail'),
    from: { name: message.company, address: identity.sender_address },
    replyTo: isOwn || message.company_email === null ? null : { name: message.company, address: message.company_email },
    to: { name: message.recipient_name, address: message.recipient },
    subject: message.subject ?? '',
    text: message.body,
    inReplyTo: message.in_reply_to === null ? null : bracketId(message.in_reply_to),
    references: [
      ...new Set([...message.thread, ...(message.in_reply_to === null ? [] : [message.in_reply_to])].map(bracketId)),
    ],
    look,
    unsubscribe: unsubscribeOf(tenant, message, senders),
    isAutomatic: message.queued_by === null,
    files,
  }
}

const unsubscribeOf = (tenant: string, message: DueMessage, { baseUrl }: Senders): string | null =>
  message.unsubscribe_secret === null
    ? null
    : baseUrl + unsubscribePath({ tenant, message: message.id, secret: message.unsubscribe_secret })

const bracketId = (id: string): string => (/^<[^<>\s]+>$/.test(id) ? id : `<${id.replace(/[<>\s]/g, '')}>`)

/** Builds an SMS. Its status callbacks carry our own ids, so they work even if the provider's id never reaches us. */
export const toSms = (
  tenant: string,
  message: DueMessage,
  identity: SenderIdentity,
  { baseUrl }: Senders,
): SmsToSend => ({
  from: identity.sender_address,
  to: message.recipient,
  text: message.body,
  callback: isReachable(baseUrl) ? `${baseUrl}/api/webhooks/sms/sms-status?message=${tenant}.${message.id}` : null,
})

/** Checks whether a provider can reach the URL. */
const isReachable = (baseUrl: string): boolean => !/^https?:\/\/(?:localhost|127\.|\[::1\])/.test(baseUrl)
