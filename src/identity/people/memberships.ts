import { rowsOf, readTenant, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { isId } from '../../platform/validation/id.ts'
import { ceilingOf, scopesUnder, type Ceiling, type Role } from '../permissions/areas.ts'
import type { Tenant } from '../credentials/caller.ts'
import type { Scope } from '../permissions/scopes.ts'

/** User's active membership in a company. */
export type Membership = { company: Tenant & { name: string }; role: Role; ceiling: Ceiling }

type MembershipRow = Tenant & { name: string; role: Role; ceiling: Ceiling }

/** Lists a user's companies, by name. */
export async function membershipsOf(database: Database, user: string): Promise<Membership[]> {
  const rows = await rowsOf(
    database.send,
    sql<{ tenant_id: string }>`select tenant_id from user_tenants where user_id = ${user}`,
  )
  const tenants = rows.map(({ tenant_id }) => tenant_id)
  const answers = await database.send(
    tenants.flatMap((tenant): Sql<Partial<MembershipRow>>[] => [
      sql`select enter_tenant(${tenant}, null, 0)`,
      selectMembership(tenant, user),
    ]),
  )
  return answers
    .flatMap(({ rows }) => rows)
    .filter(isMembershipRow)
    .map(toMembership)
    .sort((a, b) => a.company.name.localeCompare(b.company.name) || a.company.id.localeCompare(b.company.id))
}

/** Returns a user's membership in one company, or null if they don't belong to it. */
export async function membershipIn(database: Database, tenant: string, user: string): Promise<Membership | null> {
  if (!isId(tenant)) return null
  const row = await readTenant(database, { tenant }, (db) => db.maybe<MembershipRow>(selectMembership(db.tenant, user)))
  return row === undefined ? null : toMembership(row)
}

/** Returns the current rights of users in a company, without those who don't belong to it. */
export async function rightsIn(
  database: Database,
  tenant: string,
  users: readonly string[],
): Promise<Map<string, ReadonlySet<Scope>>> {
  const rows = await readTenant(database, { tenant }, (db) =>
    db.all<{ user_id: string; role: Role; ceiling: Ceiling }>(sql`
    select user_id, role, ceiling from members
    where tenant_id = ${db.tenant} and user_id = any(${[...users]}::uuid[]) and deactivated_at is null`),
  )
  return new Map(
    rows.map(({ user_id, role, ceiling }) => [
      user_id,
      scopesUnder(role === 'owner' ? ceilingOf('owner', undefined) : ceiling),
    ]),
  )
}

const selectMembership = (tenant: string, user: string): Sql<MembershipRow> => sql`
  select t.id, t.name, t.timezone, t.currency, t.country, m.role, m.ceiling from members m
  join tenants t on t.id = m.tenant_id
  where m.tenant_id = ${tenant} and m.user_id = ${user} and m.deactivated_at is null`

const isMembershipRow = (row: Partial<MembershipRow>): row is MembershipRow => row.ceiling !== undefined

const toMembership = ({ role, ceiling, ...company }: MembershipRow): Membership => ({ company, role, ceiling })
