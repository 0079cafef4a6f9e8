import type { IncomingMessage } from 'node:http'
import { readBytes, openPublic, type Network } from '../identity/public_request.ts'
import type { RemoteFile } from './remote_files.ts'
import { MAX_BYTES, isMailType, screenBytes, type ScreenedFile } from './screening/screening.ts'

/**
 * Describes the account with the provider that files of messages lie with; its token goes to the origin of `apiUrl`
 * alone.
 */
type ProviderAccount = { id: string; token: string; apiUrl: string }

/**
 * Fetches a file of a message, screened as one that came with it. Throws when it can't be had now, and may be later.
 */
export type FetchFile = (file: RemoteFile) => Promise<ScreenedFile>

const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const GONE: ReadonlySet<number> = new Set([404, 410])

export const fileFetcher = ({ id, token, apiUrl }: ProviderAccount, network: Network): FetchFile => {
  const [api, authorization] = [new URL(apiUrl).origin, `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`]

  async function followRedirects(url: URL, signal: AbortSignal, left = MAX_REDIRECTS): Promise<IncomingMessage> {
    const response = await openPublic(network, url, { signal, headers: url.origin === api ? { authorization } : {} })
    if (!REDIRECTS.has(response.statusCode ?? 0)) return response
    response.destroy()
    const next = URL.parse(response.headers.location ?? '', url)
    if (next === null || left === 0) throw new Error('A redirect that leads nowhere')
    return followRedirects(next, signal, left - 1)
  }

  return async ({ file_name, content_type, source_url }) => {
    const named = { file_name, content_type }
    if (!isMailType(content_type)) return { ...named, size_bytes: null, bytes: null, reason: 'type_not_allowed' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const response = await followRedirects(new URL(source_url), signal)
    try {
      if (GONE.has(response.statusCode ?? 0)) return { ...named, size_bytes: null, bytes: null, reason: 'gone' }
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
      const bytes = await readBytes(response, MAX_BYTES, signal)
      return bytes === undefined
        ? { ...named, size_bytes: null, bytes: null, reason: 'too_large' }
        : await screenBytes(named, bytes, MAX_BYTES)
    } finally {
      response.destroy()
    }
  }
}
