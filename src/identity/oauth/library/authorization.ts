import type { Send } from '../../../platform/db/database.ts'
import { rowsOf, onlyRow, sql, asTenant } from '../../../platform/db/tenant.ts'
import { toRole, type Role } from '../../permissions/areas.ts'
import { revokeAuthorization } from '../../credentials/clients/grants.ts'

/** Completed consent in its current state: the session that its tokens name as `sid`. */
export type Authorization = {
  sid: string
  tenant: string
  client: string
  user: string
  /** `openid`, `email` or both; may be empty. */
  oidcScope: string
  namesResource: boolean
  scopes: string[]
  role: Role
  /** True after it ended: by withdrawal, revocation, token reuse or the end of the membership. */
  hasEnded: boolean
}

type AuthorizationRow = {
  tenant_id: string
  client_id: string
  user_id: string
  scope: string
  names_resource: boolean
}
type LiveAccess = { scopes: string[]; role: string; ended: boolean }

/** Reads an authorization with the live state of its credential and member. */
export async function findAuthorization(send: Send, sid: string): Promise<Authorization | undefined> {
  const [row] = await rowsOf(
    send,
    sql<AuthorizationRow>`select tenant_id, client_id, user_id, scope, names_resource from oauth_authorizations
      where id = ${sid}`,
  )
  if (row === undefined) return undefined
  const [, access] = await send(
    asTenant(
      row.tenant_id,
      sql<LiveAccess>`
    select c.scopes, m.role, c.revoked_at is not null or m.deactivated_at is not null as ended
    from credentials c join members m on m.tenant_id = c.tenant_id and m.user_id = c.user_id
    where c.tenant_id = ${row.tenant_id} and c.id = ${sid}`,
    ),
  )
  const live = onlyRow(access)
  return {
    sid,
    tenant: row.tenant_id,
    client: row.client_id,
    user: row.user_id,
    oidcScope: row.scope,
    namesResource: row.names_resource,
    scopes: live.scopes,
    role: toRole(live.role),
    hasEnded: live.ended,
  }
}

/** Ends an authorization. Access tokens stop at their next request. */
export async function endAuthorization(send: Send, sid: string): Promise<void> {
  const [row] = await rowsOf(send, sql`select tenant_id from oauth_authorizations where id = ${sid}`)
  const tenant = row?.['tenant_id']
  if (typeof tenant === 'string') await send(revokeAuthorization(tenant, sid))
}
