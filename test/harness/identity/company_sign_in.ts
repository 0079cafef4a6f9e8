import { sql } from '../../../src/platform/db/database.ts'
import {
  LOOPBACK_NETWORK,
  providedCompany,
  startCompanyProvider,
  signInThrough,
  type ProviderClaims,
} from './company_provider.ts'
import { startSite, newBrowser, type Browser } from '../web_client.ts'

/** Opens two companies that share a provider, to sign people in through it. */
export async function openProvidedCompanies() {
  const provider = await startCompanyProvider()
  const here = await startSite({}, { network: LOOPBACK_NETWORK })
  const alder = await providedCompany(here, provider, 'Alder Plumbing')
  const birch = await providedCompany(here, provider, 'Birch Cleaning')
  return {
    provider,
    here,
    alder,
    birch,
    rowOf: async (email: string) =>
      (
        await here.database.send([
          sql`select id, password_hash as hash, proved_at as proved, name, made_through as through from users where email = ${email}`,
        ])
      )[0]!.rows[0],
    signInWith: async (tenant: string, claims: ProviderClaims) => {
      const browser = newBrowser(here)
      return { browser, seen: await signInThrough(provider, browser, tenant, claims) }
    },
    stop: async (): Promise<void> => {
      await here.stop()
      await provider.stop()
    },
  }
}

export type ProvidedCompanies = Awaited<ReturnType<typeof openProvidedCompanies>>

let serial = 0

export const newEmail = (): string => `member-${++serial}@example.com`

export const claimsOf = (email: string, more: object = {}) => ({
  sub: `s-${email}`,
  email,
  email_verified: true,
  ...more,
})

export const isIn = async (browser: Browser, tenant: string): Promise<boolean> =>
  (await browser.get(`/${tenant}`)).status === 200
