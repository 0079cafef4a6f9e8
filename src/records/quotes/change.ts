import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { repriceDraft } from '../line_items/draft.ts'
import type { LineDraft } from '../line_items/inputs.ts'
import { conflict, invalidField, fieldName } from '../../platform/errors/refusal.ts'
import { activateCustomer } from '../customers/index.ts'
import type { PatchOf } from '../declare/record.ts'
import type { QUOTE, Quote, QuoteStatus } from './fields.ts'
import { requireOpenSet } from './options/option.ts'
import { columnsOnAccept, priceWithOptional } from './options/optional_lines.ts'
import { findQuote, type QuoteTerms } from './quote.ts'
import { refusals } from './refusals.ts'
import { ALLOWED_TRANSITIONS, statusColumns, requireTransition } from './transitions.ts'
import { validUntil } from './validity.ts'

/** Changes of a quote: its content only in draft, other fields at any time. A null date takes its default. */
type QuotePatch = Omit<PatchOf<typeof QUOTE>, 'line_items'> & {
  line_items?: readonly LineDraft[] | undefined
  decline_reason?: string | null | undefined
  /** Ids of the optional lines accepted with it. */
  chosen_lines?: readonly string[] | undefined
}

const ALWAYS_EDITABLE: ReadonlySet<string> = new Set<keyof QuotePatch>([
  'message',
  'decline_reason',
  'fields',
  'valid_until',
])

/**
 * Changes a locked quote, checked against its state before the call (docs/spec/records.md#quote-fields). A saved draft
 * is priced again, also with all its optional lines. Leaving draft freezes it, and accepting it makes a lead a
 * customer.
 */
export async function changeQuote(
  db: Db,
  { user }: Pick<Caller, 'user'>,
  { before, currentTerms }: { before: Quote; currentTerms: QuoteTerms },
  status: QuoteStatus,
  { chosen_lines = [], ...patch }: QuotePatch,
  today: string,
): Promise<Quote> {
  const editedFields = Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field)
  requireDraftFor(
    before,
    editedFields.filter((field) => !ALWAYS_EDITABLE.has(field)),
  )
  const isStatusChanged = status !== before.status
  if (!isStatusChanged && editedFields.length === 0) return before
  const issue_date = patch.issue_date === undefined ? before.issue_date : (patch.issue_date ?? today)
  const openFields = openColumns(before, patch, issue_date)
  if (isStatusChanged) requireTransition(before, status, openFields.valid_until, today)
  requireDeclinedFor(status, patch.decline_reason)
  if (isStatusChanged && (status === 'sent' || status === 'accepted')) await requireOpenSet(db, before)
  const { title = before.title, terms = before.terms } = patch
  const document =
    before.status === 'draft' && editedFields.length > 0
      ? await repriceDraft(db, before, currentTerms, patch)
      : undefined
  const address = addressOf(db, (document ?? before).location_id)
  const columns = {
    title,
    terms,
    issue_date,
    ...openFields,
    ...document,
    ...(isStatusChanged ? statusColumns(before, status, address) : {}),
    ...(isStatusChanged && status === 'accepted' ? await columnsOnAccept(db, before, chosen_lines) : {}),
    updated_by: user,
  }
  const writes = [
    ...(isStatusChanged && status === 'accepted' ? [activateCustomer(db, before.customer_id)] : []),
    db.run(
      sql`update quotes set ${assignments(columns)}, updated_at = later_than(updated_at)
        where tenant_id = ${db.tenant} and id = ${before.id}`,
    ),
  ]
  const [after] = await Promise.all([findQuote(db, before.id), ...writes])
  if (document !== undefined && after.optional_lines !== null) await priceWithOptional(db, after, after.optional_lines)
  return after
}

function requireDraftFor({ status, display_number }: Quote, editedFields: readonly string[]): void {
  if (status === 'draft' || editedFields.length === 0) return
  const refusal = ALLOWED_TRANSITIONS[status].includes('draft') ? refusals.notDraft : refusals.final
  throw conflict(refusal({ number: display_number, status, fields: editedFields.map(fieldName) }))
}

function requireDeclinedFor(status: QuoteStatus, reason: string | null | undefined): void {
  if (reason != null && status !== 'declined') throw invalidField('decline_reason', refusals.reasonWithoutDecline())
}

/** Returns the columns that can change at any time. */
function openColumns(before: Quote, patch: QuotePatch, issue_date: string) {
  const { message = before.message, decline_reason = before.decline_reason, fields = before.fields } = patch
  const valid_until =
    patch.valid_until === undefined ? before.valid_until : (patch.valid_until ?? validUntil(issue_date))
  return { message, decline_reason, fields, valid_until }
}

const addressOf = (db: Db, location: string | null): Sql => sql`address_of(${db.tenant}, ${location})`

/** Makes the caller the owner of a locked quote and of the other options in its set. */
export async function takeOverQuote(db: Db, { user }: Caller, before: Quote): Promise<Quote> {
  if (user === before.owner_id) return before
  const [, after] = await Promise.all([
    db.run(
      sql`update quotes set owner_id = ${user}, updated_by = ${user}, updated_at = later_than(updated_at)
        where tenant_id = ${db.tenant} and (id = ${before.id} or option_set = ${before.option_set})`,
    ),
    findQuote(db, before.id),
  ])
  return after
}

/** Archives a quote; it can't be used from then on. */
export const archiveQuote = (
  db: Db,
  { user }: Caller,
  id: string,
): Promise<{ id: string; status: QuoteStatus; archived_at: string }> =>
  db.one(sql`update quotes
    set status = 'archived', archived_at = moment(), updated_at = later_than(updated_at), updated_by = ${user}
    where tenant_id = ${db.tenant} and id = ${id} returning id, status, archived_at`)
