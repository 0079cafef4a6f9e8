import { readTenant, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import { toRole } from '../permissions/areas.ts'
import type { Client } from '../credentials/clients/clients.ts'

/** Apps that members may connect: any, those on an owner's list, or those that an owner approves first. */
export type AppPolicy = 'anything' | 'listed' | 'ask'

/** App that a user wants to connect. */
export type RequestingApp = Pick<Client, 'id' | 'kind'>

/** Scopes, and the write scopes under which the app only proposes. */
export type RequestedScopes = { scopes: readonly string[]; proposes: readonly string[] }

/**
 * Verdict of a company's policy on an app and a member: connect it, refuse it, or ask an owner. `request` is an earlier
 * request with its answer.
 */
export type AppPolicyDecision =
  | { outcome: 'free' }
  | { outcome: 'not_listed' }
  | { outcome: 'ask'; request: (RequestedScopes & { state: 'waiting' | 'approved' | 'declined' }) | null }

export type PolicyRow = RequestedScopes & {
  policy: AppPolicy
  role: string
  listed: boolean
  state: 'waiting' | 'approved' | 'declined' | null
}

/** Judges an app by the current policy (docs/spec/oauth.md#policy-on-apps). */
export const evaluateAppPolicy = (
  database: Database,
  tenant: string,
  app: RequestingApp,
  user: string,
): Promise<AppPolicyDecision> =>
  readTenant(database, { tenant }, async (db) =>
    toPolicyDecision(await db.maybe<PolicyRow>(selectAppPolicy(db.tenant, app, user))),
  )

/** Returns the statement for a `toPolicyDecision` row. `lock` keeps the policy unchanged until the transaction ends. */
export function selectAppPolicy(tenant: string, app: RequestingApp, user: string, lock = sql``): Sql<PolicyRow> {
  return sql`
  select t.app_policy as policy, m.role, ${requestColumn(sql`state`)}, ${requestColumn(sql`scopes`)},
    ${requestColumn(sql`proposes`)}, exists (
    select 1 from listed_apps l where l.tenant_id = ${tenant}
      and ((l.kind = 'client' and l.value = ${app.id}) or (l.kind = 'host' and l.value = ${metadataHost(app)})))
    or ${app.kind === 'confidential'} as listed
  from tenants t
    join members m on m.tenant_id = t.id and m.user_id = ${user} and m.deactivated_at is null
  where t.id = ${tenant} ${lock}`

  function requestColumn(column: Sql): Sql {
    return sql`(select r.${column} from app_requests r
    where r.tenant_id = ${tenant} and r.user_id = ${user} and r.client_id = ${app.id}) as ${column}`
  }
}

/** Lock that keeps the policy unchanged while a transaction relies on it. */
export const POLICY_LOCK = sql`for share of t`

/** Returns the verdict for a row of `selectAppPolicy`. Without a row the user is no member and may connect nothing. */
export function toPolicyDecision(row: PolicyRow | undefined): AppPolicyDecision {
  if (row === undefined) return { outcome: 'not_listed' }
  const { policy, role, listed, state, scopes, proposes } = row
  if (policy === 'anything' || listed) return { outcome: 'free' }
  if (policy === 'listed') return { outcome: 'not_listed' }
  if (toRole(role) === 'owner') return { outcome: 'free' }
  return { outcome: 'ask', request: state === null ? null : { state, scopes, proposes } }
}

/** Checks whether a member may give an app these scopes now. */
export const isAllowed = (policyDecision: AppPolicyDecision, input: RequestedScopes): boolean =>
  policyDecision.outcome === 'free' ||
  (policyDecision.outcome === 'ask' &&
    policyDecision.request?.state === 'approved' &&
    isWithin(input, policyDecision.request))

/** Checks whether a grant stays within the request: no new scope, and no direct write instead of proposals. */
const isWithin = (input: RequestedScopes, { scopes, proposes }: RequestedScopes): boolean =>
  input.scopes.every((scope) => scopes.includes(scope) && (!proposes.includes(scope) || input.proposes.includes(scope)))

/** Returns the host of an app's metadata document, which proves the app's origin; null for any other app. */
export const metadataHost = ({ id, kind }: RequestingApp): string | null =>
  kind === 'document' ? (URL.parse(id)?.host ?? null) : null
