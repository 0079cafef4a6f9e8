import { addressMatcher } from '../../identity/addresses.ts'
import { onlyHeader, type SignedRequest } from './signature.ts'
import { textBefore } from '../../platform/validation/text/before.ts'

const HOST = /^(?<name>[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])(?::(?<port>\d{1,5}))?$/i
const DEFAULT_PORTS: Readonly<Record<string, string>> = { http: '80', https: '443' }

/**
 * Returns the addresses that a request may have been sent to: BASE_URL, the one from a trusted proxy, and the Host
 * header, each with and without its port. BASE_URL is always tried; if a trusted proxy names the scheme, only that
 * scheme is tried besides it (docs/spec/webhooks.md#public-address). Path and query stay as received, because the
 * signature covers them.
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

/** Returns the first values of the X-Forwarded-* headers, as far as they are well-formed. */
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
 * Returns an origin, with a path where BASE_URL has one, with the port it names, without any, with the scheme's own and
 * with another.
 */
function variants(address: string, otherPort?: string): string[] {
  const [, scheme = '', authority = '', path = ''] = /^([a-z]+):\/\/([^/]*)(.*)$/.exec(address) ?? []
  const { name, port } = HOST.exec(authority)?.groups ?? {}
  if (name === undefined) return []
  const ports = [port, undefined, DEFAULT_PORTS[scheme], otherPort]
  return ports.map((port) => `${scheme}://${name}${port === undefined ? '' : `:${port}`}${path}`)
}
