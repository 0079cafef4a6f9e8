import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Counts of a customer's records that a merge moves. */
export type OwnedCounts = {
  jobs: number
  job_series: number
  quotes: number
  invoices: number
  plans: number
  messages: number
}

/** Counts the records of a customer. */
export const countOwnedRecords = (db: Db, customer: string): Promise<OwnedCounts> =>
  db.one<OwnedCounts>(sql`select
  (select count(*) from jobs where tenant_id = ${db.tenant} and customer_id = ${customer}) as jobs,
  (select count(*) from job_series where tenant_id = ${db.tenant} and customer_id = ${customer}) as job_series,
  (select count(*) from quotes where tenant_id = ${db.tenant} and customer_id = ${customer}) as quotes,
  (select count(*) from invoices where tenant_id = ${db.tenant} and customer_id = ${customer}) as invoices,
  (select count(*) from plans where tenant_id = ${db.tenant} and customer_id = ${customer}) as plans,
  (select count(*) from communications where tenant_id = ${db.tenant} and customer_id = ${customer}) as messages`)
