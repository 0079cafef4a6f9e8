import type { Send } from '../../../platform/db/database.ts'
import { findClient, type Client } from '../../credentials/clients/clients.ts'
import type { Documents } from './documents.ts'

export type OAuthClient = Pick<Client, 'id' | 'kind' | 'name' | 'redirect_uris' | 'allow_list' | 'tenant_id'> & {
  secret_hash: Buffer | null
}

/**
 * When to use the saved copy of a document that may be stale: `otherwise` if its URL doesn't respond, so that a refresh
 * doesn't depend on it; `first` where nothing may wait.
 */
export type StalePolicy = 'never' | 'otherwise' | 'first'

/** Finds a client: a saved one, or one whose metadata document is at the URL in its ID. */
export type FindOAuthClient = (
  id: string,
  options: { stale: StalePolicy; sender: string; send: Send },
) => Promise<OAuthClient | undefined>

/** Characters of a client ID (RFC 6749 A.1), and its maximum length. */
const CLIENT_ID = /^[\x20-\x7e]{1,2000}$/

export const clientFinder =
  (documents: Documents): FindOAuthClient =>
  async (id, { stale, sender, send }) => {
    if (!CLIENT_ID.test(id)) return undefined
    const stored = await findClient(send, id)
    if (stored !== undefined && (stored.kind !== 'document' || stale === 'first')) return stored
    const documentClient = await documents.find(id, sender)
    if (documentClient !== undefined)
      return { ...documentClient, kind: 'document', allow_list: null, tenant_id: null, secret_hash: null }
    return stale === 'otherwise' ? stored : undefined
  }
