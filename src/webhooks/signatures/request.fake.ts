import type { SignedRequest } from './signature.ts'

/** Returns a request with these headers, as the schemes see it. An array becomes several headers. */
export function makeSignedRequest(
  headers: Record<string, string | string[]>,
  { target = '/hook', peer = '203.0.113.9' } = {},
): SignedRequest {
  const distinct = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat()]))
  return {
    target,
    peer,
    headers: Object.fromEntries(Object.entries(distinct).map(([name, values]) => [name, values.join(', ')])),
    headersDistinct: distinct,
  }
}
