import { sql, writeTenant, type Database } from '../../../platform/db/tenant.ts'
import { auditChange } from '../../audit.ts'
import { requireOwner } from '../../permissions/rights.ts'
import { logAccountEvent, type Origin } from '../../security/account_events.ts'
import { emitAccessChange } from '../../sign_in/access_changes.ts'
import { endSessionsOf } from '../../sign_in/sessions.ts'
import { requireSoleCompany } from '../sole_company.ts'

/**
 * Signs a member out of every browser, for an owner, for example after a lost phone. Password, keys and apps stay.
 * Refuses an account that also belongs to another company. Returns the number of ended sessions.
 */
export async function signOutMember(
  database: Database,
  tenant: string,
  user: string,
  by: { user: string },
  origin: Origin,
): Promise<number> {
  const count = await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      await requireSoleCompany(db, user)
      const { count } = await db.one<{ count: number }>(
        sql`select count(*)::integer as count from sessions where user_id = ${user}`,
      )
      const eventStatement = logAccountEvent({ user, kind: 'sessions_ended', origin, about: { count, by: by.user } })
      await Promise.all([...endSessionsOf(user), eventStatement].map((statement) => db.run(statement)))
      return count
    },
    (count) => [auditChange(tenant, by, 'members.sign_out', user, { sessions: [count, 0] })],
  )
  emitAccessChange(user)
  return count
}
