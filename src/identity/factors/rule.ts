import { readTenant, sql, writeTenant, type Database, type Db } from '../../platform/db/tenant.ts'
import { conflict } from '../../platform/errors/refusal.ts'
import { auditChange } from '../audit.ts'
import { requireSoleCompany } from '../people/sole_company.ts'
import { membershipsOf } from '../people/memberships.ts'
import { logAccountEvent, type Origin } from '../security/account_events.ts'
import { notify } from '../security/notices/notices.ts'
import { requireOwner } from '../permissions/rights.ts'
import { emitAccessChange } from '../sign_in/access_changes.ts'
import { endSessionsOf } from '../sign_in/sessions.ts'
import { deleteFactors, unlinkIdentities } from './factors.ts'
import { refusals } from './refusals.ts'

/** Company's second factor rule, and its members without a second factor. */
export type FactorRule = { isRequired: boolean; members: number; lacking: readonly { id: string; name: string }[] }

const hasSecondFactorSql = sql`(exists (select 1 from passkeys p where p.user_id = m.user_id)
  or exists (select 1 from totp_secrets t where t.user_id = m.user_id and t.confirmed_at is not null))`

export const findFactorRule = (database: Database, tenant: string): Promise<FactorRule> =>
  readTenant(database, { tenant }, async (db) => {
    const [isRequired, members] = await Promise.all([
      readRule(db),
      db.all<{ id: string; name: string; has: boolean }>(sql`
        select u.id, u.name, ${hasSecondFactorSql} as has from members m join users u on u.id = m.user_id
        where m.tenant_id = ${db.tenant} and m.deactivated_at is null order by u.name, u.id`),
    ])
    const lacking = members.filter(({ has }) => !has).map(({ id, name }) => ({ id, name }))
    return { isRequired, members: members.length, lacking }
  })

/** Checks whether a company requires a second factor from everyone. */
export const isSecondFactorRequired = (database: Database, tenant: string): Promise<boolean> =>
  readTenant(database, { tenant }, readRule)

const readRule = async (db: Db): Promise<boolean> =>
  (
    await db.present<{ required: boolean }>(
      sql`select asks_second_factor as required from tenants where id = ${db.tenant}`,
      'company',
    )
  ).required

/** Checks whether any of a user's companies requires a second factor from everyone. */
export async function isSecondFactorRequiredAnywhere(database: Database, user: string): Promise<boolean> {
  const requirements = (await membershipsOf(database, user)).map(({ company }) =>
    isSecondFactorRequired(database, company.id),
  )
  return (await Promise.all(requirements)).includes(true)
}

export const hasOwnSecondFactor = async (db: Db, user: string): Promise<boolean> =>
  (
    await db.maybe<{ has: boolean }>(
      sql`select ${hasSecondFactorSql} as has from members m where m.tenant_id = ${db.tenant} and m.user_id = ${user}`,
    )
  )?.has ?? false

/** Turns the rule on or off. An owner without a second factor can't turn it on, because it would lock them out. */
export const setFactorRule = (
  database: Database,
  tenant: string,
  isRequired: boolean,
  by: { user: string },
): Promise<unknown> =>
  writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      if (isRequired && !(await hasOwnSecondFactor(db, by.user))) throw conflict(refusals.noneOfOwn())
      return db.run(
        sql`update tenants set asks_second_factor = ${isRequired}
          where id = ${db.tenant} and asks_second_factor <> ${isRequired}`,
      )
    },
    (changed) =>
      changed === 0
        ? []
        : [auditChange(tenant, by, 'companies.set', tenant, { asks_second_factor: [!isRequired, isRequired] })],
  )

/**
 * Resets a member who lost their second factors, for an owner, and signs them out everywhere. Refuses an account that
 * also belongs to another company.
 */
export async function resetMemberFactors(
  database: Database,
  tenant: string,
  user: string,
  by: { user: string },
  origin: Origin,
): Promise<void> {
  await writeTenant(
    database,
    { tenant },
    async (db) => {
      await requireOwner(db, by)
      await requireSoleCompany(db, user)
      await db.run(sql`select id from users where id = ${user} for update`)
      await Promise.all(
        [
          ...deleteFactors(user),
          ...unlinkIdentities(user, origin),
          ...endSessionsOf(user),
          logAccountEvent({ user, kind: 'factors_reset', origin, about: { by: by.user } }),
          notify({ user, kind: 'second_factor_changed' }),
        ].map((statement) => db.run(statement)),
      )
    },
    () => [auditChange(tenant, by, 'members.reset_factors', user, {})],
  )
  emitAccessChange(user)
}
