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

/** OAuth client (RFC 6749 2). */
export type Client = {
  id: string
  /**
   * Origin of the client: `registered` by itself (RFC 7591), `document` if its ID is the URL of its metadata document,
   * `confidential` if created here.
   */
  kind: 'registered' | 'confidential' | 'document'
  name: string
  redirect_uris: string[]
  /** Scopes it may be given; null: any that the member may give. */
  allow_list: string[] | null
  /**
   * Company that created it, the only one it can be approved for; null: created by the operator, or self-registered.
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

/** Self-registered client's own metadata, echoed back to it and never trusted. */
export type ClientDescription = Readonly<Record<string, string>>

/** Creates a confidential client. Returns its secret in clear text, once. */
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

/** Maximum self-registered clients that wait for their first consent, in total and per network. */
const MAX_UNUSED = { total: 10_000, perNetwork: 200 }

type NewRegistration = { name: string; redirect_uris: readonly string[]; about: ClientDescription; network?: string }

/**
 * Saves a self-registered client, which is always public, without a secret or allow list. If too many wait for their
 * first consent, removes the oldest, except those with an authorization in progress. Throws `conflict` if only such
 * clients are left.
 */
export async function registerClient(
  database: Database,
  registration: NewRegistration,
  limits = MAX_UNUSED,
): Promise<Client> {
  const { network = null } = registration
  const client = await transact(database, async (send) => {
    const sameNetwork = sql`network = ${network}`
    const [, networkRemoval, totalRemoval] = await send([
      sql`select pg_advisory_xact_lock(hashtext('oauth_clients registered'))`,
      removeOldestUnused(limits.perNetwork, sameNetwork),
      removeOldestUnused(limits.total, sql`true`),
    ])
    const [row] = await rowsOf(
      send,
      sql<Client>`insert into oauth_clients as made (id, kind, name, redirect_uris, about, network)
      select ${randomUUID()}, 'registered', ${registration.name}, ${[...registration.redirect_uris]},
        ${JSON.stringify(registration.about)}::jsonb, ${network}
      where (${networkRemoval.count > 0} or ${countUnused(sameNetwork, limits.perNetwork)} < ${limits.perNetwork})
        and (${totalRemoval.count > 0} or ${countUnused(sql`true`, limits.total)} < ${limits.total})
      returning ${columns}`,
    )
    return row
  })
  if (client === undefined)
    throw conflict(
      'too many clients are waiting for their first consent; finish connecting one of them, or try again in an hour',
    )
  return client
}

const unused = sql`kind = 'registered' and consented_at is null`

/** Maximum unused clients that a registration or a sweep removes at once. */
export const MAX_REMOVED_AT_ONCE = 500

/** Counts unused clients, up to `most`. */
const countUnused = (condition: Sql, limit: number): Sql =>
  sql`(select count(*) from (select from oauth_clients where ${unused} and ${condition} limit ${limit}) c)`

/**
 * Removes the oldest unused clients until one more fits, at most one batch: if there are more, each registration leaves
 * fewer than before. The array is evaluated once, whatever plan a fast-growing table gets. Its own `consented_at`
 * condition keeps a client that is approved meanwhile.
 */
const removeOldestUnused = (max: number, condition: Sql): Sql => sql`
  delete from oauth_clients where consented_at is null and id = any(array(
    select id from oauth_clients c where ${unused} and ${condition} and not exists (
      select 1 from oauth_records r
      where r.kind = 'Interaction' and r.payload -> 'params' ->> 'client_id' = c.id and r.expires_at > moment())
    order by created_at, id limit greatest(0, ${countUnused(condition, max - 1 + MAX_REMOVED_AT_ONCE)} - ${max - 1})))`

/** Returns the clients of one company, newest first. */
export async function listClients(database: Database, tenant: string): Promise<Client[]> {
  const [, clients] = await database.send([
    ...entryStatements(tenant),
    sql<Client>`select ${columns} from oauth_clients where tenant_id = ${tenant} order by created_at desc, id desc`,
  ])
  return clients.rows
}

/**
 * Returns a page of all clients, after `after` if given: those that administrators created first, then newest first.
 * `more` is the number of clients that follow.
 */
export async function listClientsPage(
  database: Database,
  { limit, after }: { limit: number; after?: string | undefined },
): Promise<{ clients: Client[]; more: number }> {
  const sortKey = sql`(kind = 'confidential', created_at, id)`
  const last = after === undefined ? undefined : await findClient(database.send, after)
  if (after !== undefined && last === undefined) throw notFound('client')
  const afterLast =
    last === undefined
      ? sql`true`
      : sql`${sortKey} < (${last.kind === 'confidential'}::boolean, ${last.created_at}::timestamptz, ${last.id}::text)`
  const [rows, count] = await database.send([
    sql<Client>`select ${columns} from oauth_clients where ${afterLast}
      order by (kind = 'confidential') desc, created_at desc, id desc limit ${limit}`,
    sql<{ count: number }>`select count(*)::int as count from oauth_clients where ${afterLast}`,
  ])
  const clients = rows.rows
  return { clients, more: onlyRow(count).count - clients.length }
}

/** Returns a saved client with the hash of its secret, or undefined. */
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

/** Removes a client with its grants and ends all its authorizations. With a tenant, only if the tenant owns it. */
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

/** Removes a batch of self-registered clients without consent for 30 days (docs/spec/oauth.md#unused-clients). */
export const sweepClients = (): Sql => sql`
  delete from oauth_clients where consented_at is null and id = any(array(
    select id from oauth_clients where ${unused} and created_at < moment() - interval '30 days'
    limit ${MAX_REMOVED_AT_ONCE}))`

const columns = sql`id, kind, name, redirect_uris, allow_list, tenant_id, created_at, consented_at`
