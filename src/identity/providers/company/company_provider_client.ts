import { readTenant, sql, type Database } from '../../../platform/db/tenant.ts'
import { Unavailable } from '../../../platform/errors/refusal.ts'
import type { DataKeys } from '../../data_keys.ts'
import type { Network } from '../../public_request.ts'
import { unsealClientSecret } from './company_secret.ts'
import { openProvider, type ProviderRedirect, type Provider } from '../provider.ts'
import { publicFetch } from '../public_fetch.ts'

/** Company's provider as a sign-in needs it. */
export type CompanyProviderClient = Provider & {
  name: string
  company: string
  version: string
  isOn: boolean
  isRequired: boolean
}

/** Maximum providers whose endpoints and keys are cached. */
const MAX_CACHED = 200

/** Opens the companies' own providers; `callback` returns the redirect URI of one. */
export function openCompanyProviders(
  setup: { database: Database; dataKeys: DataKeys; network: Network },
  callback: (tenant: string) => string,
): (tenant: string) => Promise<CompanyProviderClient | null> {
  const cache = new Map<string, { version: string; provider: Provider }>()
  const pendingRequests = new Map<string, number>()

  function providerOf(tenant: string, { version, issuer, clientId, secret, trustedDomains }: ProviderRow): Provider {
    const existing = cache.get(tenant)
    if (existing?.version === version) return existing.provider
    const clientSecret = secret === null ? null : unsealClientSecret(setup.dataKeys, tenant, secret)
    if (secret !== null && clientSecret === null)
      throw new Unavailable("the key that seals the provider's secret is missing here", { seconds: 60 })
    const provider = openProvider(
      { issuer, clientId, clientSecret, redirectUri: callback(tenant), trustedDomains },
      publicFetch(setup.network, tenant, pendingRequests),
    )
    cache.delete(tenant)
    cache.set(tenant, { version, provider })
    for (const oldest of cache.keys()) if (cache.size > MAX_CACHED) cache.delete(oldest)
    return provider
  }

  return async (tenant) => {
    const provider = await findProvider(setup.database, tenant)
    if (provider === undefined) return null
    const { name, company, version, isOn, isRequired } = provider
    const open = (): Provider => providerOf(tenant, provider)
    return {
      name,
      company,
      version,
      isOn,
      isRequired,
      startAuthorization: async (how) => requireHttps(await open().startAuthorization(how)),
      handleCallback: async (query, departure) => open().handleCallback(query, departure),
    }
  }
}

/** Requires an https authorization URL, whatever the provider's metadata says. */
function requireHttps(authorization: ProviderRedirect): ProviderRedirect {
  if (!authorization.url.startsWith('https:'))
    throw new Unavailable('the provider names no https address', { seconds: 60 })
  return authorization
}

type ProviderRow = Pick<CompanyProviderClient, 'name' | 'company' | 'version' | 'isOn' | 'isRequired'> & {
  issuer: string
  clientId: string
  secret: Buffer | null
  trustedDomains: string[]
}

const findProvider = (database: Database, tenant: string): Promise<ProviderRow | undefined> =>
  readTenant(database, { tenant }, (db) =>
    db.maybe<ProviderRow>(sql`
      select p.name, t.name as company, p.version, p.on_since is not null as "isOn",
        p.required_since is not null as "isRequired",
        p.issuer, p.client_id as "clientId", p.client_secret as secret, p.trusted_domains as "trustedDomains"
      from company_providers p join tenants t on t.id = p.tenant_id where p.tenant_id = ${db.tenant}`),
  )
