import type { Caller } from '../../identity/credentials/caller.ts'
import { assignments } from '../../platform/db/rows.ts'
import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { repriceDraft } from '../line_items/draft.ts'
import type { LineDraft } from '../line_items/inputs.ts'
import { conflict, fieldName } from '../../platform/errors/refusal.ts'
import { billJobs, requireJobsOf } from './billing/billed_jobs.ts'
import { requireWithinTotals } from './billing/stages.ts'
import { recomputeDeductions, deductDeposits, lockOpenDeposits, writeDeductions } from './billing/deposits.ts'
import type { PatchOf } from '../declare/record.ts'
import type { INVOICE, Invoice } from './fields.ts'
import { findInvoice, type InvoiceTerms } from './invoice.ts'
import { refusals } from './refusals.ts'
import type { InvoiceStatus } from './status.ts'
import { addBalancingEntry, removeBalancingEntry } from './payments/payments.ts'
import { dueDate } from './terms.ts'

/** Changes of a draft; undefined fields stay. A null date takes its default. */
type InvoicePatch = Omit<PatchOf<typeof INVOICE>, 'line_items' | 'quote_id'> & {
  line_items?: readonly LineDraft[] | undefined
}

/**
 * Changes a locked, open invoice, checked against its state before the call (docs/spec/records.md#drafts): the status
 * changes freely, except to void; other fields only in draft. Each save of a draft prices it again; leaving draft
 * freezes it.
 */
export async function changeInvoice(
  db: Db,
  { user }: Pick<Caller, 'user'>,
  { before, currentTerms }: { before: Invoice; currentTerms: InvoiceTerms },
  status: InvoiceStatus,
  patch: InvoicePatch,
  today: string,
): Promise<Invoice> {
  const editedFields = Object.entries(patch)
    .filter(([, value]) => value !== undefined)
    .map(([field]) => field)
  requireDraftFor(before, editedFields)
  const isStatusChanged = status !== before.status
  if (!isStatusChanged && editedFields.length === 0) return before
  const { content, deductions } =
    editedFields.length === 0
      ? { content: {}, deductions: undefined }
      : await contentOf(db, before, currentTerms, patch, today)
  const location = patch.location_id === undefined ? before.location_id : patch.location_id
  const writes = [
    ...(patch.job_ids === undefined ? [] : [billJobs(db, before.id, patch.job_ids)]),
    ...(deductions === undefined ? [] : writeDeductions(db, before.id, deductions)),
    ...(isStatusChanged && before.status === 'paid' ? [removeBalancingEntry(db, before.id)] : []),
    updateInvoice(db, user, before.id, {
      ...content,
      ...(isStatusChanged ? statusColumns(db, before, status, location) : {}),
    }),
    ...(isStatusChanged && status === 'paid' ? [addBalancingEntry(db, before.id)] : []),
  ]
  const mayDeduct = editedFields.length > 0 || (status === 'draft' && before.discount_cents > 0)
  const after = await finishWrites(db, user, before, writes, mayDeduct, today)
  if (currentTerms.is_on_account && after.total_cents > before.total_cents) await requireWithinTotals(db, [before.id])
  return after
}

/** Returns an invoice after its writes, once drafts that deduct deposits are updated. */
async function finishWrites(
  db: Db,
  user: string | null,
  { id }: Invoice,
  writes: readonly Promise<unknown>[],
  mayDeduct: boolean,
  today: string,
): Promise<Invoice> {
  const [after, recomputedCount] = await Promise.all([
    findInvoice(db, id, today),
    mayDeduct ? recomputeDeductions(db, user, id) : 0,
    ...writes,
  ])
  return recomputedCount === 0 ? after : findInvoice(db, id, today)
}

/** Refuses to update a void invoice. */
export function requireOpen({ status, display_number }: Invoice): void {
  if (status === 'void') throw conflict(refusals.voided({ number: display_number }))
}

function requireDraftFor({ status, display_number }: Invoice, editedFields: readonly string[]): void {
  if (status === 'draft' || editedFields.length === 0) return
  const refusal = status === 'sent' ? refusals.sent : refusals.settled
  throw conflict(refusal({ number: display_number, status, fields: editedFields.map(fieldName) }))
}

async function contentOf(db: Db, before: Invoice, currentTerms: InvoiceTerms, patch: InvoicePatch, today: string) {
  const issue_date = patch.issue_date === undefined ? before.issue_date : (patch.issue_date ?? today)
  const due_date = dueDate(
    issue_date,
    patch.due_date === undefined ? before.due_date : patch.due_date,
    currentTerms.net_days,
  )
  const { id, quote_id } = before
  const [document, deposits] = await Promise.all([
    repriceDraft(db, before, currentTerms, patch),
    lockOpenDeposits(db, { id, quote_id, job_ids: patch.job_ids ?? before.job_ids }),
    requireJobsOf(db, before.customer_id, patch.job_ids ?? []),
  ])
  const {
    subject = before.subject,
    po_number = before.po_number,
    message = before.message,
    internal_memo = before.internal_memo,
    fields = before.fields,
  } = patch
  const { columns, deductions } = deductDeposits(document, deposits)
  const contentFields = { subject, issue_date, due_date, po_number, message, internal_memo, fields }
  return { content: { ...document, ...columns, ...contentFields }, deductions }
}

/** Voids an invoice permanently. Its number, totals and payments stay, and nothing can be changed any more. */
export async function voidInvoice(
  db: Db,
  { user }: Caller,
  before: Invoice,
  reason: string | null,
  today: string,
): Promise<Invoice> {
  if (before.status === 'void') return before
  const writes = [
    updateInvoice(db, user, before.id, {
      ...statusColumns(db, before, 'void', before.location_id),
      voided_at: sql`moment()`,
      void_reason: reason,
    }),
  ]
  return finishWrites(db, user, before, writes, true, today)
}

const updateInvoice = (db: Db, user: string | null, id: string, columns: Record<string, unknown>): Promise<number> =>
  db.run(sql`update invoices set ${assignments({ ...columns, updated_by: user })}, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and id = ${id}`)

function statusColumns(
  db: Db,
  before: Invoice,
  status: InvoiceStatus,
  location: string | null,
): Record<string, unknown> {
  return {
    status,
    ...(before.status === 'draft' ? { location_address: addressOf(db, location) } : {}),
    ...(status === 'draft' ? { location_address: null } : {}),
    ...(status === 'sent' && before.sent_at === null ? { sent_at: sql`moment()` } : {}),
    ...(status === 'paid' ? { paid_at: sql`moment()` } : {}),
    ...(before.status === 'paid' && status !== 'void' ? { paid_at: null } : {}),
  }
}

const addressOf = (db: Db, location: string | null): Sql => sql`address_of(${db.tenant}, ${location})`
