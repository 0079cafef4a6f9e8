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

type CachedDocument = { described: DocumentClient | undefined; until: number }

const MAX_KEPT = 1_000
const FRESH_FOR = 10 * 60_000
/** Milliseconds before a URL that failed or returned something else is fetched again. */
const REFUSED_FOR = 60_000

/** Opens a cache of metadata documents; `mayLookUp` checks whether a sender may cause one more lookup. */
export function openDocuments(
  fetchDocument: FetchDocument,
  mayLookUp: (sender: string) => Promise<boolean>,
): Documents {
  const cache = new Map<string, CachedDocument>()
  const underWay = new Map<string, Promise<DocumentClient | undefined>>()

  async function lookUp(id: string, url: URL): Promise<DocumentClient | undefined> {
    const described = await fetchDocument(url).then(
      (text) => parseDocument(id, text),
      () => undefined,
    )
    if (cache.size >= MAX_KEPT) cache.clear()
    cache.set(id, { described, until: Date.now() + (described === undefined ? REFUSED_FOR : FRESH_FOR) })
    return described
  }

  return {
    find: async (id, sender) => {
      const url = addressOf(id)
      if (url === null) return undefined
      const existing = cache.get(id)
      if (existing !== undefined && existing.until > Date.now()) return existing.described
      const going = underWay.get(id)
      if (going !== undefined) return going
      if (!(await mayLookUp(sender))) return undefined
      const looking = underWay.get(id) ?? lookUp(id, url).finally(() => underWay.delete(id))
      underWay.set(id, looking)
      return looking
    },
  }
}

/** Parses an https URL with a path in normalized form: no user, fragment or dot segments. */
function addressOf(id: string): URL | null {
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
