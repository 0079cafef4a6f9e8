import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'

/** Session cookie that identifies a browser until it closes. */
export type BrowserCookie = {
  name: string
  /** Returns the SHA-256 of the secret in a cookie's value, or null if the value is malformed. */
  hashOf(value: string | undefined): Buffer | null
  /** Returns the cookie's value from a Cookie header. */
  read(header: string | undefined): string | undefined
  /** Creates a new secret and its Set-Cookie value. */
  make(): { value: string; setCookie: string }
}

/**
 * Creates the cookie. Under https its name starts with `__Host-`, so that no other host or plain connection can set it.
 */
export function browserCookie(baseUrl: string): BrowserCookie {
  const isSecure = baseUrl.startsWith('https:')
  const name = isSecure ? '__Host-callout_browser' : 'callout_browser'
  return {
    name,
    hashOf: (value) => (value !== undefined && /^[\w-]{43}$/.test(value) ? hashOf(value) : null),
    read: (header = '') =>
      header
        .split(';')
        .map((pair) => pair.trim())
        .find((pair) => pair.startsWith(`${name}=`))
        ?.slice(name.length + 1),
    make: () => {
      const value = randomBytes(32).toString('base64url')
      return { value, setCookie: `${name}=${value}; Path=/; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}` }
    },
  }
}
