import type { Db } from '../../platform/db/tenant.ts'
import { issueLink } from '../../customer_portal/link.ts'
import { queueMessage } from '../outbox/queue.ts'
import { fillingsOf } from './fillings.ts'
import type { MessageChannel, MessageKind } from './kinds.ts'
import type { Matter } from './matter.ts'
import { filledIn, uses } from './placeholders.ts'
import { readWords } from './templates.ts'

/** Describes a message about a record as it was written, its placeholders still open. */
export type Letter = {
  kind: MessageKind
  channel: MessageChannel
  to: string
  toName: string | null
  firstName: string | null
  subject: string
  body: string
  hasPdf: boolean
  minutes?: number
}

type Posting = {
  baseUrl: string
  cause: 'sent' | 'reminder' | 'receipt' | 'on_my_way' | 'late'
  /** Is the user who sends it; null: it goes by itself. */
  by: string | null
}

/** Fills a message with its record and a link of the customer's own, and queues it in the transaction of the act. */
export async function post(
  db: Db,
  matter: Matter,
  letter: Letter,
  { baseUrl, cause, by }: Posting,
): Promise<{ id: string }> {
  const { topic, id, customer_id } = matter
  const { channel, to, toName } = letter
  const words = readWords(letter, letter)
  const link = uses(words.body, 'link') ? await linkTo(db, matter, by, baseUrl) : undefined
  const fillings = fillingsOf(matter, { ...letter, ...(link === undefined ? {} : { link }) })
  return queueMessage(db, {
    channel,
    to,
    toName,
    ...(words.subject === null ? {} : { subject: filledIn(words.subject, fillings) }),
    body: filledIn(words.body, fillings),
    about: { kind: topic, id },
    customerId: customer_id,
    cause,
    by,
    attachments: letter.hasPdf && channel === 'email' && topic !== 'plans' ? [{ document: topic, id }] : [],
  })
}

/** Returns the address of a document for its customer; of a visit or plan, that of the customer's own page. */
async function linkTo(db: Db, { topic, id, customer_id }: Matter, by: string | null, baseUrl: string): Promise<string> {
  const target =
    topic === 'quotes' || topic === 'invoices'
      ? ({ kind: topic, id } as const)
      : ({ kind: 'customers', id: customer_id } as const)
  return baseUrl + (await issueLink(db, { ...target, by })).path
}
