import { sql, type Db, type Sql } from '../../platform/db/tenant.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Condition: an account belongs, and belonged, only to one company, and is no operator's. */
export const isSoleCompany = (
  user: string,
  tenant: string,
): Sql => sql`(select count(*) = 0 from operators o where o.user_id = ${user})
  and (select count(*) = 0 from user_tenants t where t.user_id = ${user} and t.tenant_id <> ${tenant})`

/**
 * Requires a member whose account belongs only to this company, for an owner's changes to the account itself. Refuses a
 * current or former member of another company, and an operator.
 */
export async function requireSoleCompany(db: Db, user: string): Promise<void> {
  const member = await db.maybe<{ isSole: boolean }>(sql`
    select ${isSoleCompany(user, db.tenant)} as "isSole" from members m
    where m.tenant_id = ${db.tenant} and m.user_id = ${user} and m.deactivated_at is null`)
  if (member === undefined) throw notFound('member')
  if (!member.isSole) throw conflict(refusals.notAlone())
}
