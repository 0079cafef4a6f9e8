import { cookieOf } from './cookies.ts'
import { KNOWN_DAYS } from './known_browsers.ts'

/** Describes a cookie that carries a secret of ours. */
export type SessionCookie = {
  /** Reads the secret in a Cookie header, or null. */
  read(header: string | undefined | null): string | null
  /** Returns a Set-Cookie value. */
  set(secret: string): string
  clear(): string
}

/** The longest that browsers keep a cookie; an idle session ends earlier. */
const MAX_SECONDS = 400 * 24 * 3600

/** Returns the cookie of a session. */
export const sessionCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_session', MAX_SECONDS)

/** Returns the cookie by which a browser is known where somebody has signed in before. */
export const rememberedBrowserCookie = (baseUrl: string): SessionCookie =>
  secretCookie(baseUrl, 'callout_known', KNOWN_DAYS * 24 * 3600)

/** Returns the cookie by which a browser is known that was asked for a passkey. */
export const passkeyCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_asked', 10 * 60)

/** Returns the cookie of a sign-in that waits for its second factor. */
export const pendingCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_pending', 10 * 60)

/** Returns the cookie of a browser that is on its way to a provider of sign-ins and back. */
export const providerCookie = (baseUrl: string): SessionCookie => secretCookie(baseUrl, 'callout_provider', 900)

/**
 * Makes a cookie whose name begins with `__Host-` where the service is reached by https: then no other host, path or
 * plain connection can set it (RFC 6265bis 4.1.3).
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
