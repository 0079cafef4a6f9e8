import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import type { CheckedMessage } from './outgoing.ts'

/** How to stop further texts, in letters that phones write in 7 bits. */
const HINTS = { en: 'Reply STOP to opt out.', es: 'Responda ALTO para no recibir textos.' } as const

/** Causes of a text that its recipient didn't just ask for. */
const UNASKED: ReadonlySet<CheckedMessage['cause']> = new Set(['sent', 'reminder', 'receipt', 'on_my_way', 'late'])

const NAMES_A_WORD = /\b(?:STOP|ALTO|BAJA|PARAR)\b/

/**
 * Returns the body of a message. The first text that the company sends to a number says how to stop, in the customer's language
 * (CTIA Messaging Principles 5.1), unless the company's own template does.
 */
export async function bodyWithStopHint(
  db: Db,
  { channel, cause, body, customerId }: CheckedMessage,
  conversation: string | null,
): Promise<string> {
  if (channel !== 'sms' || !UNASKED.has(cause) || NAMES_A_WORD.test(body)) return body
  const { isFirst, language } = await db.one<{ isFirst: boolean; language: string | null }>(sql`
    select not exists (select 1 from communications m where m.tenant_id = ${db.tenant}
        and m.conversation_id = ${conversation}::uuid and m.direction = 'outbound') as "isFirst",
      (select preferred_language from customers c where c.tenant_id = ${db.tenant} and c.id = ${customerId}::uuid) as language`)
  return isFirst ? `${body}\n${language?.startsWith('es') === true ? HINTS.es : HINTS.en}` : body
}

/** Matches a message `m` of this body, with the hint or without. */
export const isBody = (body: string): Sql =>
  sql`m.body in (${body}, ${`${body}\n${HINTS.en}`}, ${`${body}\n${HINTS.es}`})`
