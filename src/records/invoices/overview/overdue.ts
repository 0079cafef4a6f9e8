import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Counts the invoices that are overdue on the company's calendar, up to `limit`. */
export const countOverdueInvoices = async (db: Db, limit: number): Promise<number> =>
  (
    await db.one<{
      count: number
    }>(sql`select count(*) as count from (select from invoices i join tenants t on t.id = i.tenant_id
    where i.tenant_id = ${db.tenant} and i.status in ('sent', 'partially_paid')
      and i.due_date < (now() at time zone t.timezone)::date
      limit ${limit}) c`)
  ).count
