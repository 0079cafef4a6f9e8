import { randomBytes, randomUUID } from 'node:crypto'
import { transact } from '../../../platform/db/transaction.ts'
import { rowsOf, sendIn, onlyRow, sql, entryStatements, type Database, type Sql } from '../../../platform/db/tenant.ts'
import { conflict, invalidAt, notFound } from '../../../platform/errors/refusal.ts'
import { requireValue } from '../../../platform/errors/require_value.ts'
import { auditChange, type Actor } from '../../audit.ts'
import { readName } from '../../inputs.ts'
import { hashOf } from '../secret_hash.ts'
import { requireRedirectUris } from './redirect_uris.ts'
import { ownerCheck } from '../../permissions/rights.ts'
import { isScope } from '../../permissions/scopes.ts'
import { refusals } from './refusals.ts'

/** Describes an OAuth client (RFC 6749 2). */
export type Client = {
  id: string
  /**
   * How the client was added: `registered` by itself (RFC 7591), `document` by the document at the address that is its
   * id, `confidential` made here.
   */
  kind: 'registered' | 'confidential' | 'document'
  name: string
  redirect_uris: string[]
  /** Limits the scopes it may be given; null: whatever the member may give. */
  allow_list: string[] | null
  /**
   * Names the company that made it, the only one it can be approved for; null: the operator made it, or it registered
   * itself.
   */
  tenant_id: string | null
  created_at: string
  /** Time of the first completed consent. */
  consented_at: string | null
}

type NewClient = {
  name: string
  redirect_uris: readonly string[]
  allow_list: readonly string[] | null
  tenant?: string
}

/** Holds what a self-registered client said about itself, repeated to it and never relied on. */
export type ClientDescription = Readonly<Record<string, string>>

/** Makes a confidential client. Answers its secret in clear, once. */
export async function createClient(
  database: Database,
  input: NewClient,
  by: Actor = null,
): Promise<Client & { secret: string }> {
  const name = readName(input.name, 'name', 100)
  requireRedirectUris(input.redirect_uris)
  const unknown = input.allow_list?.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalidAt('scopes', refusals.unknownScope({ scope: unknown }))
  const secret = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const { tenant } = input
  const before = tenant === undefined ? [] : [...entryStatements(tenant), ...ownerCheck(tenant, by)]
  const answers = await database.send([
    ...before,
    sql`
    insert into oauth_clients (id, kind, name, redirect_uris, secret_hash, allow_list, tenant_id)
    values (${id}, 'confidential', ${name}, ${[...input.redirect_uris]}, ${hashOf(secret)},
      ${input.allow_list && [...input.allow_list]}, ${tenant ?? null})
    returning ${columns}`,
    ...(tenant === undefined ? [] : [auditChange(tenant, by, 'clients.create', id, { name: [null, name] })]),
  ])
  const client = requireValue(answers[before.length]?.rows[0], 'The new client') as Client
  return { ...client, secret }
}

/** Limits how many self-registered clients wait for their first consent, in all and from one network. */
const MAX_UNUSED = { inAll: 10_000, ofNetwork: 200 }

type NewRegistration = { name: string; redirect_uris: readonly string[]; about: ClientDescription; network?: string }

/**
 * Keeps a client that registered itself: always public, without secret or allow-list. When too many wait for their
 * first consent the oldest are removed, except those with an authorization under way; when only such are left, it is a
 * conflict.
 */
export async function registerClient(
  database: Database,
  registration: NewRegistration,
  most = MAX_UNUSED,
): Promise<Client> {
  const { network = null } = registration
  const client = await transact(database, async (send) => {
    const ofNetwork = sql`network = ${network}`
    const [, near, all] = await send([
      sql`select pg_advisory_xact_lock(hashtext('oauth_clients registered'))`,
      removeOldestUnused(most.ofNetwork, ofNetwork),
      removeOldestUnused(most.inAll, sql`true`),
    ])
    const [row] = await rowsOf(
      send,
      sql<Client>`insert into oauth_clients as made (id, kind, name, redirect_uris, about, network)
      select ${randomUUID()}, 'registered', ${registration.name}, ${[...registration.redirect_uris]},
        ${JSON.stringify(registration.about)}::jsonb, ${network}
      where (${near.count > 0} or ${countUnused(ofNetwork, most.ofNetwork)} < ${most.ofNetwork})
        and (${all.count > 0} or ${countUnused(sql`true`, most.inAll)} < ${most.inAll})
      returning ${columns}`,
    )
    return row
  })
  if (client === undefined)
    throw conflict(
      'too many clients wait for their first consent; finish connecting one of them, or try again in an hour',
    )
  return client
}

const unused = sql`kind = 'registered' and consented_at is null`

/** Limits how many unused clients one registration, or one step of the sweep, removes. */
export const MAX_REMOVED_AT_ONCE = 500

/** Counts unused clients, no further than `most`. */
const countUnused = (which: Sql, most: number): Sql =>
  sql`(select count(*) from (select from oauth_clients where ${unused} and ${which} limit ${most}) c)`

/**
 * Removes the oldest unused clients until one more fits, a batch at most: where there are more, each registration
 * leaves fewer than it found. The array is read once, whatever the planner makes of a table that grew quickly. Its own
 * condition holds even when one is approved meanwhile.
 */
const removeOldestUnused = (most: number, which: Sql): Sql => sql`
  delete from oauth_clients where consented_at is null and id = any(array(
    select id from oauth_clients c where ${unused} and ${which} and not exists (
      select 1 from oauth_records r
      where r.kind = 'Interaction' and r.payload -> 'params' ->> 'client_id' = c.id and r.expires_at > moment())
    order by created_at, id limit greatest(0, ${countUnused(which, most - 1 + MAX_REMOVED_AT_ONCE)} - ${most - 1})))`

/** Returns the clients of one company, newest first. */
export async function listClients(database: Database, tenant: string): Promise<Client[]> {
  const [, clients] = await database.send([
    ...entryStatements(tenant),
    sql<Client>`select ${columns} from oauth_clients where tenant_id = ${tenant} order by created_at desc, id desc`,
  ])
  return clients.rows
}

/**
 * Returns a page of all clients: those that administrators made first, then newest first, after `after` if given;
 * `more` counts those that follow.
 */
export async function listClientsPage(
  database: Database,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ clients: Client[]; more: number }> {
  const place = sql`(kind = 'confidential', created_at, id)`
  const last = after === undefined ? undefined : await findClient(database.send, after)
  if (after !== undefined && last === undefined) throw notFound('client')
  const behind =
    last === undefined
      ? sql`true`
      : sql`${place} < (${last.kind === 'confidential'}::boolean, ${last.created_at}::timestamptz, ${last.id}::text)`
  const [rows, count] = await database.send([
    sql<Client>`select ${columns} from oauth_clients where ${behind}
      order by (kind = 'confidential') desc, created_at desc, id desc limit ${limit}`,
    sql<{ count: number }>`select count(*)::int as count from oauth_clients where ${behind}`,
  ])
  const clients = rows.rows
  return { clients, more: onlyRow(count).count - clients.length }
}

/** Returns a kept client with the hash of its secret, or undefined. */
export async function findClient(
  send: Database['send'],
  id: string,
): Promise<(Client & { secret_hash: Buffer | null }) | undefined> {
  const [row] = await rowsOf(
    send,
    sql<Client & { secret_hash: Buffer | null }>`select ${columns}, secret_hash from oauth_clients where id = ${id}`,
  )
  return row
}

/** Removes a client with its grants, and ends every authorization it has; with a tenant, if it is that one's. */
export async function removeClient(
  database: Database,
  id: string,
  by: Actor = null,
  tenant: string | null = null,
): Promise<Client> {
  const authorizations = await sendIn(
    database.send,
    tenant,
    sql<{ tenant_id: string }>`select distinct tenant_id from oauth_authorizations where client_id = ${id}`,
  )
  const tenants = authorizations.rows.map(({ tenant_id }) => tenant_id)
  const before = [
    ...entryStatements(tenant),
    ...(by === null
      ? []
      : [sql`select still_in(tenant_id, ${by.user}, '{owner}') from oauth_clients where id = ${id}`]),
  ]
  const removal = await database.send([
    ...before,
    sql`select id from oauth_clients where id = ${id} for update`,
    sql`delete from oauth_grants where client_id = ${id}`,
    sql`delete from oauth_clients where id = ${id} returning ${columns}`,
    ...tenants.flatMap((one) => [
      ...entryStatements(one),
      sql`
      update credentials set revoked_at = moment()
      where tenant_id = ${one} and kind = 'oauth' and client_id = ${id} and revoked_at is null`,
    ]),
  ])
  const client = removal[before.length + 2]?.rows[0] as Client | undefined
  if (client === undefined) throw notFound('client')
  if (client.tenant_id !== null)
    await database.send([
      ...entryStatements(client.tenant_id),
      auditChange(client.tenant_id, by, 'clients.remove', id, { name: [client.name, null] }),
    ])
  return client
}

/**
 * Removes self-registered clients to which nobody consented within 30 days, a batch at most
 * (docs/spec/oauth.md#unused-clients).
 */
export const sweepClients = (): Sql => sql`
  delete from oauth_clients where consented_at is null and id = any(array(
    select id from oauth_clients where ${unused} and created_at < moment() - interval '30 days'
    limit ${MAX_REMOVED_AT_ONCE}))`

const columns = sql`id, kind, name, redirect_uris, allow_list, tenant_id, created_at, consented_at`
