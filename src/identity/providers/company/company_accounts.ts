import { readTenant, sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { notFound } from '../../../platform/errors/refusal.ts'
import { auditChange } from '../../audit.ts'
import { requireOwnerOrSelf } from '../../permissions/rights.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import type { LinkedIdentity } from '../identities.ts'

/** Lists a member's accounts at the company's provider, oldest first. */
export const companyAccountsOf = (database: Database, tenant: string, user: string): Promise<LinkedIdentity[]> =>
  readTenant(database, { tenant }, (db) =>
    db.all<LinkedIdentity>(sql`select issuer, subject, email, created_at, used_at from company_identities
      where tenant_id = ${db.tenant} and user_id = ${user} order by created_at, issuer, subject limit 20`),
  )

/**
 * Unlinks an account at the company's provider from a member, for the member or an owner, and ends the member's
 * sessions from that provider. The provider may identify the member again.
 */
export async function unlinkCompanyAccount(
  database: Database,
  tenant: string,
  user: string,
  { issuer, subject }: Pick<LinkedIdentity, 'issuer' | 'subject'>,
  by: { user: string },
): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwnerOrSelf(db, by, user)
      const removed = await db.run(sql`delete from company_identities
        where tenant_id = ${db.tenant} and issuer = ${issuer} and subject = ${subject} and user_id = ${user}`)
      if (removed === 0) throw notFound('linked account')
      await db.run(sql`delete from sessions where user_id = ${user} and bound_to = ${db.tenant}`)
    },
    () => [auditChange(tenant, by, 'members.unlink_account', user, { issuer: [issuer, null] })],
  )
  emitAccessChange(user)
}
