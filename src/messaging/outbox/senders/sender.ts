import type { MailLook } from './mail_html.ts'

/** A mail as it is handed over. */
export type MailToSend = {
  messageId: string
  from: MailAddress
  /** Reply-to address, where it differs from the sender. */
  replyTo: MailAddress | null
  to: MailAddress
  subject: string
  text: string
  inReplyTo: string | null
  /** The message ids of its thread, oldest first, `inReplyTo` last (RFC 5322, 3.6.4). */
  references: readonly string[]
  look: MailLook
  /** URL at which the reader unsubscribes from reminders; null where it has none (RFC 8058). */
  unsubscribe: string | null
  /** True where it is sent automatically (RFC 3834). */
  isAutomatic: boolean
  files: readonly MailFile[]
}

export type MailAddress = { name: string | null; address: string }

export type MailFile = { name: string; type: string; content: Uint8Array }

/** An SMS as it is handed over; its statuses are sent to `callback`. */
export type SmsToSend = { from: string; to: string; text: string; callback: string | null }

/**
 * How an attempt ended, with the provider's words: it has the message; it never will; it has not and may later; or
 * nobody knows.
 */
export type Handover = { reply: string } & (
  | { end: 'handed_over'; providerId: string | null }
  | { end: 'refused'; hasStopped: boolean }
  | { end: 'later' }
  | { end: 'unknown' }
)

/** Hands over one message and never throws; `signal` ends it. */
export type Sender<Message> = (message: Message, signal: AbortSignal) => Promise<Handover>

/** Returns a provider's words as they are kept: one line of bounded length. */
export const toReplyText = (text: string): string =>
  text
    .toWellFormed()
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, 500)
    .toWellFormed()
