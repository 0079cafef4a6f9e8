import { auditChange } from '../../audit.ts'
import { requireOwner } from '../../permissions/rights.ts'
import { sql, type Db } from '../../../platform/db/tenant.ts'

/** Days during which a company counts as new. */
const NEW_DAYS = 60

/** Steps that a new company has completed. */
type StepsDone = Record<
  'letterhead' | 'tax' | 'hours' | 'payments' | 'customer' | 'people' | 'prices' | 'assistant',
  boolean
>

/** Completed first steps. `isOffered` is true until they are hidden or the company is no longer new. */
export type SetupState = StepsDone & { isOffered: boolean }

/** Returns which first steps are done, based on the company's data. */
export const findSetupState = (db: Db): Promise<SetupState> =>
  db.one<SetupState>(sql`
  select t.address is not null and exists (select 1 from logos l where l.tenant_id = ${db.tenant}) as letterhead,
    t.charges_no_tax or exists (select 1 from tax_rates r where r.tenant_id = ${db.tenant}) as tax,
    exists (select 1 from working_weeks w where w.tenant_id = ${db.tenant} and w.user_id is null) as hours,
    exists (select 1 from payment_accounts a where a.tenant_id = ${db.tenant}) as payments,
    exists (select 1 from customers c where c.tenant_id = ${db.tenant}) as customer,
    exists (select 1 from members m where m.tenant_id = ${db.tenant} offset 1)
      or exists (select 1 from invitations i where i.tenant_id = ${db.tenant}) as people,
    exists (select 1 from catalog_items i where i.tenant_id = ${db.tenant}) as prices,
    exists (select 1 from credentials k where k.tenant_id = ${db.tenant} and k.kind <> 'browser') as assistant,
    t.first_steps_dismissed_at is null
      and t.created_at > moment() - make_interval(days => ${NEW_DAYS}) as "isOffered"
  from tenants t where t.id = ${db.tenant}`)

/** Hides the first steps, or shows them again, for an owner. */
export async function hideFirstSteps(db: Db, hides: boolean, by: { user: string }): Promise<void> {
  await requireOwner(db, by)
  await db.run(
    sql`update tenants set first_steps_dismissed_at = ${hides ? sql`moment()` : null} where id = ${db.tenant}`,
  )
  await db.run(auditChange(db.tenant, by, 'companies.set', db.tenant, { first_steps_hidden: [!hides, hides] }))
}
