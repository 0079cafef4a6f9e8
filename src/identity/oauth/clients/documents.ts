import { requireRedirectUris } from '../../credentials/clients/redirect_uris.ts'
import { Refusal } from '../../../platform/errors/refusal.ts'
import { isRecord } from '../../../platform/validation/is_record.ts'
import { readJson } from '../../../platform/validation/json_fields.ts'
import { clientName } from './client_name.ts'
import type { FetchDocument } from './fetch_document.ts'

/** Client from its metadata document (draft-ietf-oauth-client-id-metadata-document). */
type DocumentClient = { id: string; name: string; redirect_uris: string[] }

export type Documents = {
  /** Returns undefined if the ID is no such URL or its document no client's. The lookup counts against `sender`. */
  find(id: string, sender: string): Promise<DocumentClient | undefined>
}

type CachedDocument = { client: DocumentClient | undefined; until: number }

const MAX_CACHED = 1_000
const FRESH_MS = 10 * 60_000
/** Milliseconds before a URL that failed or returned something else is fetched again. */
const RETRY_AFTER_MS = 60_000

/** Opens a cache of metadata documents; `mayLookUp` checks whether a sender may cause one more lookup. */
export function openDocuments(
  fetchDocument: FetchDocument,
  mayLookUp: (sender: string) => Promise<boolean>,
): Documents {
  const cache = new Map<string, CachedDocument>()
  const pendingLookups = new Map<string, Promise<DocumentClient | undefined>>()

  async function lookUp(id: string, url: URL): Promise<DocumentClient | undefined> {
    const client = await fetchDocument(url).then(
      (text) => parseDocument(id, text),
      () => undefined,
    )
    if (cache.size >= MAX_CACHED) cache.clear()
    cache.set(id, { client, until: Date.now() + (client === undefined ? RETRY_AFTER_MS : FRESH_MS) })
    return client
  }

  return {
    find: async (id, sender) => {
      const url = parseDocumentUrl(id)
      if (url === null) return undefined
      const existing = cache.get(id)
      if (existing !== undefined && existing.until > Date.now()) return existing.client
      const pending = pendingLookups.get(id)
      if (pending !== undefined) return pending
      if (!(await mayLookUp(sender))) return undefined
      const lookup = pendingLookups.get(id) ?? lookUp(id, url).finally(() => pendingLookups.delete(id))
      pendingLookups.set(id, lookup)
      return lookup
    },
  }
}

/** Parses an https URL with a path in normalized form: no user, fragment or dot segments. */
function parseDocumentUrl(id: string): URL | null {
  if (!id.startsWith('https://') || id.length > 2_000 || /[^\x21-\x7e]/.test(id)) return null
  const url = URL.parse(id)
  if (
    url === null ||
    url.href !== id ||
    url.pathname === '/' ||
    url.username !== '' ||
    url.password !== '' ||
    id.includes('#')
  )
    return null
  return url
}

/** Parses a metadata document of a public client that names its own URL as the client ID, or returns undefined. */
function parseDocument(id: string, text: string): DocumentClient | undefined {
  const document = readJson(text)
  if (!isRecord(document) || document['client_id'] !== id || 'client_secret' in document) return undefined
  const { token_endpoint_auth_method: method = 'none', redirect_uris: uris } = document
  if (method !== 'none' || !Array.isArray(uris) || !uris.every((uri) => typeof uri === 'string')) return undefined
  try {
    requireRedirectUris(uris)
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
  return { id, name: clientName(document['client_name'], new URL(id).host), redirect_uris: uris }
}
