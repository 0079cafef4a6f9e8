import type { IncomingMessage } from 'node:http'
import { readBytes, internet, openPublic, type Network } from '../../public_request.ts'

/** Fetches the text at an https URL. Throws if it is slow, large, or not at a public address. */
export type FetchDocument = (url: URL) => Promise<string>

const MAX_BYTES = 5 * 1024
const TIMEOUT = 2_500

/** Returns a fetcher for URLs that anybody may submit. */
export const documentFetcher =
  (network: Network = internet): FetchDocument =>
  async (url) => {
    const signal = AbortSignal.timeout(TIMEOUT)
    const response = await openPublic(network, url, { signal, headers: { accept: 'application/json' } })
    try {
      return await textOf(response, signal)
    } finally {
      response.destroy()
    }
  }

async function textOf(response: IncomingMessage, signal: AbortSignal): Promise<string> {
  if (response.statusCode !== 200) throw new Error(`HTTP ${response.statusCode}`)
  if (!/^application\/(?:[\w.+-]+\+)?json\b/i.test(response.headers['content-type'] ?? '')) throw new Error('Not JSON')
  const bytes = await readBytes(response, MAX_BYTES, signal)
  if (bytes === undefined) throw new Error('Too large or too slow')
  return bytes.toString('utf8')
}
