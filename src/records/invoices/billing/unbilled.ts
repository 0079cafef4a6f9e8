import { sql, type Db } from '../../../platform/db/tenant.ts'
import { isUnbilled } from '../../jobs/index.ts'

/** Work that is done and on no invoice; the amount is that of its lines before discounts and tax. */
type UnbilledJob = {
  display_number: string
  title: string
  customer_name: string
  completed_at: string
  subtotal_cents: number
}

/**
 * Returns the unbilled jobs done since an instant, the oldest first; at most so many, with how many there are and what
 * their lines come to.
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
        where j.tenant_id = ${db.tenant} and ${isUnbilled(db, since)}
        order by j.completed_at, j.id limit ${most}) j
      join customers c on c.tenant_id = ${db.tenant} and c.id = j.customer_id
    order by j.completed_at, j.id`)
  const [first] = jobRows
  return { rows: jobRows, count: first?.count ?? 0, sum_cents: first?.sum_cents ?? 0 }
}
