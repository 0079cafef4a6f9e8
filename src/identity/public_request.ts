import { lookup } from 'node:dns/promises'
import type { IncomingMessage } from 'node:http'
import { request } from 'node:https'
import { isIP } from 'node:net'
import { isPublic } from './public_addresses.ts'

/** Network as requests see it; tests replace it. */
export type Network = {
  resolve(host: string): Promise<string[]>
  isAllowed(address: string): boolean
  /** Certificate authorities to trust instead of the default ones. */
  ca?: string
}

export const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublic,
}

export type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** Request to a public host: signal that aborts it, and content. */
type PublicRequest = {
  signal: AbortSignal
  headers: Readonly<Record<string, string>>
  method?: HttpMethod
  body?: string | Buffer
}

/**
 * Opens an https URL from an untrusted source, without following redirects. Checks every address that the host resolves
 * to before connecting, and connects to the checked address itself, so a second DNS answer changes nothing. Throws
 * unless all of them are public. The caller destroys the response.
 */
export async function openPublic(
  { resolve, isAllowed, ca }: Network,
  url: URL,
  { signal, headers, method = 'GET', body }: PublicRequest,
): Promise<IncomingMessage> {
  if (url.protocol !== 'https:') throw new Error('Not an https address')
  if (isIP(url.hostname.replace(/^\[|\]$/g, '')) !== 0) throw new Error('An address instead of a name')
  const addresses = await Promise.race([resolve(url.hostname), rejectOnAbort(signal)])
  const [address] = addresses.toSorted((a, b) => isIP(a) - isIP(b))
  if (address === undefined || !addresses.every(isAllowed))
    throw new Error('The name resolves to an address that is not public')
  return new Promise((opened, failed) => {
    request(
      {
        host: address,
        port: url.port || 443,
        method,
        path: url.pathname + url.search,
        servername: url.hostname,
        agent: false,
        signal,
        headers: { host: url.host, connection: 'close', ...headers },
        ...(ca === undefined ? {} : { ca }),
      },
      opened,
    )
      .on('error', failed)
      .end(body)
  })
}

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Too slow')), { once: true }))

/** Reads a response to its end; undefined as soon as it exceeds `maxBytes` bytes. Throws if the signal aborts it. */
export async function readBytes(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal,
): Promise<Buffer | undefined> {
  if (Number(response.headers['content-length'] ?? 0) > maxBytes) return undefined
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) return undefined
    if (signal.aborted) throw new Error('Too slow')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
