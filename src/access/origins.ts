import type { IncomingMessage } from 'node:http'

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])

/**
 * Tells whether a request was sent to this service by a program or a page that may: against DNS rebinding the Host must
 * be ours, and an Origin, which browsers add, must be ours or allowed (MCP, "Security Warning").
 */
export function ourHosts({ baseUrl, allowedOrigins }: { baseUrl: string; allowedOrigins: readonly string[] }) {
  const base = new URL(baseUrl)
  const hosts = new Set([base.host, ...allowedOrigins.map((origin) => new URL(origin).host)])
  const origins = new Set([base.origin, ...allowedOrigins])

  return ({ headers, headersDistinct, url }: IncomingMessage): boolean => {
    const host = headers.host?.toLowerCase()
    if (host === undefined || headersDistinct.host?.length !== 1 || !url?.startsWith('/')) return false
    if (!hosts.has(host) && !LOOPBACK.has(host.replace(/:\d+$/, ''))) return false
    return headers.origin === undefined || origins.has(headers.origin)
  }
}
