import { randomBytes } from 'node:crypto'
import { hashOf } from '../credentials/secret_hash.ts'

/** Describes the cookie that tells one browser from another for as long as it is open. */
export type BrowserCookie = {
  name: string
  /** Returns the SHA-256 of the secret in a cookie's value, or null when it has no such form. */
  hashOf(value: string | undefined): Buffer | null
  /** Returns the value in a Cookie header. */
  read(header: string | undefined): string | undefined
  /** Makes a new secret and its Set-Cookie value. */
  make(): { value: string; setCookie: string }
}

/**
 * Makes a cookie whose name begins with `__Host-` under https, so that no other host or plain connection can set it.
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
