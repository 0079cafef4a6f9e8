import { readTenant, sql, asTenant, type Database, type Db, type Sql } from '../../../platform/db/tenant.ts'
import { isId, newId } from '../../../platform/validation/id.ts'
import { ceilingOf, scopesUnder, type Ceiling, type Role } from '../../permissions/areas.ts'
import type { Caller, Tenant } from '../../credentials/caller.ts'
import type { ProviderRule } from '../../providers/company/company_rule.ts'
import type { Membership } from '../memberships.ts'

/**
 * Member signed in at a browser, with all their rights, whether the company is a demo, whether it requires a second
 * factor from everyone, and the rule for its own identity provider.
 */
export type SignedInMember = Membership & {
  caller: Caller
  isDemo: boolean
  requiresSecondFactor: boolean
  ownProvider: ProviderRule
}

type SignedInMemberRow = Tenant & {
  name: string
  is_demo: boolean
  asks_second_factor: boolean
  provider_on_since: string | null
  provider_required: boolean
  role: Role
  ceiling: Ceiling
  credential: string | null
  access_version: number
}

/**
 * Returns a user's current membership and rights in a company, or null if they don't belong to it. Queries that
 * `startQueries` starts share the round trip, before it is known whether the user may see them.
 */
export async function findSignedInMember(
  database: Database,
  tenant: string,
  user: string,
  startQueries: (db: Db) => void = () => {},
): Promise<SignedInMember | null> {
  if (!isId(tenant)) return null
  const member = await readTenant(database, { tenant }, (db) => {
    startQueries(db)
    return findMemberRow(db, user)
  })
  if (member === undefined) return null
  if (member.credential !== null) return toSignedInMember(member, member.credential, user)
  await database.send(asTenant(tenant, insertBrowserCredential(tenant, user)), { of: tenant })
  return findSignedInMember(database, tenant, user)
}

/**
 * Creates a member's browser credential, even in a frozen company, where a member at their first visit can only read.
 */
const insertBrowserCredential = (tenant: string, user: string): Sql => sql`
  insert into credentials (tenant_id, id, kind, user_id, name, scopes)
  values (${tenant}, ${newId()}, 'browser', ${user}, 'Browser', '{}')
  on conflict (tenant_id, user_id) where kind = 'browser' do nothing`

const findMemberRow = (db: Db, user: string): Promise<SignedInMemberRow | undefined> =>
  db.maybe<SignedInMemberRow>(sql`
  select t.id, t.name, t.timezone, t.currency, t.country, t.is_demo, t.asks_second_factor, m.role, m.ceiling,
    c.id as credential, c.access_version,
    p.on_since as provider_on_since, p.required_since is not null as provider_required
  from members m join tenants t on t.id = m.tenant_id
    left join credentials c on c.tenant_id = m.tenant_id and c.user_id = m.user_id and c.kind = 'browser'
    left join company_providers p on p.tenant_id = m.tenant_id
  where m.tenant_id = ${db.tenant} and m.user_id = ${user} and m.deactivated_at is null`)

const toSignedInMember = (
  { name, is_demo, asks_second_factor, role, ceiling, access_version, ...tenant }: SignedInMemberRow,
  credential: string,
  user: string,
): SignedInMember => ({
  company: { id: tenant.id, name, timezone: tenant.timezone, currency: tenant.currency, country: tenant.country },
  isDemo: is_demo,
  requiresSecondFactor: asks_second_factor,
  ownProvider: { onSince: tenant.provider_on_since, isRequired: tenant.provider_required },
  role,
  ceiling,
  caller: {
    tenant: { id: tenant.id, timezone: tenant.timezone, currency: tenant.currency, country: tenant.country },
    credential: { id: credential, version: access_version, expiresAt: Infinity },
    user,
    role,
    scopes: scopesUnder(role === 'owner' ? ceilingOf('owner', undefined) : ceiling),
    approval: null,
  },
})
