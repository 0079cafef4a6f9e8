import { Readable } from 'node:stream'
import { openPublic, type Network } from '../../identity/public_request.ts'
import type { FetchModel } from './model.ts'

/** Statuses of responses without a body (Fetch, "null body status"). */
const WITHOUT_BODY = new Set([204, 205, 304])

/**
 * Returns the fetch function for a company's own model: only to public addresses and without redirects, since the
 * owners choose the address.
 */
export const fetchPublic =
  (network: Network): FetchModel =>
  async (input, init = {}) => {
    const { signal, headers, body } = init
    const response = await openPublic(network, new URL(input instanceof Request ? input.url : input), {
      signal: signal ?? AbortSignal.timeout(MAX_MS),
      method: 'POST',
      headers: Object.fromEntries(new Headers(headers)),
      body: typeof body === 'string' ? body : '',
    })
    const status = response.statusCode ?? 502
    const received = new Headers()
    for (const [name, value] of Object.entries(response.headers))
      if (value !== undefined) received.set(name, String(value))
    // The two stream types of undici have the same name and differ only at compile time.
    const stream = WITHOUT_BODY.has(status) ? null : ReadableStream.from<Uint8Array>(Readable.from(response))
    if (stream === null) response.destroy()
    try {
      return new Response(stream, { status, headers: received })
    } catch (error) {
      response.destroy()
      throw error
    }
  }

/** Time limit of a request without a signal, in milliseconds. */
const MAX_MS = 300_000
