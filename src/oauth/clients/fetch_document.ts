import { lookup } from 'node:dns/promises'
import { request } from 'node:https'
import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { isPublic } from './public_addresses.ts'

/** Returns the text at an https address; throws unless it is there at once, small, and at a public address. */
export type FetchDocument = (url: URL) => Promise<string>

/** Is replaced by the tests. */
export type Network = {
  resolve(host: string): Promise<string[]>
  isAllowed(address: string): boolean
  /** Holds authorities to trust instead of the usual ones. */
  ca?: string
}

const LARGEST = 5 * 1024
const TIMEOUT = 2_500

const internet: Network = {
  resolve: async (host) => (await lookup(host, { all: true })).map(({ address }) => address),
  isAllowed: isPublic,
}

/**
 * Fetches from addresses that anybody may name. Each address that a host resolves to is checked before anything is
 * connected, and the connection goes to the checked address itself, so that a second answer of the name server changes
 * nothing.
 */
export const documentFetcher = ({ resolve, isAllowed, ca }: Network = internet): FetchDocument => async (url) => {
  const signal = AbortSignal.timeout(TIMEOUT)
  const host = url.hostname
  if (isIP(host.replace(/^\[|\]$/g, '')) !== 0) throw new Error('An address instead of a name')
  const addresses = await Promise.race([resolve(host), aborted(signal)])
  const [address] = addresses.toSorted((a, b) => isIP(a) - isIP(b))
  if (address === undefined || !addresses.every(isAllowed)) throw new Error('The name resolves to an address that is not public')
  const response = await opened(url, address, signal, ca)
  try {
    return await textOf(response, signal)
  } finally {
    response.destroy()
  }
}

const aborted = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('Too slow')), { once: true }))

const opened = (url: URL, address: string, signal: AbortSignal, ca: string | undefined): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    request({
      host: address, port: url.port || 443, path: url.pathname + url.search, servername: url.hostname, agent: false, signal,
      headers: { host: url.host, accept: 'application/json', connection: 'close' }, ...(ca === undefined ? {} : { ca }),
    }, resolve).on('error', reject).end()
  })

async function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers['content-type'] ?? '')) throw new Error('Not JSON')
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > LARGEST || signal.aborted) throw new Error('Too large or too slow')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
