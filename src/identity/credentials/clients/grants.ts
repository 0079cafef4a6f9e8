import {
  rowsOf,
  sendIn,
  sql,
  asTenant,
  writeTenant,
  type Database,
  type Db,
  type Sql,
} from '../../../platform/db/tenant.ts'
import type { Client } from './clients.ts'
import { conflict, notFound } from '../../../platform/errors/refusal.ts'
import {
  POLICY_LOCK,
  isAllowed,
  selectAppPolicy,
  toPolicyDecision,
  type RequestedScopes,
} from '../../apps/app_policy_decision.ts'
import { auditChange, type Actor } from '../../audit.ts'
import { deleteAppRequests } from '../../apps/requests.ts'
import { requireOwnerOrSelf } from '../../permissions/rights.ts'
import { hasLiftedProposals, expandProposes } from '../../permissions/scopes.ts'
import { refusals } from './refusals.ts'

/** Access that a user granted a client; there is one grant per user and client. */
export type Grant = {
  client_id: string
  client_name: string
  client_kind: Client['kind']
  user_id: string
  email: string
  tenant_id: string
  scopes: string[]
  /** Write scopes under which the client only proposes. */
  proposes: string[]
  created_at: string
  updated_at: string
}

type Send = Database['send']

/** Lists the grants of a user, a client, a company, or all, newest first. */
export async function listGrants(
  database: Database,
  filter: { user?: string; client?: string; tenant?: string } = {},
): Promise<Grant[]> {
  const { user = null, client = null, tenant = null } = filter
  const { rows } = await sendIn(
    database.send,
    tenant,
    sql<Grant>`
    select ${columns} from oauth_grants g join oauth_clients c on c.id = g.client_id join users u on u.id = g.user_id
    where (${user}::uuid is null or g.user_id = ${user}) and (${client}::text is null or g.client_id = ${client})
      and (${tenant}::uuid is null or g.tenant_id = ${tenant})
    order by g.updated_at desc, g.client_id, g.user_id`,
  )
  return rows
}

/** Returns the grant of a client and a user; with a tenant, only that tenant's. */
export async function findGrant(
  send: Send,
  client: string,
  user: string,
  tenant: string | null = null,
): Promise<Grant | undefined> {
  const { rows } = await sendIn(
    send,
    tenant,
    sql<Grant>`
    select ${columns} from oauth_grants g join oauth_clients c on c.id = g.client_id join users u on u.id = g.user_id
    where g.client_id = ${client} and g.user_id = ${user}`,
  )
  return rows[0]
}

/**
 * Checks whether a grant was approved in a session of the given kind: of a company's own provider (`isBound`), or of
 * the user's own account. If the kind is unknown, it matches neither.
 */
export async function isApprovedAs(send: Send, client: string, user: string, isBound: boolean): Promise<boolean> {
  const [result] = await send([
    sql`select from oauth_grants where client_id = ${client} and user_id = ${user} and is_bound = ${isBound}`,
  ])
  return result.count > 0
}

/** Revokes a client's grant. Refresh tokens stop at once, access tokens at their next request. */
export async function revokeGrant(
  database: Database,
  client: string,
  user: string,
  by: Actor = null,
  tenant: string | null = null,
): Promise<Grant> {
  const grant = await findGrant(database.send, client, user, tenant)
  if (grant === undefined) throw notFound('grant')
  await writeTenant(
    database,
    { tenant: grant.tenant_id },
    async (db) => {
      await requireOwnerOrSelf(db, by, user)
      await db.present(
        sql`delete from oauth_grants where client_id = ${client} and user_id = ${user} and tenant_id = ${db.tenant}
          returning user_id`,
        'grant',
      )
      await Promise.all([
        db.run(revokeAuthorizations(db.tenant, client, user)),
        db.run(deleteAppRequests(db.tenant, user, client)),
      ])
    },
    () => [
      auditChange(grant.tenant_id, by, 'grants.withdraw', user, {
        client: [grant.client_name, null],
        scopes: [grant.scopes, null],
      }),
    ],
  )
  return grant
}

/**
 * Narrows a grant: from its next request the client has the scopes in `remaining`, and only proposes under those in
 * `proposes`. To remove all, use `revokeGrant`. Writes that were only proposed may become direct if the company's app
 * policy allows it.
 */
export async function narrowGrant(
  database: Database,
  client: string,
  user: string,
  { remaining, proposes = [] }: { remaining: ReadonlySet<string>; proposes?: readonly string[] },
  by: Actor,
  tenant: string | null = null,
): Promise<Grant> {
  const grant = await findGrant(database.send, client, user, tenant)
  if (grant === undefined) throw notFound('grant')
  const scopes = grant.scopes.filter((scope) => remaining.has(scope))
  const proposed = expandProposes(scopes, proposes)
  const access = { scopes, proposes: proposed }
  await writeTenant(
    database,
    { tenant: grant.tenant_id },
    async (db) => {
      await requireOwnerOrSelf(db, by, user)
      if (by !== null && hasLiftedProposals(grant.proposes, scopes, proposes))
        await requireAllowed(db, grant, by.user, access)
      await db.present(
        sql`update oauth_grants set scopes = ${scopes}, proposes = ${proposed}, updated_at = moment()
      where client_id = ${client} and user_id = ${user} and tenant_id = ${db.tenant} and scopes = ${grant.scopes}
      returning user_id`,
        'grant',
      )
      await db.run(
        sql`update credentials set scopes = ${scopes}, proposes = ${proposed}
          where ${activeAuthorizations(db.tenant, client, user)} and (scopes <> ${scopes} or proposes <> ${proposed})`,
      )
    },
    () => [
      auditChange(grant.tenant_id, by, 'grants.narrow', user, {
        client: [grant.client_name, grant.client_name],
        scopes: [grant.scopes, scopes],
        ...(String(grant.proposes) === String(proposed) ? {} : { proposes: [grant.proposes, proposed] }),
      }),
    ],
  )
  return { ...grant, scopes, proposes: proposed }
}

/** Requires that the policy allows these scopes now. An owner's own action counts as an owner's approval. */
async function requireAllowed(db: Db, grant: Grant, by: string, input: RequestedScopes): Promise<void> {
  const { client_id: id, client_kind: kind, user_id: user } = grant
  const policyDecision = toPolicyDecision(await db.maybe(selectAppPolicy(db.tenant, { id, kind }, user, POLICY_LOCK)))
  if (isAllowed(policyDecision, input) || (policyDecision.outcome === 'ask' && by !== user)) return
  throw conflict(refusals.policy())
}

/**
 * Returns the statements that make every authorization of the pair follow `grant`: those in its tenant get its scopes,
 * all others end. Each change bumps the credential's access_version.
 */
export async function alignAuthorizations(
  send: Send,
  client: string,
  user: string,
  grant: Pick<Grant, 'tenant_id' | 'scopes' | 'proposes'> | undefined,
): Promise<Sql[]> {
  const rows = await rowsOf(
    send,
    sql<{
      tenant_id: string
    }>`select distinct tenant_id from oauth_authorizations where client_id = ${client} and user_id = ${user}`,
  )
  return rows.flatMap(({ tenant_id: tenant }) => {
    if (grant === undefined || grant.tenant_id !== tenant)
      return asTenant(tenant, revokeAuthorizations(tenant, client, user))
    return asTenant(
      tenant,
      sql`update credentials set scopes = ${grant.scopes}, proposes = ${grant.proposes}
        where ${activeAuthorizations(tenant, client, user)}
          and (scopes <> ${grant.scopes} or proposes <> ${grant.proposes})`,
    )
  })
}

export const revokeAuthorizations = (tenant: string, client: string, user: string): Sql =>
  sql`update credentials set revoked_at = moment() where ${activeAuthorizations(tenant, client, user)}`

const activeAuthorizations = (tenant: string, client: string, user: string): Sql =>
  sql`tenant_id = ${tenant} and kind = 'oauth' and client_id = ${client} and user_id = ${user} and revoked_at is null`

export const revokeAuthorization = (tenant: string, sid: string): Sql[] =>
  asTenant(
    tenant,
    sql`update credentials set revoked_at = moment()
      where tenant_id = ${tenant} and id = ${sid} and kind = 'oauth' and revoked_at is null`,
  )

/** Removes authorizations that ended a month ago, and those without any code or refresh token. */
export const deleteOldAuthorizations = (tenant: string): Sql => sql`
  delete from credentials c
  where c.tenant_id = ${tenant} and c.kind = 'oauth' and c.created_at < moment() - interval '1 day'
    and (c.revoked_at < moment() - interval '30 days' or not exists (
      select 1 from oauth_records r where r.authorization_id = c.id and r.expires_at > moment() - interval '1 day'))
  returning c.id`

/** Removes the lookup rows of deleted authorizations. On a cluster no foreign key removes them. */
export const deleteAuthorizations = (tenant: string, ids: readonly string[]): Sql => sql`
  delete from oauth_authorizations where tenant_id = ${tenant} and id = any(${ids}::uuid[])`

/** Removes expired requests, codes and refresh tokens, at most `limit`. */
export const sweepRecords = (limit: number): Sql => sql`
  delete from oauth_records
  where hash in (select hash from oauth_records where expires_at < moment() - interval '1 hour' limit ${limit})`

const columns = sql`g.client_id, c.name as client_name, c.kind as client_kind, g.user_id, u.email, g.tenant_id,
  g.scopes, g.proposes, g.created_at, g.updated_at`
