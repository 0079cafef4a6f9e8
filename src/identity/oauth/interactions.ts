import { randomBytes } from 'node:crypto'
import { POLICY_LOCK, isAllowed, selectAppPolicy, toPolicyDecision } from '../apps/app_policy_decision.ts'
import { selectOtherOwners } from '../apps/requests.ts'
import { refusals as appRefusals } from '../apps/refusals.ts'
import { auditChange } from '../audit.ts'
import { revokeAuthorizations, findGrant } from '../credentials/clients/grants.ts'
import { hashOf } from '../credentials/secret_hash.ts'
import { isLoopback } from '../credentials/clients/redirect_uris.ts'
import { expandScopes } from '../permissions/scopes.ts'
import { notify } from '../security/notices/notices.ts'
import { rowsOf, empty, type Send } from '../../platform/db/database.ts'
import { sql, asTenant, entryStatements, type Database, type Sql } from '../../platform/db/tenant.ts'
import { transact } from '../../platform/db/transaction.ts'
import { conflict, notFound } from '../../platform/errors/refusal.ts'
import { isId, newId } from '../../platform/validation/id.ts'
import type { FindOAuthClient, OAuthClient } from './clients/find_client.ts'
import { SCOPES } from './metadata.ts'
import type { Interaction } from './port.ts'
import { endAuthorization } from './library/authorization.ts'
import { recordHash } from './library/records.ts'

/** Decision: scopes for a company, or a denial. */
export type ConsentDecision =
  | {
      user: string
      tenant: string
      scopes: readonly string[]
      proposes: readonly string[]
      isPrompted: boolean
      isBound: boolean
    }
  | 'denied'

type Params = { client_id: string; redirect_uri: string; scope?: string; prompt?: string }
type Payload = { params: Params; namesResource: boolean; result?: { consent?: { grantId?: string } } }

/** Loads an authorize request by its ID and the browser that started it, with its client. */
export async function loadInteraction(
  database: Database,
  findClient: FindOAuthClient,
  id: string,
  browser: Buffer,
): Promise<{ interaction: Interaction; client: OAuthClient } | null> {
  const payload = await readPayload(database.send, id, browser, empty)
  if (payload === undefined) return null
  const client = await findClient(payload.params.client_id, {
    stale: 'otherwise',
    sender: 'consent',
    send: database.send,
  })
  return client === undefined ? null : { interaction: interactionOf(id, payload, client), client }
}

const interactionOf = (
  id: string,
  { params }: Payload,
  { id: client, name, kind, allow_list, tenant_id }: OAuthClient,
): Interaction => ({
  id,
  client: { id: client, name, kind, allowed: allow_list && expandScopes(allow_list), company: tenant_id },
  redirect: redirectOf(new URL(params.redirect_uri)),
  requestedScopes: oidcScopes(params.scope),
  mustPrompt: (params.prompt ?? '').split(' ').includes('consent'),
})

function redirectOf(url: URL): Interaction['redirect'] {
  if (isLoopback(url)) return { host: url.host, kind: 'loopback' }
  if (url.protocol === 'https:') return { host: url.host, kind: 'web' }
  return { host: url.protocol.slice(0, -1), kind: 'app' }
}

/**
 * Returns the OpenID Connect scopes to grant. There are none in a session of a company's own provider: that provider's
 * identity is valid for its company only, and the client would pass it on to others.
 */
const oidcScopesToGrant = ({ scope }: Params, isBound: boolean): string[] => (isBound ? [] : oidcScopes(scope))

const oidcScopes = (scope = ''): string[] => scope.split(' ').filter((name) => SCOPES.some((scope) => scope === name))

/**
 * Saves a decision with its consequences, and returns the token that resumes the request. A second decision replaces
 * the first until the request is resumed.
 */
export async function recordDecision(
  database: Database,
  client: OAuthClient,
  id: string,
  browser: Buffer,
  decision: ConsentDecision,
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await transact(database, async (send) => {
    const payload = await readPayload(send, id, browser, sql`for update`)
    if (payload === undefined) throw notFound('authorization request')
    const earlier = payload.result?.consent?.grantId
    if (earlier !== undefined) await endAuthorization(send, earlier)
    const result =
      decision === 'denied'
        ? { error: 'access_denied', error_description: 'The person did not approve the request' }
        : await authorize(send, client, payload, decision)
    await send([
      sql`
      update oauth_records set payload = payload || ${JSON.stringify({ result })}::jsonb, resume = ${hashOf(token)}
      where hash = ${recordHash('Interaction', id)}`,
    ])
  })
  return token
}

/** Uses up a resume token; returns true if it was this browser's. */
export async function spendResumeToken(send: Send, id: string, browser: Buffer, token: string): Promise<boolean> {
  const [answer] = await send([
    sql`
    update oauth_records set resume = null
    where hash = ${recordHash('Interaction', id)} and browser = ${browser} and resume = ${hashOf(token)}
      and expires_at > moment()`,
  ])
  return answer.count === 1
}

async function readPayload(send: Send, id: string, browser: Buffer, lock: Sql): Promise<Payload | undefined> {
  const [row] = await rowsOf(
    send,
    sql<{ payload: Payload }>`
    select payload from oauth_records
    where hash = ${recordHash('Interaction', id)} and browser = ${browser} and expires_at > moment() ${lock}`,
  )
  return row?.payload
}

/** Creates the pair's grant and one authorization under it, and ends the pair's authorizations in another company. */
async function authorize(
  send: Send,
  client: OAuthClient,
  { params, namesResource }: Payload,
  decision: Exclude<ConsentDecision, 'denied'>,
) {
  const { user, tenant, isPrompted, isBound } = decision
  const [scopes, proposes] = [[...decision.scopes], [...decision.proposes]]
  if (!isId(tenant)) throw notFound('member')
  if (client.kind === 'document') await send([saveDocumentClient(client)])
  const before = await lockGrant(send, client.id, user)
  const sid = newId()
  const [, member, access, owners] = await send(
    asTenant(
      tenant,
      sql<{ name: string }>`
    select u.name from members m join users u on u.id = m.user_id
    where m.tenant_id = ${tenant} and m.user_id = ${user} and m.deactivated_at is null for share of m`,
      selectAppPolicy(tenant, client, user, POLICY_LOCK),
      selectOtherOwners(tenant, user),
    ),
  )
  const [person] = member.rows
  if (person === undefined) throw notFound('member')
  if (!isAllowed(toPolicyDecision(access.rows[0]), decision)) throw conflict(appRefusals.notAllowed())
  await send([
    ...(before !== undefined && before.tenant_id !== tenant
      ? asTenant(
          before.tenant_id,
          revokeAuthorizations(before.tenant_id, client.id, user),
          deleteGrant(client.id, user),
        )
      : []),
    sql`update oauth_clients set consented_at = moment() where id = ${client.id} and consented_at is null`,
    ...entryStatements(tenant),
    sql`insert into oauth_grants (client_id, user_id, tenant_id, scopes, proposes, is_bound)
      values (${client.id}, ${user}, ${tenant}, ${scopes}, ${proposes}, ${isBound})
      on conflict (client_id, user_id) do update set scopes = excluded.scopes, proposes = excluded.proposes,
        is_bound = excluded.is_bound, updated_at = moment_of(excluded.user_id)`,
    sql`update credentials set scopes = ${scopes}, proposes = ${proposes}
      where tenant_id = ${tenant} and kind = 'oauth' and client_id = ${client.id} and user_id = ${user}
        and revoked_at is null
        and (scopes <> ${scopes} or proposes <> ${proposes})`,
    sql`insert into credentials (tenant_id, id, kind, user_id, client_id, name, scopes, proposes)
      values (${tenant}, ${sid}, 'oauth', ${user}, ${client.id}, ${client.name}, ${scopes}, ${proposes})`,
    sql`insert into oauth_authorizations (id, tenant_id, client_id, user_id, scope, names_resource)
      values (${sid}, ${tenant}, ${client.id}, ${user}, ${oidcScopesToGrant(params, isBound).join(' ')},
        ${namesResource})`,
    ...(isPrompted
      ? approvalStatements({ client, tenant, user, scopes, proposes, before }, person.name, owners.rows)
      : []),
  ])
  return { login: { accountId: user, remember: false }, consent: { grantId: sid }, select_account: {} }
}

type Approval = {
  client: OAuthClient
  tenant: string
  user: string
  scopes: readonly string[]
  proposes: readonly string[]
  /** Earlier grant of the same pair, in this company or another. */
  before: Awaited<ReturnType<typeof lockGrant>>
}

/** Returns the statements that audit an approval and notify the user and the owners of new access. */
function approvalStatements(
  { client, tenant, user, scopes, proposes, before }: Approval,
  person: string,
  owners: readonly { user_id: string }[],
): Sql[] {
  const audit = auditChange(tenant, { user }, 'grants.approve', user, {
    client: [null, client.name],
    scopes: [before?.scopes ?? null, scopes],
    ...(proposes.length > 0 ? { proposes: [before?.proposes ?? null, proposes] } : {}),
  })
  if (before?.tenant_id === tenant && scopes.every((scope) => before.scopes.includes(scope))) return [audit]
  const { name } = client
  return [
    audit,
    notify({ user, kind: 'new_app', about: { name }, tenant }),
    ...owners.map((owner) => notify({ user: owner.user_id, kind: 'member_app', about: { name, person }, tenant })),
  ]
}

const deleteGrant = (client: string, user: string): Sql =>
  sql`delete from oauth_grants where client_id = ${client} and user_id = ${user}`

/** Locks the client's row too, so that it can't be removed meanwhile and a first grant is created only once. */
async function lockGrant(send: Send, client: string, user: string) {
  const rows = await rowsOf(send, sql`select id from oauth_clients where id = ${client} for no key update`)
  if (rows.length === 0) throw notFound('client')
  return findGrant(send, client, user)
}

const saveDocumentClient = ({ id, name, redirect_uris }: OAuthClient): Sql => sql`
  insert into oauth_clients (id, kind, name, redirect_uris) values (${id}, 'document', ${name}, ${redirect_uris})
  on conflict (id) do update set name = excluded.name, redirect_uris = excluded.redirect_uris
  where oauth_clients.kind = 'document'`
