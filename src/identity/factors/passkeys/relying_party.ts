import { isIP } from 'node:net'

/** Relying party of passkeys: host and origin of the service, from its settings and never from a header. */
export type RelyingParty = { id: string; origin: string; name: string }

/** Returns the relying party; null where there are no passkeys: at an IP address, or without https off localhost. */
export function relyingPartyOf(baseUrl: string): RelyingParty | null {
  const { protocol, hostname, origin } = new URL(baseUrl)
  const isLocalhost = hostname === 'localhost' || hostname.endsWith('.localhost')
  const isIpAddress = hostname.startsWith('[') || isIP(hostname) !== 0
  return isIpAddress || (protocol !== 'https:' && !isLocalhost) ? null : { id: hostname, origin, name: 'Callout' }
}
