import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { MAX_SMS_LENGTH, type CheckedMessage } from './outgoing.ts'

/** How to stop further texts, in letters that phones write in 7 bits. */
const HINTS = { en: 'Reply STOP to opt out.', es: 'Responda ALTO para no recibir textos.' } as const

/** Causes of a text that its recipient didn't just ask for. */
const UNREQUESTED: readonly CheckedMessage['cause'][] = ['sent', 'reminder', 'receipt', 'on_my_way', 'late']

const STOP_WORD = /\b(?:STOP|ALTO|BAJA|PARAR)\b/

/**
 * Returns the body of a message. The first text that nobody asked for says how to stop, in the customer's language
 * (CTIA Messaging Principles 5.1), unless the template does; a word in the company's name doesn't count. A text that
 * would get too long for the provider goes without.
 */
export async function bodyWithStopHint(
  db: Db,
  { channel, cause, body, customerId }: CheckedMessage,
  { conversation, company }: { conversation: string | null; company: string },
): Promise<string> {
  if (channel !== 'sms' || !UNREQUESTED.includes(cause) || STOP_WORD.test(body.replaceAll(company, ''))) return body
  const { isFirst, language } = await db.one<{ isFirst: boolean; language: string | null }>(sql`
    select not exists (select 1 from communications m join outbox o on o.tenant_id = m.tenant_id and o.id = m.id
        where m.tenant_id = ${db.tenant} and m.conversation_id = ${conversation}::uuid and m.direction = 'outbound'
          and o.cause = any(${[...UNREQUESTED]}) and o.state not in ('failed', 'cancelled')) as "isFirst",
      (select preferred_language from customers c
        where c.tenant_id = ${db.tenant} and c.id = ${customerId}::uuid) as language`)
  const whole = withHint(body, language?.startsWith('es') === true ? HINTS.es : HINTS.en)
  return isFirst && whole.length <= MAX_SMS_LENGTH ? whole : body
}

const withHint = (body: string, hint: string): string => `${body}\n${hint}`

/** Matches a message `m` of this body, with the hint or without. */
export const isBody = (body: string): Sql =>
  sql`m.body in (${body}, ${withHint(body, HINTS.en)}, ${withHint(body, HINTS.es)})`
