import { sql, type Db } from '../../../platform/db/tenant.ts'
import { isOlder, type HistoryPage } from '../../history/history_cursor.ts'
import type { Quote } from '../fields.ts'

type QuoteSummary = Pick<Quote, 'id' | 'display_number' | 'title' | 'total_cents' | 'currency'>

/** An event of a quote; `draft` only while it hasn't been sent. */
export type QuoteEvent = QuoteSummary & {
  at: string
  event: 'draft' | 'sent' | 'accepted' | 'declined'
  decline_reason: string | null
}

/** A quote that awaits its customer's answer. */
export type WaitingQuote = QuoteSummary & { sent_at: string | null; valid_until: string }

/** Returns the events of a customer's quotes, newest first. */
export const listQuoteEvents = (db: Db, customer: string, page: HistoryPage): Promise<QuoteEvent[]> =>
  db.all<QuoteEvent>(sql`
    select q.id, q.display_number, q.title, q.total_cents, q.currency, e.event, e.at, q.decline_reason
    from quotes q cross join lateral (values
      ('draft', case when q.sent_at is null then q.created_at end), ('sent', q.sent_at),
      ('accepted', q.accepted_at), ('declined', q.declined_at)) e(event, at)
    where q.tenant_id = ${db.tenant} and q.customer_id = ${customer} and q.status <> 'archived' and e.at is not null
      and ${isOlder(page, sql`e.at`, sql`q.id`)}
    order by e.at desc, q.id desc, e.event limit ${page.limit}`)

/** Returns a customer's quotes that await an answer, the first to expire first. */
export const listWaitingQuotes = (db: Db, customer: string, limit: number): Promise<WaitingQuote[]> =>
  db.all<WaitingQuote>(sql`
    select id, display_number, title, total_cents, currency, sent_at, valid_until from quotes
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'sent'
    order by valid_until, id limit ${limit}`)
