import { addressMatcher } from '../../identity/addresses.ts'
import { onlyHeader, type SignedRequest } from './signature.ts'
import { textBefore } from '../../platform/validation/text/before.ts'

const HOST = /^(?<name>[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }

/**
 * Returns the URLs a request may have been sent to, from BASE_URL, a trusted proxy's headers and the Host header, each
 * with and without its port. Always tries BASE_URL. If a trusted proxy names the scheme, tries only that scheme besides
 * (docs/spec/webhooks.md#public-url). Keeps path and query as received, because the signature covers them.
 */
export function publicUrls(baseUrl: string, trustedProxies: readonly string[]): (request: SignedRequest) => string[] {
  const isTrusted = addressMatcher(trustedProxies)
  const [scheme = 'http'] = baseUrl.split('://')

  return (request) => {
    const host = onlyHeader(request, 'host')
    const forwarded = isTrusted(request.peer) ? readForwarded(request) : {}
    const schemes = forwarded.scheme === undefined ? [scheme, 'http'] : [forwarded.scheme]
    const hosts = [forwarded.host, host].filter((one) => one !== undefined)
    const origins = [
      ...variants(baseUrl),
      ...hosts.flatMap((host) => schemes.flatMap((scheme) => variants(`${scheme}://${host}`, forwarded.port))),
    ]
    const named = origins.filter((origin) => schemes.some((scheme) => origin.startsWith(`${scheme}://`)))
    return [...new Set([...variants(baseUrl), ...named])].map((origin) => origin + request.target)
  }
}

/** Returns the first value of each well-formed X-Forwarded-* header. */
function readForwarded({ headers }: SignedRequest): { scheme?: string; host?: string; port?: string } {
  const first = (name: string): string => textBefore(String(headers[name] ?? ''), ',').trim()
  const [scheme, host, port] = [
    first('x-forwarded-proto').toLowerCase(),
    first('x-forwarded-host'),
    first('x-forwarded-port'),
  ]
  return {
    ...(Object.hasOwn(DEFAULT_PORTS, scheme) ? { scheme } : {}),
    ...(HOST.test(host) ? { host } : {}),
    ...(/^\d{1,5}$/.test(port) ? { port } : {}),
  }
}

/**
 * Returns an origin (with BASE_URL's path, if any) with its own port, without a port, with the scheme's default port
 * and with `otherPort`.
 */
function variants(address: string, otherPort?: string): string[] {
  const [, scheme = '', authority = '', path = ''] = /^([a-z]+):\/\/([^/]*)(.*)$/.exec(address) ?? []
  const { name, port } = HOST.exec(authority)?.groups ?? {}
  if (name === undefined) return []
  const ports = [port, undefined, DEFAULT_PORTS[scheme], otherPort]
  return ports.map((port) => `${scheme}://${name}${port === undefined ? '' : `:${port}`}${path}`)
}
