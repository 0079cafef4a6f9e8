import type { IncomingMessage } from 'node:http'

type Hosts = { baseUrl: string; allowedOrigins: readonly string[] }

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Checks whether a request comes from an allowed program or page. Against DNS rebinding the Host must be ours, and an
 * Origin, which browsers add, must be ours or allowed (MCP, "Security Warning").
 */
export function originChecker({ baseUrl, allowedOrigins }: Hosts) {
  const isOwnHost = hostChecker({ baseUrl, allowedOrigins })
  const origins = new Set([new URL(baseUrl).origin, ...allowedOrigins])
  return (request: IncomingMessage): boolean =>
    isOwnHost(request) && (request.headers.origin === undefined || origins.has(request.headers.origin))
}

/** Checks whether a request was sent to one of our hosts, regardless of its origin. */
export function hostChecker({ baseUrl, allowedOrigins = [] }: Partial<Hosts> & Pick<Hosts, 'baseUrl'>) {
  const hosts = new Set([baseUrl, ...allowedOrigins].map((origin) => new URL(origin).host))
  return ({ headers, rawHeaders, url }: IncomingMessage): boolean => {
    const host = headers.host?.toLowerCase()
    if (host === undefined || hasSecondHost(rawHeaders) || !url?.startsWith('/')) return false
    return hosts.has(host) || LOOPBACK.has(host.replace(/:\d+$/, ''))
  }
}

/** Checks for a second Host header, which Node accepts. `headersDistinct` does the same but is ten times slower. */
function hasSecondHost(rawHeaders: readonly string[]): boolean {
  let hosts = 0
  for (let i = 0; i < rawHeaders.length; i += 2) {
    const name = rawHeaders[i] ?? ''
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}
