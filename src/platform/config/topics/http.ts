import { address, addressRange, listOf, oneOf, origin, text, wholeNumber } from '../parsers.ts'
import { ConfigError, setting, topic } from '../setting.ts'

/** Loopback, private and link-local ranges, where an operator's own proxy is. */
const PRIVATE_RANGES: readonly string[] = [
  '127.0.0.0/8',
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '169.254.0.0/16',
  '::1',
  'fc00::/7',
  'fe80::/10',
]

const port = setting('PORT', { parse: wholeNumber(0, 65_535), default: 3000, about: 'Port to listen on.' })

const baseUrl = setting('BASE_URL', {
  parse: (value, name) => requireNoPath(address(value, name), name),
  defaultFrom: (env) => `http://localhost:${port.read(env)}`,
  defaultText: 'http://localhost:$PORT',
  about: 'Address that people and clients use: a dedicated host name, without a path.',
  more: 'All links are built from it, never from a request.',
})

export const http = topic('Web', {
  port,
  baseUrl,
  host: setting('HOST', { parse: text, default: '127.0.0.1', about: 'Address to listen on.' }),
  authUrl: setting('AUTH_URL', {
    parse: address,
    defaultFrom: (env) => `${baseUrl.read(env)}/auth/v1`,
    defaultText: '{BASE_URL}/auth/v1',
    about: 'Issuer of access tokens.',
    more:
      "If it is another server, Callout's authorization server is off and tokens are checked against that " +
      "issuer's keys.",
  }),
  strictSubdomains: setting('HSTS_SUBDOMAINS', {
    parse: (value, name) => oneOf('no', 'yes')(value, name) === 'yes',
    default: false,
    defaultText: 'no',
    about: '`yes` makes browsers use https for all subdomains of `BASE_URL` too (`includeSubDomains`).',
    more: 'Set it only if all of them support https: browsers remember it for a year.',
  }),
  allowedOrigins: setting('ALLOWED_ORIGINS', {
    parse: listOf(origin),
    default: [],
    defaultText: 'none',
    about: 'Other browser origins that may call `/api/mcp`, separated by commas.',
  }),
  trustedProxies: setting('TRUSTED_PROXIES', {
    parse: listOf(addressRange),
    default: PRIVATE_RANGES,
    defaultText: 'loopback and private ranges',
    about: 'Addresses and ranges of your reverse proxies, separated by commas: their `X-Forwarded-For` is trusted.',
    more: 'If one sets `X-Forwarded-Proto`, it must match the `BASE_URL` scheme: signatures of inbound texts cover it.',
  }),
})

/** Requires an address without a path: pages, cookies and discovery (RFC 8414 and 9728) are at the root of a host. */
function requireNoPath(url: string, name: string): string {
  const { origin, pathname } = new URL(url)
  if (pathname !== '/')
    throw new ConfigError(
      `${name} must have no path: give the service its own host name, ` +
        `such as https://callout.example.com (got '${url}')`,
    )
  return origin
}
