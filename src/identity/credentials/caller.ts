import {
  rowsOf,
  asTenant,
  readTenant,
  sql,
  writeTenant,
  type Database,
  type Db,
  type TenantEntry,
  type Sql,
} from '../../platform/db/tenant.ts'
import { newId } from '../../platform/validation/id.ts'
import { auditChange } from '../audit.ts'
import { lowerRole, toRole, scopesUnder, type Ceiling, type Role } from '../permissions/areas.ts'
import { SCOPES, expandScopes, type Scope } from '../permissions/scopes.ts'
import type { CredentialFault, TokenClaims } from './credential.ts'

/** Tenant settings that every tool reads. A change to them counts as a change of access. */
export type Tenant = { id: string; timezone: string; currency: string; country: string }

/** Writes of a connection that wait for approval (docs/spec/proposals.md#what-waits). */
type ApprovalRule = {
  /** Write scopes under which it only proposes. */
  readonly proposes: ReadonlySet<Scope>
  /** True when removes, voids and ends wait too, by the company's rule or because the connection is held. */
  readonly destructive: boolean
  /** True when write-offs and voided invoices wait, by the company's rule. */
  readonly writeOffs: boolean
  /** Amount above which the write of a document waits, in cents; null: none does. */
  readonly aboveCents: number | null
  /** Destructive writes in ten minutes after which the connection is held; 0: no limit. */
  readonly burstLimit: number
}

/** Authenticated caller with its current rights. */
export type Caller = {
  readonly tenant: Tenant
  readonly credential: { readonly id: string; readonly version: number; readonly expiresAt: number }
  /** Null for a tenant key. */
  readonly user: string | null
  /** Null for a tenant key. */
  readonly role: Role | null
  /** Credential's expanded scopes within the member's ceiling now (docs/spec/interface.md#effective-access). */
  readonly scopes: ReadonlySet<Scope>
  /** Null for a browser, because its user acts in person. */
  readonly approval: ApprovalRule | null
}

/** Returns the tenant entry that checks this caller's rights in the same round trip as the work. */
export const entryOf = ({ tenant, credential }: Caller): TenantEntry => ({ tenant: tenant.id, credential })

type CredentialRow = {
  id: string
  user_id: string | null
  scopes: string[]
  access_version: number
  expires_at: string | null
  revoked_at: string | null
  role: Role | null
  ceiling: Ceiling | null
  deactivated: boolean
  timezone: string
  currency: string
  country: string
  proposes: string[]
  is_held: boolean
  destructive_proposes: boolean
  all_propose: string[]
  write_offs_propose: boolean
  proposes_above_cents: number | null
  burst_limit: number
}

/** Reads a key's caller from the database, by the key's hash. */
export async function findCaller(database: Database, hash: Buffer): Promise<Caller | CredentialFault> {
  const [existing] = await rowsOf(
    database.send,
    sql<{
      tenant_id: string
      credential_id: string
    }>`select tenant_id, credential_id from key_hashes where hash = ${hash}`,
  )
  if (existing === undefined) return 'invalid_token'
  const credentialRow = await findCredential(database, existing.tenant_id, sql`c.id = ${existing.credential_id}`)
  if (credentialRow === undefined || !isActive(credentialRow)) return 'invalid_token'
  const expiresAt = credentialRow.expires_at === null ? Infinity : Date.parse(credentialRow.expires_at)
  if (expiresAt <= Date.now()) return 'expired'
  return callerOf(existing.tenant_id, credentialRow, {
    expiresAt,
    role: credentialRow.role,
    scopes: expandScopes(credentialRow.scopes),
  })
}

/** Reads the caller of a verified access token, limited to what its grant and member allow now. */
export async function findTokenCaller(
  database: Database,
  { tenant, user, client, sid, scopes, role, expiresAt }: TokenClaims,
): Promise<Caller | CredentialFault> {
  const credentialRow = await findCredential(
    database,
    tenant,
    sql`c.id = ${sid} and c.kind = 'oauth' and c.client_id = ${client} and c.user_id = ${user}`,
  )
  if (credentialRow === undefined || credentialRow.role === null || !isActive(credentialRow)) return 'invalid_token'
  if (expiresAt <= Date.now()) return 'expired'
  return callerOf(tenant, credentialRow, {
    expiresAt,
    role: lowerRole(role, toRole(credentialRow.role)),
    scopes: expandScopes(scopes).intersection(expandScopes(credentialRow.scopes)),
  })
}

/** Reads the caller of an active key or app by its ID, and locks its rights until the transaction ends. */
export async function findActiveCaller(db: Db, credential: string): Promise<Caller | undefined> {
  const row = await db.maybe<CredentialRow>(sql`
    ${selectCredential(db.tenant, sql`c.id = ${credential} and c.kind <> 'browser'`)} for share of c`)
  if (row === undefined || !isActive(row)) return undefined
  const expiresAt = row.expires_at === null ? Infinity : Date.parse(row.expires_at)
  if (expiresAt <= Date.now()) return undefined
  return callerOf(db.tenant, row, { expiresAt, role: row.role, scopes: expandScopes(row.scopes) })
}

/** Reads the caller that the assistant acts as for a member, with all the member's current rights. */
export async function findAssistantCaller(
  database: Database,
  tenant: string,
  user: string,
): Promise<Caller | undefined> {
  const row = await findCredential(database, tenant, sql`c.user_id = ${user} and c.kind = 'assistant'`)
  if (row === undefined || !isActive(row)) return undefined
  return callerOf(tenant, row, { expiresAt: Infinity, role: row.role, scopes: expandScopes(SCOPES) })
}

/** Returns the same caller, and creates it on first use, with every write proposed. Undefined for a former member. */
export async function openAssistantCaller(
  database: Database,
  tenant: string,
  user: string,
): Promise<Caller | undefined> {
  const caller = await findAssistantCaller(database, tenant, user)
  if (caller !== undefined) return caller
  await database.send(asTenant(tenant, insertAssistantCredential(tenant, user)), { of: tenant })
  return findAssistantCaller(database, tenant, user)
}

const insertAssistantCredential = (tenant: string, user: string): Sql => sql`
  insert into credentials (tenant_id, id, kind, user_id, name, scopes, proposes)
  values (${tenant}, ${newId()}, 'assistant', ${user}, 'Assistant', ${[...SCOPES]}, ${[...WRITE_SCOPES]})
  on conflict (tenant_id, user_id) where kind = 'assistant' do nothing`

/** Checks whether a member's assistant only proposes its writes, which is the default. */
export const assistantProposes = async (db: Db, user: string): Promise<boolean> =>
  (
    await db.maybe<{ proposes: boolean }>(sql`select cardinality(proposes) > 0 as proposes from credentials
      where tenant_id = ${db.tenant} and user_id = ${user} and kind = 'assistant'`)
  )?.proposes ?? true

const WRITE_SCOPES = SCOPES.filter((scope) => scope.startsWith('write:'))

/** Sets whether a member's assistant proposes its writes or makes them directly. */
export async function setAssistantProposes(database: Database, by: Caller, isProposing: boolean): Promise<void> {
  const caller = by.user === null ? undefined : await openAssistantCaller(database, by.tenant.id, by.user)
  if (caller?.user == null) return
  const { user, credential, approval } = caller
  const [before, after] = [[...(approval?.proposes ?? [])], isProposing ? WRITE_SCOPES : []]
  await writeTenant(
    database,
    entryOf(by),
    (db) =>
      db.run(sql`update credentials set proposes = ${after} where tenant_id = ${db.tenant} and id = ${credential.id}`),
    () => [auditChange(by.tenant.id, { user }, 'keys.set', credential.id, { proposes: [before, after] })],
  )
}

const findCredential = (database: Database, tenant: string, condition: Sql): Promise<CredentialRow | undefined> =>
  readTenant(database, { tenant }, (db) => db.maybe<CredentialRow>(selectCredential(db.tenant, condition)))

const selectCredential = (tenant: string, condition: Sql): Sql => sql`
    select c.id, c.user_id, c.scopes, c.access_version, c.expires_at, c.revoked_at, c.proposes,
      c.held_at is not null as is_held,
      m.role, m.ceiling, m.deactivated_at is not null as deactivated, t.timezone, t.currency, t.country,
      t.destructive_proposes, t.all_propose, t.write_offs_propose, t.proposes_above_cents,
      case when c.kind in ('oauth', 'assistant') or t.burst_limits_keys or cardinality(c.proposes) > 0
        then t.burst_limit else 0 end as burst_limit
    from credentials c
    join tenants t on t.id = c.tenant_id
    left join members m on m.tenant_id = c.tenant_id and m.user_id = c.user_id
    where c.tenant_id = ${tenant} and ${condition}`

const isActive = ({ revoked_at, deactivated }: CredentialRow): boolean => revoked_at === null && !deactivated

type CallerRights = { expiresAt: number; role: Role | null; scopes: Set<Scope> }

const callerOf = (tenant: string, row: CredentialRow, { expiresAt, role, scopes }: CallerRights): Caller => ({
  tenant: { id: tenant, timezone: row.timezone, currency: row.currency, country: row.country },
  credential: { id: row.id, version: row.access_version, expiresAt },
  user: row.user_id,
  role: role && lowerRole(role, role),
  scopes: capScopes(scopes, row),
  approval: {
    proposes: expandScopes([...row.proposes, ...row.all_propose]),
    destructive: row.destructive_proposes || row.is_held,
    writeOffs: row.write_offs_propose,
    aboveCents: row.proposes_above_cents,
    burstLimit: row.burst_limit,
  },
})

/** Limits scopes to a member's ceiling. An owner always has full access, and a tenant key has no ceiling. */
const capScopes = (scopes: Set<Scope>, { role, ceiling }: CredentialRow): Set<Scope> =>
  role === null || role === 'owner' || ceiling === null ? scopes : scopes.intersection(scopesUnder(ceiling))
