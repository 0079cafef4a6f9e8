import { sql, type Database, type Db, type Sql } from '../../db/tenant.ts'
import { newId } from '../../shape/id.ts'
import type { Actor } from '../audit.ts'

/** Counts what acts in a person's name without their password, over all their companies. */
export type StandingAccess = { keys: number; apps: number }

type Send = Database['send']

/** Counts a person's keys and connected apps that are still in force. */
export async function standingOf(send: Send, user: string): Promise<StandingAccess> {
  const tenants = await tenantsOf(send, user)
  const answers = await send(tenants.flatMap((tenant) => [enter(tenant), counted(tenant, user)]))
  const counts = answers.flatMap(({ rows }) => rows as Partial<StandingAccess>[])
  return { keys: total(counts, 'keys'), apps: total(counts, 'apps') }
}

/** Ends a person's keys and apps in every company, with a row in the audit of each: they are refused on their next request. */
export async function endStanding(send: Send, user: string, by: Actor): Promise<void> {
  await send((await tenantsOf(send, user)).flatMap((tenant) => [enter(tenant), ended(tenant, user, by)]))
}

/** Does the same inside a transaction of one tenant, and enters that tenant again at the end. */
export async function endStandingIn(db: Db, user: string, by: Actor): Promise<void> {
  const tenants = (await db.all<{ tenant_id: string }>(ofUser(user))).map(({ tenant_id }) => tenant_id)
  await Promise.all(
    [...tenants.flatMap((tenant) => [enter(tenant), ended(tenant, user, by)]), enter(db.tenant)].map((statement) =>
      db.run(statement),
    ),
  )
}

const ofUser = (user: string): Sql => sql`select tenant_id from user_tenants where user_id = ${user}`

const tenantsOf = async (send: Send, user: string): Promise<string[]> =>
  ((await send([ofUser(user)]))[0]!.rows as { tenant_id: string }[]).map(({ tenant_id }) => tenant_id)

const enter = (tenant: string): Sql => sql`select enter_tenant(${tenant}, null, 0)`

const counted = (tenant: string, user: string): Sql => sql`
  select (select count(*) from credentials where tenant_id = ${tenant} and user_id = ${user} and kind = 'user_key' and revoked_at is null
      and coalesce(expires_at > moment(), true))::int as keys,
    (select count(*) from oauth_grants where tenant_id = ${tenant} and user_id = ${user})::int as apps`

/** Gives something back, since a cluster copies what it inserts otherwise, which row-level security refuses. */
const ended = (tenant: string, user: string, by: Actor): Sql => sql`
  with credentials_ended as (
    update credentials set revoked_at = moment()
    where tenant_id = ${tenant} and user_id = ${user} and kind in ('user_key', 'oauth') and revoked_at is null returning kind
  ), grants_ended as (delete from oauth_grants where tenant_id = ${tenant} and user_id = ${user} returning client_id),
  counts as (select (select count(*) from credentials_ended where kind = 'user_key') as keys, (select count(*) from grants_ended) as apps)
  insert into audit (tenant_id, id, user_id, tool, record_type, record_id, changed)
  select ${tenant}, ${newId()}, ${by?.user ?? null}, 'members.disconnect', 'member', ${user},
    jsonb_build_object('keys', jsonb_build_array(keys, 0), 'apps', jsonb_build_array(apps, 0)) from counts where keys > 0 or apps > 0 returning id`

const total = (counts: readonly Partial<StandingAccess>[], of: keyof StandingAccess): number =>
  counts.reduce((sum, count) => sum + (count[of] ?? 0), 0)
