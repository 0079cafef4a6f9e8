import { domainToASCII } from 'node:url'
import { invalidField } from '../../../platform/errors/refusal.ts'
import { refusals } from './refusals.ts'

/** Maximum domains for which a company's provider is trusted. */
const MAX_DOMAINS = 20
const MAX_TEXT = 5_000
const DOMAIN = /^(?=.{4,253}$)(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z][a-z0-9-]{0,61}[a-z0-9]$/

/** Parses the company's own domains, separated by commas or spaces. */
export function readTrustedDomains(text: string): string[] {
  if (text.length > MAX_TEXT) throw invalidField('trusted_domains', refusals.tooManyDomains({ max: MAX_DOMAINS }))
  const words = text.split(/[\s,;]+/).filter((word) => word !== '')
  const domains = words.map((word) => {
    const domain = domainToASCII(word.replace(/^@/, '')).toLowerCase()
    if (!DOMAIN.test(domain)) throw invalidField('trusted_domains', refusals.domain({ given: word.slice(0, 60) }))
    return domain
  })
  const unique = [...new Set(domains)].sort()
  if (unique.length > MAX_DOMAINS) throw invalidField('trusted_domains', refusals.tooManyDomains({ max: MAX_DOMAINS }))
  return unique
}

/** Checks whether an address is in one of the domains. Subdomains don't count. */
export const isOfDomains = (address: string, domains: readonly string[]): boolean =>
  domains.includes(address.slice(address.lastIndexOf('@') + 1))

/** Maximum length of an issuer URL. */
const MAX_ISSUER = 500

/** Parses an issuer URL (OpenID Connect Discovery 1.0 section 2): https, a host, and nothing after the path. */
export function readIssuer(text: string): string {
  const trimmed = text.trim()
  const url = trimmed.length > MAX_ISSUER ? null : URL.parse(trimmed)
  if (url?.protocol !== 'https:' || url.username !== '' || url.password !== '' || /[?#]/.test(trimmed))
    throw invalidField('issuer', refusals.issuer({ given: trimmed.slice(0, 60) }))
  return trimmed
}
