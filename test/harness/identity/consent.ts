import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { sql } from '../../../src/platform/db/database.ts'
import {
  askConsent,
  createCompany,
  pressConsent,
  startSite,
  newBrowser,
  type Browser,
  type BrowserResponse,
} from '../web_client.ts'

export const CALLBACK = 'https://assistant.example/callback'

export type Consenting = Awaited<ReturnType<typeof startConsenting>>

type Request = { client?: string; callback?: string; more?: Record<string, string> }

/** Starts the pages with a company, Northside Heating, whose members see consent screens. */
export async function startConsenting() {
  const service = await startSite()
  const north = await createCompany(service, 'Northside Heating')

  const register = async (name = 'Assistant', callback = CALLBACK): Promise<string> =>
    (await registerClient(service.database, { name, redirect_uris: [callback], about: {} })).id

  /** Backdates every sign-in by some minutes. */
  const settle = () => service.database.send([sql`update sessions set created_at = created_at - interval '5 minutes'`])

  /** Returns a browser with an older sign-in, and an authorize request that a client started there. */
  async function openRequest(email = north.owner.email, { client, callback = CALLBACK, more = {} }: Request = {}) {
    const browser = newBrowser(service)
    await browser.signIn(email)
    await settle()
    const id = client ?? (await register('Assistant', callback))
    return { browser, client: id, ...(await askConsent(service, browser, id, callback, more)) }
  }

  /** Presses a button of the current screen. */
  const decide = (
    browser: Browser,
    id: string,
    decision: 'approve' | 'view' | 'deny',
    fields: Record<string, string> = {},
    company = north.id,
  ): Promise<BrowserResponse> =>
    pressConsent(browser, `/oauth/consent?authorization_id=${id}`, decision, fields, company)

  /** Follows the redirects to the first address that isn't ours. */
  async function follow(browser: Browser, { location }: BrowserResponse): Promise<URL> {
    while (location?.startsWith(service.config.baseUrl) || location?.startsWith('/'))
      ({ location } = await browser.get(location))
    return new URL(location ?? 'about:nowhere')
  }

  return { service, north, register, openRequest, decide, follow }
}
