import { Unavailable } from '../../platform/errors/refusal.ts'
import { readBytes, openPublic, type HttpMethod, type Network } from '../public_request.ts'

/** Asks a provider for something, as `fetch` does. */
export type ProviderFetch = (
  url: string,
  request: { method: string; headers: Readonly<Record<string, string>>; body?: unknown },
) => Promise<Response>

/** How long an answer may take in milliseconds, and its bytes. */
export type FetchLimits = { timeout: number; maxBytes: number }

export const DEFAULT_LIMITS: FetchLimits = { timeout: 5_000, maxBytes: 256 * 1024 }

/** Limits how many answers of companies' providers are waited for at once: slow ones wait for each other alone. */
const MAX_CONCURRENT = 100

/** Limits those of one company. */
const MAX_CONCURRENT_OF_COMPANY = 4

/**
 * Returns how a provider that a company named is asked: by https at public addresses alone, at once, small, without
 * following redirects. `under` counts what is under way.
 */
export const publicFetch =
  (network: Network, tenant: string, under: Map<string, number>, limits = DEFAULT_LIMITS): ProviderFetch =>
  async (url, { method, headers, body }) => {
    requireSlot(under, tenant)
    under.set(tenant, (under.get(tenant) ?? 0) + 1)
    try {
      const sent = bodyOf(body)
      const allowed = METHODS.find((one) => one === method) ?? 'GET'
      return await answerOf(network, new URL(url), { method: allowed, headers, body: sent }, limits)
    } catch (error) {
      throw new TypeError('fetch failed', { cause: error })
    } finally {
      const remaining = (under.get(tenant) ?? 1) - 1
      if (remaining === 0) under.delete(tenant)
      else under.set(tenant, remaining)
    }
  }

function requireSlot(under: ReadonlyMap<string, number>, tenant: string): void {
  const all = [...under.values()].reduce((sum, count) => sum + count, 0)
  if (all >= MAX_CONCURRENT || (under.get(tenant) ?? 0) >= MAX_CONCURRENT_OF_COMPANY)
    throw new Unavailable('too many requests wait for a provider', { seconds: 10 })
}

/** Returns a form as it is sent: the only body that a provider gets. */
const bodyOf = (body: unknown): string | undefined =>
  body instanceof URLSearchParams ? body.toString() : typeof body === 'string' ? body : undefined

type SentRequest = { method: HttpMethod; headers: Readonly<Record<string, string>>; body: string | undefined }

const METHODS: readonly HttpMethod[] = ['POST', 'PUT', 'DELETE']

/** Headers of an answer that are read. */
const READ_HEADERS = ['content-type', 'retry-after'] as const

async function answerOf(
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
    if (bytes === undefined) throw new Error('The answer is too large')
    const received = READ_HEADERS.flatMap((name): [string, string][] => {
      const value = response.headers[name]
      return value === undefined ? [] : [[name, value]]
    })
    return new Response(new Uint8Array(bytes), { status: response.statusCode ?? 502, headers: received })
  } finally {
    response.destroy()
  }
}
