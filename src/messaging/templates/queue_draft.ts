import type { Db } from '../../platform/db/tenant.ts'
import { issueLink } from '../../customer_portal/link.ts'
import type { OutgoingAttachment } from '../outbox/outgoing.ts'
import { queueMessage } from '../outbox/queue.ts'
import { placeholderValues } from './placeholder_values.ts'
import type { MessageChannel, MessageKind } from './kinds.ts'
import type { SubjectRecord } from './subject_record.ts'
import { fillPlaceholders, hasPlaceholder } from './placeholders.ts'
import { parseTemplate } from './templates.ts'

/** Message about a record, with unresolved placeholders. */
export type MessageDraft = {
  kind: MessageKind
  channel: MessageChannel
  to: string
  toName: string | null
  firstName: string | null
  subject: string
  body: string
  hasPdf: boolean
  /** Attachment that replaces the record's own document. */
  attachment?: OutgoingAttachment
  minutes?: number
}

type QueueOptions = {
  baseUrl: string
  cause: 'sent' | 'reminder' | 'receipt' | 'on_my_way' | 'late' | 'autopay'
  /** User who sends it; null if automatic. */
  by: string | null
}

/** Fills in a message, with the customer's own link, and queues it in the caller's transaction. */
export async function queueDraft(
  db: Db,
  record: SubjectRecord,
  letter: MessageDraft,
  { baseUrl, cause, by }: QueueOptions,
): Promise<{ id: string }> {
  const { topic, id, customer_id } = record
  const { channel, to, toName } = letter
  const template = parseTemplate(letter, letter)
  const link = hasPlaceholder(template.body, 'link') ? await linkTo(db, record, by, baseUrl) : undefined
  const values = placeholderValues(record, { ...letter, ...(link === undefined ? {} : { link }) })
  return queueMessage(db, {
    channel,
    to,
    toName,
    ...(template.subject === null ? {} : { subject: fillPlaceholders(template.subject, values) }),
    body: fillPlaceholders(template.body, values),
    about: { kind: topic, id },
    customerId: customer_id,
    cause,
    by,
    attachments: attachmentsOf(record, letter),
  })
}

function attachmentsOf({ topic, id }: SubjectRecord, letter: MessageDraft): OutgoingAttachment[] {
  if (!letter.hasPdf || letter.channel !== 'email') return []
  if (letter.attachment !== undefined) return [letter.attachment]
  return topic === 'plans' || topic === 'customers' ? [] : [{ document: topic, id }]
}

/** Returns the customer's link to a quote or invoice; for other records, to the customer's own page. */
async function linkTo(
  db: Db,
  { topic, id, customer_id }: SubjectRecord,
  by: string | null,
  baseUrl: string,
): Promise<string> {
  const target =
    topic === 'quotes' || topic === 'invoices'
      ? ({ kind: topic, id } as const)
      : ({ kind: 'customers', id: customer_id } as const)
  return baseUrl + (await issueLink(db, { ...target, by })).path
}
