import { sql, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { todayIn, utc } from '../../../platform/validation/formats/instants.ts'

/** Returns the earliest completion of work that can count as unbilled: a year ago. */
export const firstUnbilledInstant = (timezone: string): string =>
  utc(todayIn(timezone).subtract({ years: 1 }).toZonedDateTime(timezone).toInstant())

/**
 * Returns the condition that a job `j` was done since an instant and isn't on a valid invoice, directly or through its
 * quote. A deposit invoice doesn't count.
 */
export const isUnbilled = (db: Db, since: string): Sql => sql`
  j.status = 'done' and j.completed_at >= ${since}
    and not exists (select 1
      from invoice_jobs b join invoices i on i.tenant_id = ${db.tenant} and i.id = b.invoice_id
      where b.tenant_id = ${db.tenant} and b.job_id = j.id and i.status <> 'void')
    and not exists (select 1 from invoices i
      where i.tenant_id = ${db.tenant} and i.quote_id = j.quote_id and i.status <> 'void' and i.deposit_of is null)`
