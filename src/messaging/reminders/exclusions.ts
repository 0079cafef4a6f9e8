import { auditChange, type Actor } from '../../identity/audit.ts'
import { sql, type Db } from '../../platform/db/tenant.ts'

/** Checks whether a customer is excluded from reminders. */
export const isExcluded = async (db: Db, customer: string): Promise<boolean> =>
  (await db.maybe(
    sql`select 1 from reminder_exclusions where tenant_id = ${db.tenant} and customer_id = ${customer}`,
  )) !== undefined

/** Excludes an active customer from reminders, or includes them again. Without an actor, the customer asked by link. */
export async function setExcluded(db: Db, by: Actor, customer: string, excluded: boolean): Promise<void> {
  await db.present(
    sql`select id from customers where tenant_id = ${db.tenant} and id = ${customer} and archived_at is null
      for no key update`,
    'customer',
  )
  const changed = await db.run(
    excluded
      ? sql`insert into reminder_exclusions (tenant_id, customer_id, excluded_by)
          values (${db.tenant}, ${customer}, ${by?.user ?? null})
          on conflict do nothing`
      : sql`delete from reminder_exclusions where tenant_id = ${db.tenant} and customer_id = ${customer}`,
  )
  if (changed > 0)
    await db.run(
      auditChange(db.tenant, by, excluded ? 'customers.stop_reminders' : 'customers.resume_reminders', customer, {
        reminders: [excluded, !excluded],
      }),
    )
}
