import assert from 'node:assert/strict'
import { registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { sql, type Sql } from '../../../src/platform/db/database.ts'
import { CALLBACK } from './consent.ts'
import { openSettings } from './settings.ts'
import { askConsent, pressConsent, type Browser, type BrowserResponse } from '../web_client.ts'

/** Opens a company's settings, with keys and apps whose rights need a confirmation to grow. */
export async function openStepUp() {
  const settings = await openSettings()
  const { service, company } = settings
  const inCompany = async (statement: Sql) =>
    (await service.database.send([sql`select enter_tenant(${company.id}, null, 0)`, statement]))[1]!
  return {
    ...settings,
    inCompany,
    proposedBy: async (id: string): Promise<string[]> =>
      (await inCompany(sql`select proposes from credentials where id = ${id}`)).rows[0]!['proposes'] as string[],
    /** Connects a new app with the areas that the person at a browser chooses. Returns its client id. */
    connectedApp: async (browser: Browser, areas: Record<string, string>): Promise<string> => {
      const { id } = await registerClient(service.database, { name: 'Assistant', redirect_uris: [CALLBACK], about: {} })
      const { path } = await askConsent(service, browser, id, CALLBACK)
      assert.equal((await pressConsent(browser, path, 'approve', areas)).status, 303)
      return id
    },
  }
}

export type StepUp = Awaited<ReturnType<typeof openStepUp>>

/** Submits the form with which a page continues. */
export const submitContinue = (browser: Browser, { text }: BrowserResponse): Promise<BrowserResponse> => {
  const action = /<form class="form" method="post" action="([^"]+)">/.exec(text)![1]!.replaceAll('&amp;', '&')
  const fields = [...text.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)">/g)].map(
    ([, name, value]) => [name!, value!] as const,
  )
  return browser.post(action, Object.fromEntries(fields))
}

export const readTypedField = ({ text }: BrowserResponse): string =>
  /name="typed" value="([\w-]+)"/.exec(text)?.[1] ?? ''
