import { invalidAt, invalidField } from '../../../platform/errors/refusal.ts'
import type { RefusalDetail } from '../../../platform/errors/refusal_text.ts'
import { refusals } from './refusals.ts'

const MAX_URIS = 10
const MAX_LENGTH = 2_000
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

/** Schemes of browsers and operating systems, which no app can own (RFC 8252 7.1 requires a reversed domain name). */
const FORBIDDEN: ReadonlySet<string> = new Set([
  // browsers run, read or swallow these instead of handing them to an app
  'javascript',
  'vbscript',
  'livescript',
  'data',
  'file',
  'blob',
  'about',
  'filesystem',
  'view-source',
  'ws',
  'wss',
  'urn',
  'cid',
  'mid',
  'mhtml',
  'mk',
  'its',
  'res',
  'jar',
  'resource',
  'chrome',
  'chrome-search',
  'chrome-untrusted',
  'devtools',
  'edge',
  'brave',
  'opera',
  'vivaldi',
  // these connect to another machine, often with the signed-in user's name and password
  'smb',
  'cifs',
  'nfs',
  'afp',
  'dav',
  'davs',
  'ftp',
  'ftps',
  'sftp',
  'ssh',
  'telnet',
  'tn3270',
  'rlogin',
  'rdp',
  'vnc',
  'ldap',
  'ldaps',
  'gopher',
  'wais',
  'dict',
  'finger',
  'imap',
  'pop',
  'nntp',
  'news',
  'snews',
  // these open system features: search, settings, help, stores, installers, mail and telephone
  'search',
  'shell',
  'hcp',
  'help',
  'x-help',
  'x-man-page',
  'prefs',
  'app-prefs',
  'windowsdefender',
  'intent',
  'android-app',
  'content',
  'market',
  'itms',
  'itms-apps',
  'itms-appss',
  'itms-services',
  'mailto',
  'tel',
  'telprompt',
  'callto',
  'sms',
  'smsto',
  'mms',
  'mmsto',
  'imessage',
  'facetime',
  'facetime-audio',
  'sip',
  'sips',
  'geo',
  'maps',
  'webcal',
  'calshow',
])

/** Families of such schemes: Windows, its search, and Apple's settings. */
const FORBIDDEN_FAMILY = /^(?:ms-|search-ms|x-apple)/

const isForbidden = (scheme: string): boolean => FORBIDDEN.has(scheme) || FORBIDDEN_FAMILY.test(scheme)

/** Throws `invalid_input` unless given 1 to 10 URIs, each https, http on loopback, or an app's own scheme. */
export function requireRedirectUris(uris: readonly string[]): void {
  if (uris.length === 0 || uris.length > MAX_URIS)
    throw invalidField('redirect_uris', refusals.uriCount({ max: MAX_URIS, count: uris.length }))
  for (const uri of uris) requireRedirectUri(uri)
}

function requireRedirectUri(uri: string): void {
  const quoted = { uri: uri.slice(0, 200) }
  const refuse = (rule: RefusalDetail) => invalidAt('redirect_uris', rule)
  if (uri.length > MAX_LENGTH) throw refuse(refusals.uriTooLong({ ...quoted, max: MAX_LENGTH }))
  if (/[^\x21-\x7e]|[\\"<>^`{|}]/.test(uri)) throw refuse(refusals.uriCharacters(quoted))
  const url = URL.parse(uri)
  if (url === null || !/^[a-z][a-z0-9+.-]*:./i.test(uri)) throw refuse(refusals.uriRelative(quoted))
  if (uri.includes('#')) throw refuse(refusals.uriFragment(quoted))
  const scheme = url.protocol.slice(0, -1)
  if (isForbidden(scheme)) throw refuse(refusals.uriScheme({ ...quoted, scheme }))
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/*[^/?]*@/i.test(uri))
    throw refuse(refusals.uriUser(quoted))
  if (uri.includes('*') && (url.host.includes('*') || url.host === '')) throw refuse(refusals.uriWildcard(quoted))
  if (url.protocol === 'http:' && !isLoopback(url)) throw refuse(refusals.uriPlainHttp(quoted))
  if (isWeb(url) && rawPath(uri) !== url.pathname) throw refuse(refusals.uriDotSegments(quoted))
}

const isWeb = ({ protocol }: URL): boolean => protocol === 'http:' || protocol === 'https:'

/** Returns the path of a URI as written, before normalization. */
const rawPath = (uri: string): string | undefined => {
  const path = /^https?:\/\/[^/?]+([^?]*)/i.exec(uri)?.[1]
  return path === '' ? '/' : path
}

export const isLoopback = (url: URL): boolean => LOOPBACK.has(url.hostname)

/** Checks whether a redirect URI is registered: an exact match, or on loopback with any port (RFC 8252 7.3). */
export function isRegistered(uri: string, registered: readonly string[]): boolean {
  if (registered.includes(uri)) return true
  const portless = withoutPort(uri)
  return portless !== null && registered.some((one) => withoutPort(one) === portless)
}

/** Returns a plain http loopback URI as written, without its port; null for any other. */
function withoutPort(uri: string): string | null {
  const [match, origin = '', path = ''] =
    /^(http:\/\/(?:localhost|127\.0\.0\.1|\[::1\]))(?::\d{1,5})?((?:[/?].*)?)$/.exec(uri) ?? []
  return match === undefined || URL.parse(uri) === null ? null : origin + path
}
