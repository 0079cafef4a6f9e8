import { cookieOf } from './cookies.ts'

/** The cookie that carries a session's secret. */
export type SessionCookie = {
  /** The secret in a Cookie header, or null. */
  read(header: string | undefined | null): string | null
  /** Set-Cookie values. */
  set(secret: string): string
  clear(): string
}

/** Browsers keep no cookie longer; the session ends earlier, when it is idle. */
const MOST_SECONDS = 400 * 24 * 3600

/** `__Host-` where the service is reached by https: then no other host, path or plain connection can set it (RFC 6265bis 4.1.3). */
export function sessionCookie(baseUrl: string): SessionCookie {
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? '__Host-callout_session' : 'callout_session'
  const written = (value: string, seconds: number): string =>
    `${name}=${value}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return {
    read: (header) => cookieOf(header, name) ?? null,
    set: (secret) => written(secret, MOST_SECONDS),
    clear: () => written('', 0),
  }
}
