import type { Caller } from '../../identity/credentials/caller.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'
import type { RateChoice } from '../line_items/columns.ts'
import { orderLineFields } from '../line_items/line.ts'
import { invalid, invalidField } from '../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../platform/errors/refusal_text.ts'
import { QUOTE, type Quote } from './fields.ts'
import { refusals } from './refusals.ts'

const fromClause = sql`quotes q join users u on u.id = q.owner_id
  join customers c on c.tenant_id = q.tenant_id and c.id = q.customer_id
  left join locations l on l.tenant_id = q.tenant_id and l.id = q.location_id`

/** Returns a quote that isn't archived. */
export const findQuote = (db: Db, id: string): Promise<Quote> =>
  db
    .present<Quote>(
      sql`select ${QUOTE.columns('q')}
        from ${fromClause}
        where q.tenant_id = ${db.tenant} and q.id = ${id} and q.status <> 'archived'`,
      'quote',
    )
    .then(orderLineFields)

/** Current values that a save of a draft depends on. */
export type QuoteTerms = RateChoice & { customer_exempt: boolean }

/**
 * Locks a live quote until the transaction ends, and returns it. The lock comes before the read, because its customer
 * may change meanwhile. `withCustomer` locks the customer first, for changes to it.
 */
export async function lockQuote(
  db: Db,
  id: string,
  { withCustomer = false } = {},
): Promise<{ before: Quote; currentTerms: QuoteTerms }> {
  const [, , { tax_rate_chosen, rate_archived, customer_exempt, ...before }] = await Promise.all([
    withCustomer &&
      db.run(sql`select id from customers
      where tenant_id = ${db.tenant}
        and id = (select customer_id from quotes where tenant_id = ${db.tenant} and id = ${id})
      for no key update`),
    db.run(sql`select id from quotes where tenant_id = ${db.tenant} and id = ${id} for no key update`),
    db
      .present<Quote & QuoteTerms>(
        sql`
      select ${QUOTE.columns('q')}, q.tax_rate_chosen, r.archived_at is not null as rate_archived,
        c.tax_exempt as customer_exempt
      from ${fromClause} left join tax_rates r on r.tenant_id = q.tenant_id and r.id = q.tax_rate_id
      where q.tenant_id = ${db.tenant} and q.id = ${id} and q.status <> 'archived'`,
        'quote',
      )
      .then(orderLineFields),
  ])
  return { before, currentTerms: { tax_rate_id: before.tax_rate_id, tax_rate_chosen, rate_archived, customer_exempt } }
}

/** Whether an owner of the account may also change other people's quotes. */
const ACCOUNT_OWNERS_TOO: boolean = false

/** User who would change a quote, with their role if known. */
type Editor = Pick<Caller, 'user'> & Partial<Pick<Caller, 'role'>>

/** Checks whether a user may change a quote: only its own owner may (docs/spec/records.md#quote-owners). */
export const mayChangeQuote = ({ owner_id }: Pick<Quote, 'owner_id'>, { user, role }: Editor): boolean =>
  user === owner_id || (ACCOUNT_OWNERS_TOO && role === 'owner')

/** Checks the same for a quote by its id; false if it doesn't exist. */
export async function mayChangeQuoteOf(db: Db, editor: Editor, id: string): Promise<boolean> {
  const quote = await db.maybe<{ owner_id: string }>(
    sql`select owner_id from quotes where tenant_id = ${db.tenant} and id = ${id}`,
  )
  return quote !== undefined && mayChangeQuote(quote, editor)
}

/** Throws unless the user may change a quote, or give its customer a link to it. */
export function requireQuoteOwner(quote: Quote, editor: Editor): void {
  if (mayChangeQuote(quote, editor)) return
  const { owner_name, display_number } = quote
  throw invalid(refusals.notOwner({ number: display_number, owner: owner_name }))
}

/**
 * Throws unless the caller is an account owner, who may take over a quote that its own owner neglects
 * (docs/spec/records.md#quote-owners).
 */
export function requireAccountOwner({ role, user }: Caller): void {
  if (user === null || role !== 'owner') throw invalid(refusals.notAccountOwner())
}

/** The fields that another document copies from a quote. */
export type QuoteSource = Pick<
  Quote,
  'customer_id' | 'location_id' | 'contact_id' | 'line_items' | 'discount' | 'tax_rate_id'
> & { tax_rate_chosen: boolean; location_archived: boolean; contact_archived: boolean }

/** Returns the content of a live quote. */
export const findQuoteSource = (db: Db, id: string): Promise<QuoteSource | undefined> =>
  db.maybe<QuoteSource>(sql`select q.customer_id, q.location_id, q.contact_id, q.line_items, q.discount, q.tax_rate_id,
    q.tax_rate_chosen,
      l.archived_at is not null as location_archived, k.archived_at is not null as contact_archived
    from quotes q left join locations l on l.tenant_id = q.tenant_id and l.id = q.location_id
    left join contacts k on k.tenant_id = q.tenant_id and k.id = q.contact_id
    where q.tenant_id = ${db.tenant} and q.id = ${id} and q.status <> 'archived'`)

/** Refusal of a field that doesn't name a live quote of the customer. */
export const UNKNOWN_QUOTE = refusals.unknown()

/** Locks the quote that a document names. Throws unless it is a live one of the customer. */
export async function requireQuoteOf(db: Db, customer: string, quote: string | null | undefined): Promise<void> {
  if (quote == null) return
  const lockedQuote = await db.maybe(sql`select id from quotes
    where tenant_id = ${db.tenant} and id = ${quote} and customer_id = ${customer} and status <> 'archived'
    for no key update`)
  if (lockedQuote === undefined) throw invalidField('quote_id', UNKNOWN_QUOTE)
}

/** Returns the name and status of a quote, archived or not. */
export const findQuoteName = (
  db: Db,
  id: string,
): Promise<Pick<Quote, 'id' | 'display_number' | 'title' | 'status'> | undefined> =>
  db.maybe(sql`select id, display_number, title, status from quotes where tenant_id = ${db.tenant} and id = ${id}`)

/** Returns the quotes with a display number, archived or not; `numbers` are the numbers that it can end with. */
export const findQuotesByNumber = (
  db: Db,
  numbers: readonly number[],
  text: string,
): Promise<{ id: string; said: string }[]> =>
  db.all(sql`select id, display_number as said from quotes
    where tenant_id = ${db.tenant} and number = any(${[...numbers]}::int[]) and lower(display_number) = ${text}`)

/** Returns the refusal for an archived quote, which tools no longer find. */
export const findArchivedHint = async (db: Db, id: string): Promise<RefusalDetail | undefined> => {
  const archived = await db.maybe<{ display_number: string; day: string }>(sql`select q.display_number,
      (q.archived_at at time zone t.timezone)::date::text as day
    from quotes q join tenants t on t.id = q.tenant_id
    where q.tenant_id = ${db.tenant} and q.id = ${id} and q.status = 'archived'`)
  return archived && refusals.archived({ number: archived.display_number, day: archived.day })
}

/** A quote that awaits its customer's answer. */
export type OpenQuote = Pick<Quote, 'id' | 'display_number' | 'title' | 'valid_until' | 'total_cents' | 'currency'>

const MAX_OPEN_QUOTES = 50

/** Returns the quotes that a customer can still answer on a day, newest first. */
export const listOpenQuotes = (db: Db, customer: string, today: string): Promise<OpenQuote[]> =>
  db.all<OpenQuote>(sql`select id, display_number, title, valid_until, total_cents, currency from quotes
    where tenant_id = ${db.tenant} and customer_id = ${customer} and status = 'sent' and valid_until >= ${today}
    order by created_at desc, id desc limit ${MAX_OPEN_QUOTES}`)

/** Records the job or invoice just made from a locked quote; only the latest of each is kept. */
export const markConverted = (db: Db, quote: string, into: { job: string } | { invoice: string }): Promise<number> =>
  db.run(sql`update quotes
    set ${'job' in into ? sql`converted_job_id = ${into.job}` : sql`converted_invoice_id = ${into.invoice}`},
    updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${quote}`)

/** Expires sent quotes whose `valid_until` is before the tenant's `today`. Returns how many. */
export const expireQuotes = (db: Db, today: string): Promise<number> =>
  db.run(sql`update quotes set status = 'expired', updated_at = later_than(updated_at), updated_by = null
    where tenant_id = ${db.tenant} and status = 'sent' and valid_until < ${today}`)
