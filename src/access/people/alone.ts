import { sql, type Db, type Sql } from '../../db/tenant.ts'
import { say } from '../../language/say.ts'
import { conflict, notFound } from '../../refusal.ts'

/** Holds for an account `u` that belongs, and belonged, to one company and to nothing else. */
export const isOfAlone = (tenant: string): Sql => sql`not exists (select from operators o where o.user_id = u.id)
  and not exists (select from user_tenants t where t.user_id = u.id and t.tenant_id <> ${tenant})`

/**
 * Requires a member whose account is this company's alone, for what an owner does to the account itself. Refuses somebody
 * who belongs, or belonged, to another company too, and an operator.
 */
export async function requireAlone(db: Db, user: string): Promise<void> {
  const member = await db.maybe<{ isAlone: boolean }>(sql`
    select ${isOfAlone(db.tenant)} as "isAlone" from members m join users u on u.id = m.user_id
    where m.tenant_id = ${db.tenant} and m.user_id = ${user} and m.deactivated_at is null`)
  if (member === undefined) throw notFound('member')
  if (!member.isAlone) throw conflict(say`This account isn't your company's alone. Whoever runs this service can help.`)
}
