import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'
import { rowsOf, writeReturning, sql, type Database, type Sql } from '../../platform/db/tenant.ts'
import type { ProviderRedirect } from './provider.ts'

/** Minutes that a sign-in at the provider may take. */
const LIFETIME_MINUTES = 15

/**
 * State of a sign-in at a provider: the request's secrets, the target path, and the user who links an account. For a
 * company's own provider, `boundTo` is the company and `user` the owner who tries it; null: the installation's.
 */
export type ProviderRequest = Omit<ProviderRedirect, 'url'> & {
  path: string
  user: string | null
  boundTo: string | null
}

/** Saves a request. Returns the secret for the browser's cookie. */
export async function saveRequest(database: Database, request: ProviderRequest): Promise<string> {
  const secret = randomBytes(32).toString('base64url')
  const { state, nonce, verifier, path, user, boundTo } = request
  await database.send([
    sql`insert into provider_requests (hash, state, nonce, verifier, path, user_id, bound_to)
      values (${hashOf(secret)}, ${state}, ${nonce}, ${verifier}, ${path}, ${user}, ${boundTo})`,
  ])
  return secret
}

/** Uses up a request to a company's provider, or the installation's (null); null if missing or expired. */
export async function spendRequest(
  database: Database,
  secret: string | null,
  boundTo: string | null,
): Promise<ProviderRequest | null> {
  if (secret === null) return null
  const [row] = await rowsOf(
    database.send,
    writeReturning<ProviderRequest & { isFresh: boolean }>(
      sql`provider_requests`,
      sql`delete from provider_requests
        where hash = ${hashOf(secret)} and bound_to is not distinct from ${boundTo}::uuid`,
      sql`state, nonce, verifier, path, user_id as user, bound_to as "boundTo",
        created_at > moment() - make_interval(mins => ${LIFETIME_MINUTES}) as "isFresh"`,
    ),
  )
  if (row === undefined || !row.isFresh) return null
  const { isFresh: _, ...request } = row
  return request
}

export const sweepRequests = (): Sql =>
  sql`delete from provider_requests where created_at < moment() - make_interval(mins => ${LIFETIME_MINUTES})`
