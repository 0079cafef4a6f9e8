import { Unavailable } from '../../platform/errors/refusal.ts'
import { readBytes, openPublic, type HttpMethod, type Network } from '../public_request.ts'

/** Sends a request to a provider, like `fetch`. */
export type ProviderFetch = (
  url: string,
  request: { method: string; headers: Readonly<Record<string, string>>; body?: unknown },
) => Promise<Response>

/** Maximum milliseconds and bytes of a response. */
export type FetchLimits = { timeout: number; maxBytes: number }

export const DEFAULT_LIMITS: FetchLimits = { timeout: 5_000, maxBytes: 256 * 1024 }

/** Maximum pending requests to all companies' providers, so that slow ones only delay each other. */
const MAX_CONCURRENT = 100

/** Maximum pending requests to one company's provider. */
const MAX_CONCURRENT_OF_COMPANY = 4

/**
 * Returns a fetch function for a provider that a company entered: only https at public addresses, with limits on time
 * and size, without redirects. `pendingRequests` counts pending requests.
 */
export const publicFetch =
  (network: Network, tenant: string, pendingRequests: Map<string, number>, limits = DEFAULT_LIMITS): ProviderFetch =>
  async (url, { method, headers, body }) => {
    requireSlot(pendingRequests, tenant)
    pendingRequests.set(tenant, (pendingRequests.get(tenant) ?? 0) + 1)
    try {
      const encodedBody = bodyOf(body)
      const allowed = METHODS.find((one) => one === method) ?? 'GET'
      return await sendRequest(network, new URL(url), { method: allowed, headers, body: encodedBody }, limits)
    } catch (error) {
      throw new TypeError('fetch failed', { cause: error })
    } finally {
      const remaining = (pendingRequests.get(tenant) ?? 1) - 1
      if (remaining === 0) pendingRequests.delete(tenant)
      else pendingRequests.set(tenant, remaining)
    }
  }

function requireSlot(pendingRequests: ReadonlyMap<string, number>, tenant: string): void {
  const total = [...pendingRequests.values()].reduce((sum, count) => sum + count, 0)
  if (total >= MAX_CONCURRENT || (pendingRequests.get(tenant) ?? 0) >= MAX_CONCURRENT_OF_COMPANY)
    throw new Unavailable('too many requests are waiting for sign-in providers', { seconds: 10 })
}

/** Serializes a form, the only body that is sent to a provider. */
const bodyOf = (body: unknown): string | undefined =>
  body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined

type SentRequest = { method: HttpMethod; headers: Readonly<Record<string, string>>; body: string | undefined }

const METHODS: readonly HttpMethod[] = ['POST', 'PUT', 'DELETE']

/** Response headers that are read. */
const READ_HEADERS = ['content-type', 'retry-after'] as const

async function sendRequest(
  network: Network,
  url: URL,
  { method, headers, body }: SentRequest,
  { timeout, maxBytes }: FetchLimits,
): Promise<Response> {
  const signal = AbortSignal.timeout(timeout)
  const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
  const response = await openPublic(network, url, {
    signal,
    method,
    headers: { ...headers, ...length },
    ...(body !== undefined && { body }),
  })
  try {
    const bytes = await readBytes(response, maxBytes, signal)
    if (bytes === undefined) throw new Error('The response is too large')
    const received = READ_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers[name]
      return value === undefined ? [] : [[name, value]]
    })
    return new Response(new Uint8Array(bytes), { status: response.statusCode ?? 502, headers: received })
  } finally {
    response.destroy()
  }
}
