import { invalidField } from '../../../platform/errors/refusal.ts'
import { readIssuer } from './provider_inputs.ts'
import { refusals } from './refusals.ts'

/** Providers that an owner chooses by name, and `other`, which is identified by its issuer. */
const PROVIDERS = ['microsoft', 'google', 'okta', 'other'] as const
type ProviderName = (typeof PROVIDERS)[number]

/** Owner's entry: a provider, and the company's account there. */
export type ProviderChoice = { provider: ProviderName; account: string }

const GOOGLE = 'https://accounts.google.com'
const GUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
const MICROSOFT_ISSUER = /^https:\/\/login\.microsoftonline\.com\/([0-9a-f-]{36})\/v2\.0$/
const HOST = /^(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$/
const OKTA_ISSUER = /^https:\/\/([a-z0-9-]+\.(?:okta|oktapreview|okta-emea)\.com)$/

/**
 * Returns the issuer of a choice. Microsoft Entra identifies a company by its directory ID, which its tokens carry;
 * Okta by a domain; Google has one issuer for all. A full issuer URL is accepted everywhere but for Google.
 */
export function issuerOf({ provider, account }: ProviderChoice): string {
  const trimmed = account.trim()
  if (provider === 'google') return GOOGLE
  if (provider === 'other' || /^https?:/i.test(trimmed)) return readIssuer(trimmed)
  const text = trimmed.toLowerCase().replace(/\/$/, '')
  if (provider === 'microsoft') {
    if (!GUID.test(text)) throw invalidField('issuer', refusals.directory({ given: trimmed.slice(0, 60) }))
    return `https://login.microsoftonline.com/${text}/v2.0`
  }
  if (!HOST.test(text)) throw invalidField('issuer', refusals.oktaDomain({ given: trimmed.slice(0, 60) }))
  return `https://${text}`
}

/** Returns the choice for an issuer. */
export function choiceOf(issuer: string): ProviderChoice {
  if (issuer === GOOGLE) return { provider: 'google', account: '' }
  const [, directory] = MICROSOFT_ISSUER.exec(issuer) ?? []
  if (directory !== undefined) return { provider: 'microsoft', account: directory }
  const [, domain] = OKTA_ISSUER.exec(issuer) ?? []
  return domain === undefined ? { provider: 'other', account: issuer } : { provider: 'okta', account: domain }
}

/** Parses the name of a provider. An unknown one becomes `other`. */
export const readProviderName = (text: string | null): ProviderName =>
  PROVIDERS.find((name) => name === text) ?? 'other'
