import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Work that is done and on no invoice; the amount is that of its lines before discounts and tax. */
export type UnbilledJob = {
  display_number: string
  title: string
  customer_name: string
  completed_at: string
  subtotal_cents: number
}

/**
 * Returns the jobs done since an instant that no invoice which stands bills, itself or by the quote that it came from
 * (a deposit bills no work), the oldest first; at most so many, with how many there are and what their lines come to.
 */
export async function listUnbilledJobs(
  db: Db,
  since: string,
  most: number,
): Promise<{ rows: UnbilledJob[]; count: number; sum_cents: number }> {
  const jobRows = await db.all<UnbilledJob & { count: number; sum_cents: number }>(sql`
    select j.display_number, j.title, c.display_name as customer_name, j.completed_at, j.subtotal_cents, j.count,
      j.sum_cents
    from (select j.*, count(*) over ()::integer as count, (sum(j.subtotal_cents) over ())::bigint as sum_cents
      from jobs j
        where j.tenant_id = ${db.tenant} and j.status = 'done' and j.completed_at >= ${since}
          and not exists (select 1
            from invoice_jobs b join invoices i on i.tenant_id = ${db.tenant} and i.id = b.invoice_id
            where b.tenant_id = ${db.tenant} and b.job_id = j.id and i.status <> 'void')
          and not exists (select 1 from invoices i
            where i.tenant_id = ${db.tenant} and i.quote_id = j.quote_id and i.status <> 'void'
              and i.deposit_of is null)
        order by j.completed_at, j.id limit ${most}) j
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    order by j.completed_at, j.id`)
  const [first] = jobRows
  return { rows: jobRows, count: first?.count ?? 0, sum_cents: first?.sum_cents ?? 0 }
}
