import { sql } from '../../../src/platform/db/database.ts'
import { PASSWORD, createCompany, startSite, newBrowser, type Browser } from '../web_client.ts'

/** Opens a company's settings for its owner and for others who sign in. */
export async function openSettings() {
  const service = await startSite()
  const company = await createCompany(service, 'Alder Plumbing')
  const signInAs = async (email: string): Promise<Browser> => {
    const browser = newBrowser(service)
    await browser.signIn(email, '/', PASSWORD)
    return browser
  }
  const owner = await signInAs(company.owner.email)
  const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
  const readAudit = async (tool: string): Promise<Record<string, unknown>[]> => {
    const answers = await service.database.send([
      sql`select enter_tenant(${company.id}, null, 0)`,
      sql`select * from audit where tenant_id = ${company.id} and tool = ${tool} order by id`,
    ])
    return answers[1]!.rows as Record<string, unknown>[]
  }
  return { service, company, owner, signInAs, at, readAudit }
}
