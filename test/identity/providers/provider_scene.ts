import assert from 'node:assert/strict'
import { createClient } from '../../../src/identity/credentials/clients/clients.ts'
import { sql } from '../../../src/platform/db/tenant.ts'
import { startTestService } from '../../harness/harness.ts'
import {
  createCompany,
  freePort,
  pressConsent,
  startSite,
  newBrowser,
  type Browser,
  type BrowserResponse,
} from '../../harness/web_client.ts'

export type ProviderScene = Awaited<ReturnType<typeof openProviderScene>>

/**
 * Starts a service whose people may sign in through a provider. The provider is another Callout service with separate
 * people and companies.
 */
export async function openProviderScene() {
  const provider = await startSite()
  const theirs = await createCompany(provider, 'Identity Inc')
  const port = await freePort()
  const baseUrl = `http://localhost:${port}`
  const client = await createClient(provider.database, {
    name: 'Callout',
    redirect_uris: [`${baseUrl}/sign-in/provider/callback`],
    allow_list: null,
  })
  const here = await startTestService({
    BASE_URL: baseUrl,
    PORT: String(port),
    OIDC_ISSUER: provider.config.authUrl,
    OIDC_CLIENT_ID: client.id,
    OIDC_CLIENT_SECRET: client.secret,
    OIDC_NAME: 'Identity Inc',
  })
  const company = await createCompany(here, 'Alder Plumbing')
  let serial = 0

  /** Approves a sign-in at the provider and returns the callback URL. */
  async function approveSignIn(browser: Browser, departure: string): Promise<string> {
    const asked = await browser.get(departure)
    const { pathname, search } = new URL(asked.location!)
    const shown = await browser.get(pathname + search)
    const onward = continueUrl(shown)
    let location = onward ?? (await pressConsent(browser, pathname + search, 'view')).location
    while (location !== null && new URL(location, provider.config.baseUrl).origin === provider.config.baseUrl)
      ({ location } = await browser.get(location))
    return location!
  }

  return {
    provider,
    here,
    company,
    /** Returns the browser of a person at the provider, whose address is proved or not. */
    async atProvider(email: string, isProved = true): Promise<Browser> {
      await theirs.hire('tech')
      const member = await theirs.join('tech', { email })
      await provider.database.send([
        sql`update users set password_hash = (select password_hash from users where password_hash is not null limit 1),
          proved_at = case when ${isProved} then moment() end, vouched_at = null where id = ${member.user_id}`,
      ])
      const browser = newBrowser(provider)
      await browser.signIn(email)
      return browser
    },
    approveSignIn,
    /** Signs in through the provider. */
    async signInThrough(browser: Browser, at: Browser, to = '/'): Promise<BrowserResponse> {
      const { location, status } = await browser.get(`/sign-in/provider?to=${encodeURIComponent(to)}`)
      assert.equal(status, 303)
      const back = new URL(await approveSignIn(at, location!))
      return browser.get(back.pathname + back.search)
    },
    newEmail: (): string => `person-${++serial}@example.com`,
    forgetAttempts: (): Promise<unknown> => here.database.send([sql`delete from attempts`]),
    async stop(): Promise<void> {
      await here.stop()
      await provider.stop()
    },
  }
}

/** Returns the destination of a page that redirects from a form to another site. */
export const continueUrl = ({ location, text }: BrowserResponse): string | null =>
  location ?? /<a class="button main" href="([^"]+)">Continue/.exec(text)?.[1]?.replaceAll('&amp;', '&') ?? null
