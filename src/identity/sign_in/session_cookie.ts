import { cookieOf } from './cookies.ts'
import { KNOWN_DAYS } from './known_browsers.ts'

/** Cookie that carries one of our secrets. */
export type SessionCookie = {
  /** Returns the secret from a Cookie header, or null. */
  read(header: string | undefined | null): string | null
  /** Returns a Set-Cookie value. */
  set(secret: string): string
  clear(): string
}

/** Maximum lifetime of a cookie in browsers; an idle session ends earlier. */
const MAX_SECONDS = 400 * 24 * 3600

export const sessionCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_session', MAX_SECONDS)

/** Returns the cookie that identifies a browser with an earlier sign-in. */
export const rememberedBrowserCookie = (baseUrl: string): SessionCookie =>
  secretCookie(baseUrl, 'callout_known', KNOWN_DAYS * 24 * 3600)

/** Returns the cookie that identifies a browser during a passkey request. */
export const passkeyCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_asked', 10 * 60)

/** Returns the cookie of a pending second factor. */
export const pendingCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_pending', 10 * 60)

/** Returns the cookie of a browser during a sign-in at a provider. */
export const providerCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_provider', 900)

/**
 * Creates a cookie whose name starts with `__Host-` under https, so that no other host, path or plain connection can
 * set it (RFC 6265bis 4.1.3).
 */
function secretCookie(baseUrl: string, plain: string, seconds: number): SessionCookie {
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? `__Host-${plain}` : plain
  const formatCookie = (value: string, age: number): string =>
    `${name}=${value}; Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (header) => cookieOf(header, name) ?? null,
    set: (secret) => formatCookie(secret, seconds),
    clear: () => formatCookie('', 0),
  }
}
