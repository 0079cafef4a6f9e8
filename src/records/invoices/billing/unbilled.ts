import { sql, type Db } from '../../../platform/db/tenant.ts'
import { isUnbilled } from '../../jobs/index.ts'

/** A completed job without an invoice; its amount is before discounts and tax. */
type UnbilledJob = {
  display_number: string
  title: string
  customer_name: string
  completed_at: string
  subtotal_cents: number
}

/**
 * Returns up to `limit` unbilled jobs completed since an instant, oldest first, with the number and the subtotal of all
 * of them.
 */
export async function listUnbilledJobs(
  db: Db,
  since: string,
  limit: number,
): Promise<{ rows: UnbilledJob[]; count: number; sum_cents: number }> {
  const jobRows = await db.all<UnbilledJob & { count: number; sum_cents: number }>(sql`
    select j.display_number, j.title, c.display_name as customer_name, j.completed_at, j.subtotal_cents, j.count,
      j.sum_cents
    from (select j.*, count(*) over ()::integer as count, (sum(j.subtotal_cents) over ())::bigint as sum_cents
      from jobs j
        where j.tenant_id = ${db.tenant} and ${isUnbilled(db, since)}
        order by j.completed_at, j.id limit ${limit}) j
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    order by j.completed_at, j.id`)
  const [first] = jobRows
  return { rows: jobRows, count: first?.count ?? 0, sum_cents: first?.sum_cents ?? 0 }
}
