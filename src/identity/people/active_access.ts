import { sql, type Database, type Db, type Sql } from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import type { Actor } from '../audit.ts'

/** Counts of a user's credentials that work without their password, over all their companies. */
export type ActiveAccess = { keys: number; apps: number }

type Send = Database['send']

/** Counts a user's active keys and connected apps. */
export async function countActiveAccess(send: Send, user: string): Promise<ActiveAccess> {
  const tenants = await tenantsOf(send, user)
  const answers = await send(
    tenants.flatMap((tenant): Sql<Partial<ActiveAccess>>[] => [enterTenant(tenant), selectAccessCounts(tenant, user)]),
  )
  const counts = answers.flatMap(({ rows }) => rows)
  return { keys: total(counts, 'keys'), apps: total(counts, 'apps') }
}

/** Revokes a user's keys and apps in every company, each with an audit row. They are refused at their next request. */
export async function endActiveAccess(send: Send, user: string, by: Actor): Promise<void> {
  await send((await tenantsOf(send, user)).flatMap((tenant) => [enterTenant(tenant), revokeAccess(tenant, user, by)]))
}

/** Does the same in a transaction of one tenant, and enters that tenant again at the end. */
export async function endActiveAccessIn(db: Db, user: string, by: Actor): Promise<void> {
  const tenants = (await db.all<{ tenant_id: string }>(selectTenants(user))).map(({ tenant_id }) => tenant_id)
  await Promise.all(
    [...tenants.flatMap((tenant) => [enterTenant(tenant), revokeAccess(tenant, user, by)]), enterTenant(db.tenant)].map(
      (statement) => db.run(statement),
    ),
  )
}

/** Lists a user's active keys and connected apps with their companies, at most `limit` of each. */
export async function listActiveAccess(
  send: Send,
  user: string,
  limit: number,
): Promise<{ keys: NamedAccess[]; apps: NamedAccess[] }> {
  const tenants = await tenantsOf(send, user)
  const answers = await send(
    tenants.flatMap((tenant): Sql<Partial<AccessRow>>[] => [enterTenant(tenant), selectAccess(tenant, user, limit)]),
  )
  const rows = answers.flatMap(({ rows }) => rows)
  const accessOf = (accessKind: 'key' | 'app'): NamedAccess[] =>
    rows.flatMap(({ kind, name = '', company = '' }) => (kind === accessKind ? [{ name, company }] : []))
  return { keys: accessOf('key').slice(0, limit), apps: accessOf('app').slice(0, limit) }
}

/** Name of a key or an app, and its company. */
type NamedAccess = { name: string; company: string }

type AccessRow = NamedAccess & { kind: 'key' | 'app' }

const selectTenants = (user: string): Sql<{ tenant_id: string }> =>
  sql`select tenant_id from user_tenants where user_id = ${user}`

const tenantsOf = async (send: Send, user: string): Promise<string[]> =>
  (await send([selectTenants(user)]))[0].rows.map(({ tenant_id }) => tenant_id)

const enterTenant = (tenant: string): Sql<Partial<AccessRow & ActiveAccess>> =>
  sql`select enter_tenant(${tenant}, null, 0)`

const selectAccessCounts = (tenant: string, user: string): Sql<ActiveAccess> => sql`
  select (select count(*) from credentials
    where tenant_id = ${tenant} and user_id = ${user} and kind = 'user_key' and revoked_at is null
      and coalesce(expires_at > moment(), true))::int as keys,
    (select count(*) from oauth_grants where tenant_id = ${tenant} and user_id = ${user})::int as apps`

const selectAccess = (tenant: string, user: string, limit: number): Sql<AccessRow> => sql`
  select 'key' as kind, c.name, t.name as company from credentials c join tenants t on t.id = c.tenant_id
  where c.tenant_id = ${tenant} and c.user_id = ${user} and c.kind = 'user_key' and c.revoked_at is null
    and coalesce(c.expires_at > moment(), true)
  union all
  select 'app', c.name, t.name from oauth_grants g join oauth_clients c on c.id = g.client_id
  join tenants t on t.id = g.tenant_id
  where g.tenant_id = ${tenant} and g.user_id = ${user} limit ${2 * limit}`

/** Revokes access. Without `returning`, a cluster would insert with COPY, which row-level security refuses. */
const revokeAccess = (tenant: string, user: string, by: Actor): Sql => sql`
  with credentials_ended as (
    update credentials set revoked_at = moment()
    where tenant_id = ${tenant} and user_id = ${user} and kind in ('user_key', 'oauth') and revoked_at is null
    returning kind
  ), grants_ended as (delete from oauth_grants where tenant_id = ${tenant} and user_id = ${user} returning client_id),
  counts as (
    select (select count(*) from credentials_ended where kind = 'user_key') as keys,
      (select count(*) from grants_ended) as apps
  )
  insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  select ${tenant}, ${newId()}, ${by?.user ?? null}, 'members.disconnect', 'member', ${user},
    jsonb_build_object('keys', jsonb_build_array(keys, 0), 'apps', jsonb_build_array(apps, 0)) from counts
    where keys > 0 or apps > 0 returning id`

const total = (counts: readonly Partial<ActiveAccess>[], field: keyof ActiveAccess): number =>
  counts.reduce((sum, count) => sum + (count[field] ?? 0), 0)
