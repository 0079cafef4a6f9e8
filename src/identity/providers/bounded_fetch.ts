import { DEFAULT_LIMITS, type FetchLimits } from './public_fetch.ts'

/** Fetches from an operator-configured provider or issuer, with a time and size limit and without redirects. */
export async function fetchBounded(
  url: string,
  init: object,
  { timeout, maxBytes }: FetchLimits = DEFAULT_LIMITS,
): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(timeout) })
  const body = response.body === null ? null : await read(response.body, maxBytes)
  return new Response(body, { status: response.status, headers: response.headers })
}

async function read(body: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > maxBytes) throw new TypeError('fetch failed', { cause: new Error('The response is too large') })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
