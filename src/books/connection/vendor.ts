import { fetchBounded } from '../../identity/providers/bounded_fetch.ts'
import { publicFetch, type FetchLimits, type ProviderFetch } from '../../identity/providers/public_fetch.ts'
import type { Network } from '../../identity/public_request.ts'
import type { BooksApp } from '../../platform/config/config.ts'
import type { ProgramName } from '../program.ts'

/** OAuth 2.0 endpoints and API hosts of a program. */
type VendorFacts = {
  authorizeUrl: string
  tokenUrl: string
  revokeUrl: string
  scope: string
  /** Whether it supports PKCE (RFC 7636). */
  hasPkce: boolean
  apiHosts: readonly string[]
}

const VENDORS: Readonly<Record<ProgramName, VendorFacts>> = {
  quickbooks: {
    authorizeUrl: 'https://appcenter.intuit.com/connect/oauth2',
    tokenUrl: 'https://oauth.platform.intuit.com/oauth2/v1/tokens/bearer',
    revokeUrl: 'https://developer.api.intuit.com/v2/oauth2/tokens/revoke',
    scope: 'com.intuit.quickbooks.accounting',
    hasPkce: false,
    apiHosts: ['quickbooks.api.intuit.com', 'sandbox-quickbooks.api.intuit.com'],
  },
  xero: {
    authorizeUrl: 'https://login.xero.com/identity/connect/authorize',
    tokenUrl: 'https://identity.xero.com/connect/token',
    revokeUrl: 'https://identity.xero.com/connect/revocation',
    scope: 'offline_access accounting.contacts accounting.settings accounting.invoices accounting.payments',
    hasPkce: true,
    apiHosts: ['api.xero.com'],
  },
}

/** Request limits: programs save a large invoice slowly, and a page of accounts is long. */
const LIMITS: FetchLimits = { timeout: 20_000, maxBytes: 2 * 1024 * 1024 }

/** A program with this installation's app and network access. */
export type Vendor = VendorFacts & {
  app: BooksApp
  /** Returns a company's fetch, limited to the program's own hosts or to the server configured in their place. */
  fetchFor(tenant: string): ProviderFetch
}

/** Opens a program; `requestCounts` counts the requests in progress of each company. */
export function openVendor(
  program: ProgramName,
  app: BooksApp,
  network: Network,
  requestCounts: Map<string, number>,
): Vendor {
  const facts = VENDORS[program]
  const { host, origin } = new URL(app.apiUrl)
  if (facts.apiHosts.includes(host)) {
    const hosts = [...facts.apiHosts, ...[facts.tokenUrl, facts.revokeUrl].map((url) => new URL(url).host)]
    return {
      ...facts,
      app,
      fetchFor: (tenant) => restrictHosts(hosts, publicFetch(network, tenant, requestCounts, LIMITS)),
    }
  }
  const toConfiguredServer = (url: string): string => origin + new URL(url).pathname
  const [authorizeUrl, tokenUrl, revokeUrl] = [facts.authorizeUrl, facts.tokenUrl, facts.revokeUrl].map(
    toConfiguredServer,
  )
  const fetchWithLimits: ProviderFetch = (url, init) => fetchBounded(url, init, LIMITS)
  return {
    ...facts,
    authorizeUrl: authorizeUrl ?? '',
    tokenUrl: tokenUrl ?? '',
    revokeUrl: revokeUrl ?? '',
    app,
    fetchFor: () => restrictHosts([host], fetchWithLimits),
  }
}

const restrictHosts =
  (hosts: readonly string[], send: ProviderFetch): ProviderFetch =>
  (url, init) =>
    hosts.includes(new URL(url).host)
      ? send(url, init)
      : Promise.reject(new TypeError("Not one of the program's hosts"))
