import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { MAX_SMS_LENGTH, type CheckedMessage } from './outgoing.ts'

/** Opt-out instructions, in GSM 7-bit characters. */
const HINTS = { en: 'Reply STOP to opt out.', es: 'Responda ALTO para no recibir textos.' } as const

/** Causes of texts that the recipient didn't just request. */
const UNREQUESTED: readonly CheckedMessage['cause'][] = ['sent', 'reminder', 'receipt', 'on_my_way', 'late', 'autopay']

const STOP_WORD = /\b(?:STOP|ALTO|BAJA|PARAR)\b/

/**
 * Returns the body of a message. The first unrequested text to a number gets the opt-out hint in the customer's
 * language (CTIA Messaging Principles 5.1), unless the template has one; a match in the company's name doesn't count. A
 * text that would become too long for the provider goes without it.
 */
export async function bodyWithStopHint(
  db: Db,
  { channel, cause, body, customerId }: CheckedMessage,
  { conversation, company }: { conversation: string | null; company: string },
): Promise<string> {
  if (channel !== 'sms' || !UNREQUESTED.includes(cause) || saysHowToStop(body, company)) return body
  const { isFirst, hint } = await db.one<{ isFirst: boolean; hint: string }>(sql`
    select ${isFirstIn(db, sql`${conversation}::uuid`)} as "isFirst", ${hintFor(db, customerId)} as hint`)
  return isFirst ? withStopHint(body, { hint, company }) : body
}

/** Data to count a text before sending: the hint, and the numbers that get it. */
export type StopHintPreview = { hint: string; company: string; numbers: readonly string[] }

/** Finds which of a customer's numbers would get the hint with an unrequested text. */
export async function previewStopHint(
  db: Db,
  { customer_id, company }: { customer_id: string; company: { name: string } },
  numbers: readonly string[],
): Promise<StopHintPreview> {
  const thread = sql`(select c.id from conversations c
    where c.tenant_id = ${db.tenant} and c.channel = 'sms' and c.customer_id = ${customer_id}
      and c.counterpart = n || ' ' || coalesce((select number from managed_numbers
        where tenant_id = ${db.tenant} order by created_at, number limit 1), ''))`
  const preview = await db.one<{ hint: string; numbers: string[] }>(sql`
    select ${hintFor(db, customer_id)} as hint,
      array(select n from unnest(${[...numbers]}::text[]) n where ${isFirstIn(db, thread)}) as numbers`)
  return { ...preview, company: company.name }
}

const isFirstIn = (db: Db, conversation: Sql): Sql => sql`not exists (select 1 from communications m
  join outbox o on o.tenant_id = m.tenant_id and o.id = m.id
  where m.tenant_id = ${db.tenant} and m.conversation_id = ${conversation} and m.direction = 'outbound'
    and o.cause = any(${[...UNREQUESTED]}) and o.state not in ('failed', 'cancelled'))`

const hintFor = (db: Db, customer: string | null): Sql => sql`(select case
  when (select preferred_language from customers where tenant_id = ${db.tenant} and id = ${customer}::uuid) like 'es%'
  then ${HINTS.es}::text else ${HINTS.en}::text end)`

/** Appends the hint to the first text to a number, as the page does while typing (public/records/text_counting.js). */
export function withStopHint(body: string, { hint, company }: Pick<StopHintPreview, 'hint' | 'company'>): string {
  const whole = append(body, hint)
  return saysHowToStop(body, company) || whole.length > MAX_SMS_LENGTH ? body : whole
}

const saysHowToStop = (body: string, company: string): boolean => STOP_WORD.test(body.replaceAll(company, ''))

const append = (body: string, hint: string): string => `${body}\n${hint}`

/** Matches a message `m` with this body, with or without the hint. */
export const isBody = (body: string): Sql =>
  sql`m.body in (${body}, ${append(body, HINTS.en)}, ${append(body, HINTS.es)})`
