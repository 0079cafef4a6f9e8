import { VERSION } from '../../platform/version.ts'

const TIMEOUT_MS = 10_000
/** Maximum bytes of a response. */
const MAX_BYTES = 2 ** 20

/**
 * Returns the JSON response of one of the operator's servers. Follows no redirect, so that a response can't lead
 * elsewhere in the network. Throws if it is late, too large, unsuccessful or not JSON.
 */
export async function fetchJson(url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', 'user-agent': `Callout/${VERSION}` },
    redirect: 'manual',
    signal: AbortSignal.timeout(TIMEOUT_MS),
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  })
  if (response.status !== 200) {
    await response.body?.cancel()
    throw new Error(`HTTP ${response.status}`)
  }
  let [text, size] = ['', 0]
  const decoder = new TextDecoder()
  // Leaving the loop closes the connection.
  for await (const piece of response.body ?? []) {
    size += piece.length
    if (size > MAX_BYTES) throw new Error('The response is too large')
    text += decoder.decode(piece, { stream: true })
  }
  return JSON.parse(text)
}
