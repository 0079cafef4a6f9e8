import { z } from 'zod'
import { invalidField, invalidFields } from '../../platform/errors/refusal.ts'
import { email, id } from '../../platform/validation/fields.ts'
import { readPhone } from '../../platform/validation/formats/phone.ts'
import { nonEmptyLongText, nonEmptyText, text } from '../../platform/validation/text/text.ts'
import { refusals } from './refusals.ts'

/** Message to be sent. */
export type OutgoingMessage = {
  channel: 'email' | 'sms'
  /** One email address, or a phone number as typed. */
  to: string
  toName?: string | null
  /** Subject of an email. */
  subject?: string
  body: string
  about: { kind: AboutKind; id: string } | null
  customerId: string | null
  cause: 'sent' | 'reply' | 'reminder' | 'on_my_way' | 'late' | 'test' | 'notice' | 'receipt' | 'autopay'
  /** User who sends it; null if automatic. */
  by: string | null
  attachments?: readonly OutgoingAttachment[]
  /** Id of the message it answers. */
  inReplyTo?: string | null
  /** Earliest time to send it. */
  notBefore?: Temporal.Instant | null
}

export type AboutKind = 'invoices' | 'quotes' | 'jobs' | 'customers' | 'plans'

/** Document to attach in its state at the time of sending. */
export type OutgoingAttachment = { document: (typeof ATTACHED_DOCUMENTS)[number]; id: string }

/** Attachable documents. A receipt has the id of its payment, a statement that of its send. */
const ATTACHED_DOCUMENTS = ['invoices', 'quotes', 'jobs', 'receipts', 'statements'] as const

/** Outgoing message after validation. */
export type CheckedMessage = Required<Omit<OutgoingMessage, 'subject'>> & { subject: string | null }

const about = z.object({ kind: z.enum(['invoices', 'quotes', 'jobs', 'customers', 'plans']), id: id() })
const attachment = z.object({ document: z.enum(ATTACHED_DOCUMENTS), id: id() })

/** Maximum characters that the SMS provider accepts. */
export const MAX_SMS_LENGTH = 1_600
const MAX_MAIL_LENGTH = 100_000
const MAX_ATTACHMENTS = 5

const common = {
  toName: text(200),
  about: about.nullable(),
  customerId: id().nullable(),
  cause: z.enum(['sent', 'reply', 'reminder', 'on_my_way', 'late', 'test', 'notice', 'receipt', 'autopay']),
  by: id().nullable(),
  inReplyTo: id().nullish(),
  notBefore: z.instanceof(Temporal.Instant).nullish(),
}

const mail = z.object({
  ...common,
  channel: z.literal('email'),
  to: email(),
  subject: nonEmptyText(250),
  body: nonEmptyLongText(MAX_MAIL_LENGTH),
  attachments: z.array(attachment).max(MAX_ATTACHMENTS).optional(),
})
const sms = z.object({
  ...common,
  channel: z.literal('sms'),
  to: nonEmptyText(40),
  body: nonEmptyLongText(MAX_SMS_LENGTH),
})

/** Validates an outgoing message (docs/spec/outbox.md#bounds): one recipient, single-line names and subject. */
export function checkOutgoing(outgoing: OutgoingMessage, country: string): CheckedMessage {
  const { success, data, error } = (outgoing.channel === 'email' ? mail : sms).safeParse(outgoing)
  if (!success) throw invalidFields(error.issues.map(({ path, message }) => ({ path: path.join('.'), rule: message })))
  const isMail = data.channel === 'email'
  if (isMail) requireMailbox(data.to)
  return {
    channel: data.channel,
    to: isMail ? data.to : readPhone(data.to, country, 'to').phone,
    toName: data.toName ?? null,
    subject: isMail ? data.subject : null,
    body: data.body,
    about: data.about,
    customerId: data.customerId,
    cause: data.cause,
    by: data.by,
    attachments: isMail ? (data.attachments ?? []) : [],
    inReplyTo: data.inReplyTo ?? null,
    notBefore: data.notBefore ?? null,
  }
}

/** Requires an address that fits a header unchanged: no list, no quotes, no route (RFC 5322 3.4.1, dot-atom). */
function requireMailbox(address: string): void {
  if (!MAILBOX.test(address)) throw invalidField('to', refusals.oneAddress({ value: address.slice(0, 100) }))
}

const MAILBOX = /^[^\s@\p{Cc}"(),:;<>[\\\]]{1,64}@[\p{L}\p{N}](?:[\p{L}\p{N}.-]*[\p{L}\p{N}])?$/u
