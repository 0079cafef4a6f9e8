import { sql, type Db } from '../../../platform/db/tenant.ts'
import { conflict } from '../../../platform/errors/refusal.ts'
import { defineKind } from '../kind.ts'
import { refusals } from '../refusals.ts'

/**
 * Drafts the invoice of the visit; a payment or its payment code issues it. A visit billed meanwhile keeps that
 * invoice.
 */
export const invoice = defineKind({}, async ({ db, may, create }, event, job) => {
  const visit = await findBillable(db, job.id)
  if (visit.invoice_id === null && visit.lines === 0) throw conflict(refusals.noLines())
  const id =
    visit.invoice_id ??
    (await create('invoices_create', {
      customer_id: visit.customer_id,
      from_job_id: job.id,
      ...(visit.quote_id !== null && may('write:quotes') && { quote_id: visit.quote_id }),
    }))
  await db.run(sql`update field_acts set record_id = ${id} where tenant_id = ${db.tenant} and id = ${event.id}`)
})

type Billable = {
  customer_id: string
  /** Quote the visit was based on, unless it is archived. */
  quote_id: string | null
  lines: number
  /** Newest invoice of the visit that isn't void. */
  invoice_id: string | null
}

const findBillable = (db: Db, job: string): Promise<Billable> =>
  db.present<Billable>(
    sql`select j.customer_id, q.id as quote_id, jsonb_array_length(j.line_items) as lines, i.id as invoice_id
    from jobs j
      left join quotes q on q.tenant_id = ${db.tenant} and q.id = j.quote_id and q.status <> 'archived'
      left join lateral (
        select i.id from invoice_jobs b join invoices i on i.tenant_id = ${db.tenant} and i.id = b.invoice_id
        where b.tenant_id = ${db.tenant} and b.job_id = j.id and i.status <> 'void' order by i.number desc limit 1
      ) i on true
    where j.tenant_id = ${db.tenant} and j.id = ${job}`,
    'visit',
  )
