import { sql, type Db } from '../../platform/db/tenant.ts'

/**
 * Removes the name and address from issued invoices after the `keep_until` day that the company set for legal reasons
 * (docs/spec/erasure.md#names-on-issued-invoices).
 */
export async function expireKeptNames(db: Db, today: string): Promise<void> {
  const ended = sql`select subject_id from erasures
    where tenant_id = ${db.tenant} and kind = 'customer' and keep_until is not null and keep_until < ${today}`
  await db.run(sql`update invoices set billed_name = null, location_address = null, updated_at = later_than(updated_at)
    where tenant_id = ${db.tenant} and customer_id in (${ended})`)
  await db.run(sql`delete from journal
    where tenant_id = ${db.tenant} and kind = 'invoices' and image ->> 'customer_id' in (
    select id::text from (${ended}) of (id))`)
  await db.run(sql`update erasures set keep_until = null, noted_at = null
    where tenant_id = ${db.tenant} and keep_until is not null and keep_until < ${today}`)
}
