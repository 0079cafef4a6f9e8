import { sql } from '../../../platform/db/tenant.ts'
import { say } from '../../../platform/i18n/say.ts'
import { money } from '../../../records/format/formats.ts'
import { todayIn } from '../../../platform/validation/formats/instants.ts'
import { splitList } from '../../reading/values.ts'
import { priceToMatch } from '../amounts.ts'
import { VISIT_SEPARATOR } from '../grouping.ts'
import type { CreatedDocument, DocumentContext } from './document_context.ts'

/** Creates an invoice with its payments as in the file. Nothing is sent to anyone. */
export async function makeInvoice(context: DocumentContext): Promise<CreatedDocument> {
  const { db, caller, sourceDocument, customer, run } = context
  const { currency } = caller.tenant
  const { isEvenedOut, amounts, lines, state } = sourceDocument
  const priced = await priceToMatch(db, lines, amounts, { currency, isExempt: customer.tax_exempt, isEvenedOut })
  const job_ids = await jobsOf(context)
  const { outcome } = await run('invoices_create', { ...context.input, ...priced, ...job_ids })
  const id = String(outcome.result['id'])
  const total_cents = Number(outcome.result['total_cents'])
  if (state === 'draft') return { id, total_cents }
  if (state === 'void') {
    await run('invoices_void', { id, reason: say`Void before it was imported` })
    return { id }
  }
  await run('invoices_update', { id, status: state === 'uncollectible' ? 'uncollectible' : 'sent' })
  const paid = await recordPayment(context, id, total_cents)
  if (total_cents === 0 && state === 'paid') await run('invoices_update', { id, status: 'paid' })
  return { id, total_cents, owed_cents: state === 'uncollectible' ? 0 : total_cents - paid }
}

/** Records everything paid as one payment on the last payment date in the file. Returns the amount in minor units. */
async function recordPayment(
  { caller, sourceDocument, run, addRemark }: DocumentContext,
  id: string,
  total: number,
): Promise<number> {
  const { amounts, state, days, payment } = sourceDocument
  const amountPaid =
    amounts.balance === undefined ? (amounts.paid ?? (state === 'paid' ? total : 0)) : total - amounts.balance
  const paid = Math.min(amountPaid, total)
  if (amountPaid > total)
    addRemark({ field: 'amount_paid', value: money(amountPaid - total, caller.tenant.currency), taken: '' })
  if (paid <= 0) return 0
  const today = todayIn(caller.tenant.timezone).toString()
  const paid_on = days['paid'] === undefined || days['paid'] > today ? today : days['paid']
  await run('invoices_record_payment', {
    id,
    amount_cents: paid,
    method: payment.method,
    paid_on,
    reference: payment.reference,
  })
  return paid
}

/**
 * Returns the jobs the invoice bills, if an earlier file imported them: the jobs with its numbers, and for a number
 * with several visits those up to its date that no other invoice bills.
 */
async function jobsOf({
  db,
  caller,
  source,
  sourceDocument,
  input,
  customer,
  addRemark,
}: DocumentContext): Promise<{ job_ids?: string[] }> {
  if (sourceDocument.job === undefined) return {}
  const numbers = splitList(sourceDocument.job).slice(0, MAX_JOBS)
  const { issue_date } = input
  const until = typeof issue_date === 'string' ? issue_date : todayIn(caller.tenant.timezone).toString()
  const rows = await db.all<{ id: string }>(sql`select j.id from jobs j
    join import_links l on l.tenant_id = j.tenant_id and l.record_id = j.id and l.source = ${source} and l.kind = 'jobs'
    where j.tenant_id = ${db.tenant} and j.customer_id = ${customer.id} and (l.source_id = any(${numbers}::text[])
      or split_part(l.source_id, ${VISIT_SEPARATOR}, 1) = any(${numbers}::text[])
        and (j.scheduled_start at time zone ${caller.tenant.timezone})::date <= ${until}::date
        and not exists (select 1 from invoice_jobs b where b.tenant_id = ${db.tenant} and b.job_id = j.id))
    order by j.number limit ${MAX_JOBS}`)
  if (rows.length > 0) return { job_ids: rows.map(({ id }) => id) }
  addRemark({ field: 'job_number', value: sourceDocument.job, taken: '' })
  return {}
}

const MAX_JOBS = 50
