import { setAppPolicy } from '../../../src/identity/apps/policy.ts'
import { decideAppRequest, listAppRequests } from '../../../src/identity/apps/requests.ts'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { readTenant } from '../../../src/platform/db/tenant.ts'
import { askConsent, createCompany, startSite, newBrowser } from '../../harness/web_client.ts'

export const CALLBACK = 'https://assistant.example/callback'

export type PolicySite = Awaited<ReturnType<typeof openPolicySite>>

/** Starts a service and makes companies with an app policy. */
export async function openPolicySite() {
  const service = await startSite()
  const register = async (name = 'Assistant'): Promise<string> =>
    (await registerClient(service.database, { name, redirect_uris: [CALLBACK], about: {} })).id

  /** Makes a company with an app policy and a member's browser before a request of a new app. */
  async function office(policy: 'anything' | 'listed' | 'ask', { name = 'Assistant' } = {}) {
    const company = await createCompany(service, 'Alder Plumbing')
    const owner = { user: company.owner.user_id }
    await setAppPolicy(service.database, company.id, policy, owner)
    const member = await company.hire('office')
    const browser = newBrowser(service)
    await browser.signIn(member.email)
    const client = await register(name)
    const request = async (more: Record<string, string> = {}) => askConsent(service, browser, client, CALLBACK, more)
    const grant = () => findGrant(service.database.send, client, member.user_id)
    const requests = () => readTenant(service.database, { tenant: company.id }, listAppRequests)
    const decide = async (state: 'approved' | 'declined') => {
      const [asked] = await requests()
      const { user_id, client_id, asked_at } = asked!
      await decideAppRequest(
        service.database,
        company.id,
        { user: user_id, client: client_id, askedAt: asked_at },
        state,
        owner,
      )
    }
    const settings = async () => {
      const opened = newBrowser(service)
      await opened.signIn(company.owner.email)
      return { opened, at: (...steps: string[]) => `/${[company.id, 'settings', ...steps].join('/')}` }
    }
    return { company, owner, member, browser, client, request, grant, requests, decide, settings }
  }

  const noticesOf = async (user: string): Promise<{ kind: string; about: Record<string, string> }[]> => {
    const [answer] = await service.database.send([
      sql`select kind, about from notices where user_id = ${user} and kind <> 'prove_address' order by id`,
    ])
    return answer!.rows as { kind: string; about: Record<string, string> }[]
  }
  return { service, register, office, noticesOf }
}
