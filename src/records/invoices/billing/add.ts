import { values } from '../../../platform/db/rows.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'
import { toDocumentColumns } from '../../line_items/columns.ts'
import type { ResolvedLine } from '../../line_items/line.ts'
import { priceLines, type PricedDocument } from '../../line_items/price.ts'
import { newId } from '../../../platform/validation/id.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { contactFor } from '../../contacts/index.ts'
import { activateCustomer, lockCustomer, type Customer } from '../../customers/index.ts'
import { locationFor, locationQuery } from '../../locations/index.ts'
import { markConverted, requireQuoteOf } from '../../quotes/index.ts'
import { requireLiveRate } from '../../tax_rates/index.ts'
import { billJobs, requireJobsOf } from './billed_jobs.ts'
import { deductDeposits, lockOpenDeposits, writeDeductions, type OpenDeposit } from './deposits.ts'
import type { Invoice, InvoiceDraft } from '../fields.ts'
import { findInvoice, type Writer } from '../invoice.ts'
import { dueDate } from '../terms.ts'

/** Work that is billed in stages: an accepted quote, or a job without one. */
export type StagedWork = { quote: string } | { job: string }

/** A new invoice; undefined fields take their defaults, null ones stay empty. */
export type NewInvoice = Omit<InvoiceDraft, 'line_items'> & {
  customer_id: string
  /** Lines, or a promise of them (`resolveLines`). */
  lines: readonly ResolvedLine[] | Promise<readonly ResolvedLine[]>
  /** Whether the rate was copied from a document, and so applies even if it was archived since. */
  is_rate_copied?: boolean | undefined
  plan?: { id: string; run_date: string } | undefined
  /** The stage that this invoice bills on account. */
  stage_of?: { work: StagedWork; stage: number } | undefined
}

type Settings = { timezone: string; currency: string; default_net_days: number; invoice_prefix: string }

/** The locked customer and the data of a new invoice. */
type PreparedInvoice = {
  customer: Customer
  settings: Settings
  document: PricedDocument
  location_id: string | null
  contact_id: string | null
  deposits: readonly OpenDeposit[]
}

/** Reads the data of a new invoice in one round trip, prices it by the current rates, and locks its customer. */
export async function prepareInvoice(db: Db, draft: NewInvoice): Promise<PreparedInvoice> {
  const { customer_id, quote_id = null, job_ids = [] } = draft
  const types = ['billing', 'service'] as const
  const lockedCustomer = lockCustomer(db, customer_id)
  const [customer, settings, document, location_id, contact_id, deposits] = await Promise.all([
    lockedCustomer,
    settingsOf(db),
    priceLines(db, {
      lines: draft.lines,
      discount: draft.discount,
      tax_rate_id: draft.tax_rate_id,
      location_id: draft.location_id === null ? null : locationQuery(db, customer_id, draft.location_id, types),
      tax_exempt: lockedCustomer.then(({ tax_exempt }) => tax_exempt),
      hasTax: true,
    }),
    locationFor(db, customer_id, draft.location_id, types),
    contactFor(db, customer_id, draft.contact_id),
    draft.stage_of === undefined ? lockOpenDeposits(db, { id: null, quote_id, job_ids }) : [],
    requireQuoteOf(db, customer_id, quote_id),
    requireJobsOf(db, customer_id, job_ids),
    requireLiveRate(db, draft.is_rate_copied ? null : draft.tax_rate_id),
  ])
  return { customer, settings, document, location_id, contact_id, deposits }
}

/** Prepares and adds a draft. */
export const addInvoice = async (db: Db, actor: Writer, draft: NewInvoice): Promise<Invoice> =>
  insertInvoice(db, actor, draft, await prepareInvoice(db, draft))

/**
 * Adds a prepared draft. Invoice numbers have no gaps: the counter is locked last, until the transaction ends, and a
 * rollback returns the number (docs/spec/money.md#invoice-numbers).
 */
export async function insertInvoice(
  db: Db,
  actor: Writer,
  draft: NewInvoice,
  { customer, settings, document, location_id, contact_id, deposits }: PreparedInvoice,
): Promise<Invoice> {
  const { customer_id, quote_id = null, job_ids = [] } = draft
  const today = todayIn(settings.timezone).toString()
  const issue_date = draft.issue_date ?? today
  const due_date = dueDate(issue_date, draft.due_date, customer.payment_terms_days ?? settings.default_net_days)
  const deducted = deductDeposits(document, deposits)
  const id = newId()
  const user = actor?.user ?? null
  const writes = [
    ...(customer.status === 'lead' ? [activateCustomer(db, customer_id)] : []),
    db.run(
      sql`insert into invoices ${values({
        tenant_id: db.tenant,
        id,
        number: sql`next_number(${db.tenant}, 'invoice', 1001)`,
        number_prefix: settings.invoice_prefix,
        customer_id,
        location_id,
        contact_id,
        quote_id,
        plan_id: draft.plan?.id ?? null,
        plan_run_date: draft.plan?.run_date ?? null,
        ...(draft.stage_of && stageColumns(draft.stage_of)),
        status: 'draft',
        subject: draft.subject ?? null,
        issue_date,
        due_date,
        po_number: draft.po_number ?? null,
        message: draft.message ?? null,
        internal_memo: draft.internal_memo ?? null,
        ...toDocumentColumns(document),
        ...deducted.columns,
        tax_rate_chosen: draft.tax_rate_id !== undefined,
        tax_exempt: customer.tax_exempt,
        fields: draft.fields ?? {},
        currency: settings.currency,
        created_by: user,
        updated_by: user,
      })}`,
    ),
    ...(job_ids.length === 0 ? [] : [billJobs(db, id, job_ids)]),
    ...(deducted.deductions.length === 0 ? [] : writeDeductions(db, id, deducted.deductions)),
    ...(quote_id === null || draft.stage_of !== undefined ? [] : [markConverted(db, quote_id, { invoice: id })]),
  ]
  const [invoice] = await Promise.all([findInvoice(db, id, today), ...writes])
  return invoice
}

const stageColumns = ({ work, stage }: NonNullable<NewInvoice['stage_of']>) =>
  'quote' in work ? { deposit_of: work.quote, stage } : { deposit_of: work.job, stage_of_job: work.job, stage }

const settingsOf = (db: Db): Promise<Settings> =>
  db.one<Settings>(
    sql`select timezone, currency, default_net_days, invoice_prefix from tenants where id = ${db.tenant}`,
  )
