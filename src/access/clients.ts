import { randomBytes, randomUUID } from 'node:crypto'
import { sql, within } from '../db/tenant.ts'
import type { Database, Sql } from '../db/tenant.ts'
import { invalid, notFound } from '../refusal.ts'
import { audited } from './audit.ts'
import type { Actor } from './audit.ts'
import { readName } from './inputs.ts'
import { hashOf } from './keys.ts'
import { requireRedirectUris } from './redirect_uris.ts'
import { asOwner } from './rights.ts'
import { isScope } from './scopes.ts'

/** An OAuth client (RFC 6749 2). */
export type Client = {
  id: string
  /** `registered`: by itself (RFC 7591); `document`: its id is the address of the document that describes it. */
  kind: 'registered' | 'confidential' | 'document'
  name: string
  redirect_uris: string[]
  /** The scopes it may be given at most; null: whatever the member may give. */
  allow_list: string[] | null
  /** The company that made it, where alone it can be approved; null: the operator did, or it registered itself. */
  tenant_id: string | null
  created_at: string
  /** The first completed consent. */
  consented_at: string | null
}

export type NewClient = { name: string; redirect_uris: readonly string[]; allow_list: readonly string[] | null; tenant?: string }

/** What a self-registered client said about itself, told back and never relied on. */
export type About = Readonly<Record<string, string>>

/** Makes a confidential client. Answers its secret in clear, once. */
export async function createClient(database: Database, given: NewClient, by: Actor = null): Promise<Client & { secret: string }> {
  const name = readName(given.name, 'name', 100)
  requireRedirectUris(given.redirect_uris)
  const unknown = given.allow_list?.find((scope) => !isScope(scope))
  if (unknown !== undefined) throw invalid(`scopes: '${unknown}' is not a scope`)
  const secret = randomBytes(32).toString('base64url')
  const id = randomUUID()
  const { tenant } = given
  const before = tenant === undefined ? [] : [...within(tenant), ...asOwner(tenant, by)]
  const answers = await database.send([...before, sql`
    insert into oauth_clients (id, kind, name, redirect_uris, secret_hash, allow_list, tenant_id)
    values (${id}, 'confidential', ${name}, ${[...given.redirect_uris]}, ${hashOf(secret)}, ${given.allow_list && [...given.allow_list]},
      ${tenant ?? null})
    returning ${columns}`, ...(tenant === undefined ? [] : [audited(tenant, by, 'clients.create', id, { name: [null, name] })])])
  return { ...answers[before.length]!.rows[0] as Client, secret }
}

/** Keeps a client that registered itself, always public: it gets no secret and no allow-list. */
export async function registerClient(database: Database, given: { name: string; redirect_uris: readonly string[]; about: About }): Promise<Client> {
  const [answer] = await database.send([sql`
    insert into oauth_clients (id, kind, name, redirect_uris, about)
    values (${randomUUID()}, 'registered', ${given.name}, ${[...given.redirect_uris]}, ${JSON.stringify(given.about)}::jsonb)
    returning ${columns}`])
  return answer!.rows[0] as Client
}

/** Those of one company, or all; administrators' clients first, then by age, newest first. */
export async function listClients(database: Database, tenant: string | null = null): Promise<Client[]> {
  const answers = await database.send([...within(tenant), sql`select ${columns} from oauth_clients
    where ${tenant}::uuid is null or tenant_id = ${tenant} order by kind <> 'confidential', created_at desc, id`])
  return answers.at(-1)!.rows as Client[]
}

/** A kept client with the hash of its secret, or undefined. */
export async function findClient(send: Database['send'], id: string): Promise<(Client & { secret_hash: Buffer | null }) | undefined> {
  const [answer] = await send([sql`select ${columns}, secret_hash from oauth_clients where id = ${id}`])
  return answer!.rows[0] as (Client & { secret_hash: Buffer | null }) | undefined
}

/** Removes a client with its grants, and ends every authorization it has; with a tenant, if it is that one's. */
export async function removeClient(database: Database, id: string, by: Actor = null, tenant: string | null = null): Promise<Client> {
  const found = await database.send([...within(tenant), sql`
    select distinct tenant_id from oauth_authorizations where client_id = ${id}`])
  const tenants = (found.at(-1)!.rows as { tenant_id: string }[]).map(({ tenant_id }) => tenant_id)
  const before = [...within(tenant), ...(by === null ? [] : [sql`select still_in(tenant_id, ${by.user}, '{owner}') from oauth_clients where id = ${id}`])]
  const removal = await database.send([
    ...before,
    sql`select id from oauth_clients where id = ${id} for update`,
    sql`delete from oauth_grants where client_id = ${id}`,
    sql`delete from oauth_clients where id = ${id} returning ${columns}`,
    ...tenants.flatMap((one) => [...within(one), sql`
      update credentials set revoked_at = moment()
      where tenant_id = ${one} and kind = 'oauth' and client_id = ${id} and revoked_at is null`]),
  ])
  const removed = removal[before.length + 2]!.rows[0]
  if (removed === undefined) throw notFound('client')
  const client = removed as Client
  if (client.tenant_id !== null) await database.send([...within(client.tenant_id), audited(client.tenant_id, by, 'clients.remove', id, { name: [client.name, null] })])
  return client
}

/** Removes self-registered clients to which nobody consented within 30 days (interface 8). */
export const sweepClients = (): Sql => sql`
  delete from oauth_clients where kind = 'registered' and consented_at is null and created_at < moment() - interval '30 days'`

const columns = sql`id, kind, name, redirect_uris, allow_list, tenant_id, created_at, consented_at`
