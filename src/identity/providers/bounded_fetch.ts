/** In milliseconds. */
const TIMEOUT = 5_000
const MAX_BYTES = 256 * 1024

/** Fetches from a provider or an issuer that the operator named: at once, small, and without following redirects. */
export async function fetchBounded(url: string, init: object): Promise<Response> {
  const response = await fetch(url, { ...init, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) })
  const body = response.body === null ? null : await read(response.body)
  return new Response(body, { status: response.status, headers: response.headers })
}

async function read(body: ReadableStream<Uint8Array>): Promise<Uint8Array<ArrayBuffer>> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body) {
    size += chunk.length
    if (size > MAX_BYTES) throw new TypeError('fetch failed', { cause: new Error('The answer is too large') })
    chunks.push(chunk)
  }
  return new Uint8Array(Buffer.concat(chunks))
}
