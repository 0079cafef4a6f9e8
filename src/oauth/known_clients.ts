import { findClient } from '../access/clients.ts'
import type { Client } from '../access/clients.ts'
import type { Database } from '../db/tenant.ts'
import type { Documents } from './documents.ts'

export type KnownClient = Pick<Client, 'id' | 'kind' | 'name' | 'redirect_uris' | 'allow_list'> & { secret_hash: Buffer | null }

/**
 * Finds a client: one that is kept, or one that is described at the address that is its id. `mayBeStale` takes the copy
 * of a document that was approved before when its address does not answer, so that a refresh doesn't depend on it.
 */
export type FindKnownClient = (id: string, how: { mayBeStale: boolean; sender: string }) => Promise<KnownClient | undefined>

export const knownClients = (database: Database, documents: Documents): FindKnownClient => async (id, { mayBeStale, sender }) => {
  if (id.length > 2_000) return undefined
  const kept = await findClient(database.send, id)
  if (kept !== undefined && kept.kind !== 'document') return kept
  const described = await documents.find(id, sender)
  if (described !== undefined) return { ...described, kind: 'document', allow_list: null, secret_hash: null }
  return mayBeStale ? kept : undefined
}
