import type { Send } from '../../../platform/db/database.ts'
import { findClient, type Client } from '../../credentials/clients/clients.ts'
import type { Documents } from './documents.ts'

export type OAuthClient = Pick<Client, 'id' | 'kind' | 'name' | 'redirect_uris' | 'allow_list' | 'tenant_id'> & {
  secret_hash: Buffer | null
}

/**
 * When an approved document is used although it may be stale: `otherwise` when its address doesn't
 * answer, so that a refresh doesn't depend on it; `first` where nothing may wait.
 */
export type StalePolicy = 'never' | 'otherwise' | 'first'

/** Finds a client: one that is kept, or one that is described at the address that is its id. */
export type FindOAuthClient = (
  id: string,
  how: { stale: StalePolicy; sender: string; send: Send },
) => Promise<OAuthClient | undefined>

/** Matches what a client's id is made of (RFC 6749 A.1), as long as one can be. */
const CLIENT_ID = /^[\x20-\x7e]{1,2000}$/

export const clientFinder =
  (documents: Documents): FindOAuthClient =>
  async (id, { stale, sender, send }) => {
    if (!CLIENT_ID.test(id)) return undefined
    const stored = await findClient(send, id)
    if (stored !== undefined && (stored.kind !== 'document' || stale === 'first')) return stored
    const described = await documents.find(id, sender)
    if (described !== undefined)
      return { ...described, kind: 'document', allow_list: null, tenant_id: null, secret_hash: null }
    return stale === 'otherwise' ? stored : undefined
  }
