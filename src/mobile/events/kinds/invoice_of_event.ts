import { sql, type Db } from '../../../platform/db/tenant.ts'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { id } from '../../../platform/validation/fields.ts'
import { refusals } from '../refusals.ts'

/**
 * Fields that name an event's invoice: by id, or by the event that created it, since an offline phone has no id yet.
 */
export const invoiceFields = { invoice_id: id().optional(), invoice_act: id().optional() }

type InvoiceReference = { invoice_id?: string | undefined; invoice_act?: string | undefined }

/** Returns the invoice an event names; it must belong to the visit's customer. */
export async function findEventInvoice(
  db: Db,
  { invoice_id, invoice_act }: InvoiceReference,
  job: string,
): Promise<string> {
  if (invoice_id === undefined && invoice_act === undefined) throw invalidField('invoice_id', refusals.noInvoice())
  const row = await db.maybe<{ id: string }>(sql`
    select i.id from invoices i join jobs j on j.tenant_id = i.tenant_id and j.customer_id = i.customer_id
    where i.tenant_id = ${db.tenant} and j.id = ${job}
      and i.id = coalesce(${invoice_id ?? null}::uuid, (select record_id from field_acts
        where tenant_id = ${db.tenant} and id = ${invoice_act ?? null}::uuid and job_id = ${job}))`)
  if (row !== undefined) return row.id
  if (invoice_id === undefined) throw invalidField('invoice_act', refusals.noInvoice())
  throw invalidField('invoice_id', refusals.invoiceOfOtherCustomer({ invoice: invoice_id }))
}
