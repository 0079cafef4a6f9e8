import type { MailLook } from './mail_html.ts'

/** Email ready to hand to the mail server. */
export type MailToSend = {
  messageId: string
  from: MailAddress
  /** Reply-to address, if it differs from the sender. */
  replyTo: MailAddress | null
  to: MailAddress
  subject: string
  text: string
  inReplyTo: string | null
  /** Message ids of its thread, oldest first, `inReplyTo` last (RFC 5322, 3.6.4). */
  references: readonly string[]
  look: MailLook
  /** Unsubscribe URL of a reminder; null if it has none (RFC 8058). */
  unsubscribe: string | null
  /** True if it is sent automatically (RFC 3834). */
  isAutomatic: boolean
  files: readonly MailFile[]
}

export type MailAddress = { name: string | null; address: string }

export type MailFile = { name: string; type: string; content: Uint8Array }

/** SMS ready to hand to the provider, which reports statuses to `callback`. */
export type SmsToSend = { from: string; to: string; text: string; callback: string | null }

/** Result of an attempt, with the provider's reply: accepted, refused for good, to be retried later, or unknown. */
export type Handover = { reply: string } & (
  | { end: 'handed_over'; providerId: string | null }
  | { end: 'refused'; isOptOut: boolean }
  | { end: 'later' }
  | { end: 'unknown' }
)

/** Hands over one message and never throws; `signal` aborts it. */
export type Sender<Message> = (message: Message, signal: AbortSignal) => Promise<Handover>

/** Returns a provider's reply in storable form: one line of bounded length. */
export const toReplyText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
