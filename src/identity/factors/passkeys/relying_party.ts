import { isIP } from 'node:net'

/** The relying party of passkeys: host and origin of the service, from its setting and never from a header. */
export type RelyingParty = { id: string; origin: string; name: string }

/**
 * Returns for whom passkeys are made, or null where browsers make none: at a bare IP address, and without https
 * elsewhere than on this machine.
 */
export function relyingPartyOf(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isHere = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isNumber = hostname.startsWith('[') || isIP(hostname) !== 0
  return isNumber || (protocol !== 'https:' && !isHere) ? null : { id: hostname, origin, name: 'Callout' }
}
