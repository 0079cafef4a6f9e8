import { insertSelected, sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { newId } from '../../../platform/validation/id.ts'
import type { Quote } from '../fields.ts'
import { findQuote } from '../quote.ts'
import { refusals } from './refusals.ts'

/** Maximum options in a set. */
const MAX_OPTIONS = 4

/** A quote among the options of its set. */
export type QuoteOption = Pick<Quote, 'id' | 'display_number' | 'title' | 'status' | 'total_cents'>

/** Returns the live options of a set, cheapest first. */
export const listOptions = (db: Db, set: string): Promise<QuoteOption[]> =>
  db.all<QuoteOption>(sql`select id, display_number, title, status, total_cents from quotes
    where tenant_id = ${db.tenant} and option_set = ${set} and status <> 'archived' order by total_cents, number`)

/** Returns a quote with the options of its set, if it is in one. */
export async function withOptions(db: Db, quote: Quote): Promise<Quote & { options?: QuoteOption[] }> {
  return quote.option_set === null ? quote : { ...quote, options: await listOptions(db, quote.option_set) }
}

/**
 * Copies a locked quote as another option of its set, a draft of the same owner
 * (docs/spec/records.md#options-of-a-quote). `today` is the company's date.
 */
export async function addOption(db: Db, user: string | null, before: Quote, today: string): Promise<Quote> {
  const { id, status, display_number } = before
  if (status !== 'draft' && status !== 'sent') throw conflict(refusals.answered({ number: display_number, status }))
  const set = before.option_set ?? newId()
  const siblings = await db.all<{ status: string }>(sql`select status from quotes
    where tenant_id = ${db.tenant} and option_set = ${set} and status <> 'archived' order by id for no key update`)
  if (siblings.length >= MAX_OPTIONS) throw conflict(refusals.tooMany({ max: MAX_OPTIONS }))
  if (siblings.some(({ status }) => status === 'accepted'))
    throw conflict(refusals.answered({ number: display_number, status: 'accepted' }))
  const copy = newId()
  if (before.option_set === null)
    await db.run(sql`update quotes set option_set = ${set}, updated_by = ${user}, updated_at = later_than(updated_at)
      where tenant_id = ${db.tenant} and id = ${id}`)
  const [, option] = await Promise.all([db.run(copyQuote(db, { id, copy, set, user, today })), findQuote(db, copy)])
  return option
}

/** Refuses to reopen or accept an option while another one of its set is accepted. */
export async function requireOpenSet(db: Db, { id, option_set }: Quote): Promise<void> {
  if (option_set === null) return
  const other = await db.maybe<{ display_number: string }>(sql`select display_number from quotes
    where tenant_id = ${db.tenant} and option_set = ${option_set} and id <> ${id} and status = 'accepted'`)
  if (other !== undefined) throw conflict(refusals.otherAccepted({ number: other.display_number }))
}

type CopyInput = { id: string; copy: string; set: string; user: string | null; today: string }

/** Returns the statement that copies a quote with new line ids, without a location or contact archived since. */
const copyQuote = (db: Db, { id, copy, set, user, today }: CopyInput) =>
  insertSelected(sql`
  insert into quotes (tenant_id, id, number, owner_id, customer_id, location_id, contact_id, title, status, issue_date,
    valid_until, message, terms, line_items, discount, tax_rate_id,
    tax_rate_chosen, tax_exempt, taxes, fields, currency,
    subtotal_cents, discount_cents, taxable_cents, tax_cents, total_cents, deposit, option_set, optional_lines,
    created_by, updated_by)
  select q.tenant_id, ${copy}, next_number(q.tenant_id, 'quote', 1001), q.owner_id, q.customer_id,
    (select id from locations where tenant_id = q.tenant_id and id = q.location_id and archived_at is null),
    (select id from contacts where tenant_id = q.tenant_id and id = q.contact_id and archived_at is null),
    q.title, 'draft', ${today}, greatest(q.valid_until, ${today}::date), q.message, q.terms,
    ${withNewIds('line_items')}, q.discount, q.tax_rate_id, q.tax_rate_chosen, q.tax_exempt, q.taxes, q.fields,
    q.currency, q.subtotal_cents, q.discount_cents, q.taxable_cents, q.tax_cents, q.total_cents, q.deposit, ${set},
    case when q.optional_lines is not null then ${withNewIds('optional_lines')} end, ${user}, ${user}
  from quotes q where q.tenant_id = ${db.tenant} and q.id = ${id}`)

const withNewIds = (column: 'line_items' | 'optional_lines') => sql`(
    select coalesce(jsonb_agg(line || jsonb_build_object('id', gen_random_uuid()) order by place), '[]'::jsonb)
    from jsonb_array_elements(${column === 'line_items' ? sql`q.line_items` : sql`q.optional_lines`})
      with ordinality as l(line, place))`
