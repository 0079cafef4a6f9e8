import type { IncomingMessage } from 'node:http'
import { readBytes, openPublic, type Network } from '../identity/public_request.ts'
import type { RemoteFile } from './remote_files.ts'
import { MAX_BYTES, isMailType, screenBytes, type ScreenedFile } from './screening/screening.ts'

/** Account with the provider that stores message files. Its token is sent only to the origin of `apiUrl`. */
type ProviderAccount = { id: string; token: string; apiUrl: string }

/** Fetches and screens a file of a message. Throws if it isn't available now but may be later. */
export type FetchFile = (file: RemoteFile) => Promise<ScreenedFile>

/** Milliseconds a download may take. */
export const TIMEOUT_MS = 15_000
const MAX_REDIRECTS = 3
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const GONE: ReadonlySet<number> = new Set([404, 410])

const noHeaders: Readonly<Record<string, string>> = {}

/** Opens a URL and follows its redirects, each checked like the first. The caller destroys the response. */
export async function openFollowingRedirects(
  network: Network,
  url: URL,
  signal: AbortSignal,
  headersAt: (url: URL) => Readonly<Record<string, string>>,
  remaining = MAX_REDIRECTS,
): Promise<IncomingMessage> {
  const response = await openPublic(network, url, { signal, headers: headersAt(url) })
  if (!REDIRECTS.has(response.statusCode ?? 0)) return response
  response.destroy()
  const next = URL.parse(response.headers.location ?? '', url)
  if (next === null || remaining === 0) throw new Error('Too many redirects, or one without a valid address')
  return openFollowingRedirects(network, next, signal, headersAt, remaining - 1)
}

export const fileFetcher = ({ id, token, apiUrl }: ProviderAccount, network: Network): FetchFile => {
  const [api, authorization] = [new URL(apiUrl).origin, `Basic ${Buffer.from(`${id}:${token}`).toString('base64')}`]

  return async ({ file_name, content_type, source_url }) => {
    const file = { file_name, content_type }
    if (!isMailType(content_type)) return { ...file, size_bytes: null, bytes: null, reason: 'type_not_allowed' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const headersAt = ({ origin }: URL) => (origin === api ? { authorization } : noHeaders)
    const response = await openFollowingRedirects(network, new URL(source_url), signal, headersAt)
    try {
      if (GONE.has(response.statusCode ?? 0)) return { ...file, size_bytes: null, bytes: null, reason: 'gone' }
      if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
      const bytes = await readBytes(response, MAX_BYTES, signal)
      return bytes === undefined
        ? { ...file, size_bytes: null, bytes: null, reason: 'too_large' }
        : await screenBytes(file, bytes, MAX_BYTES)
    } finally {
      response.destroy()
    }
  }
}
