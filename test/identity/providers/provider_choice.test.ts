import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sql } from '../../../src/platform/db/tenant.ts'
import type { TestService } from '../../harness/harness.ts'
import { createCompany, startSite, newBrowser, type Browser, type BrowserResponse } from '../../harness/web_client.ts'

let here: TestService
let company: Awaited<ReturnType<typeof createCompany>>
let owner: Browser
before(async () => {
  here = await startSite()
  company = await createCompany(here, 'Alder Plumbing')
  owner = newBrowser(here)
  await owner.signIn(company.owner.email)
})
after(() => here.stop())

const DIRECTORY = '72f988bf-86f1-41af-91ab-2d7cd011db47'
const path = (): string => `/${company.id}/settings/provider`
const save = (provider: string, issuer: string): Promise<BrowserResponse> =>
  owner.post(path(), { act: 'save', provider, issuer, client_id: 'callout', client_secret: '', name: 'Work' })

async function issuer(): Promise<unknown> {
  const [, kept] = await here.database.send([
    sql`select enter_tenant(${company.id}, null, 0)`,
    sql`select issuer from company_providers where tenant_id = ${company.id}`,
  ])
  return kept!.rows[0]?.['issuer']
}

describe("a company's provider chosen by name", () => {
  for (const [provider, account, expected] of [
    ['microsoft', DIRECTORY.toUpperCase(), `https://login.microsoftonline.com/${DIRECTORY}/v2.0`],
    ['google', '', 'https://accounts.google.com'],
    ['okta', 'Alder.okta.com/', 'https://alder.okta.com'],
    ['okta', 'https://login.alder.example/oauth2/default', 'https://login.alder.example/oauth2/default'],
    ['other', 'https://login.example.com', 'https://login.example.com'],
  ] as const)
    it(`${provider} with '${account}' gets the issuer ${expected}, and its form shows the input`, async () => {
      assert.equal((await save(provider, account)).status, 303)
      assert.equal(await issuer(), expected)
      const { text } = await owner.get(path())
      const isNamed = !account.startsWith('https://login.alder')
      assert.match(text, new RegExp(`<option value="${isNamed ? provider : 'other'}" selected>`))
      const accountInForm = isNamed ? account.toLowerCase().replace(/\/$/, '') : account
      assert.match(text, new RegExp(`name="issuer"[^>]* value="${accountInForm}"`))
    })

  it('shows what is missing and keeps the input', async () => {
    const microsoft = await save('microsoft', 'alder.example')
    assert.equal(microsoft.status, 422)
    assert.match(microsoft.text, /Enter the directory \(tenant\) ID from Microsoft Entra/)
    assert.match(microsoft.text, /<option value="microsoft" selected>/)
    assert.match(microsoft.text, /name="issuer"[^>]* value="alder\.example"/)
    assert.match((await save('okta', 'alder')).text, /Enter your Okta domain/)
    assert.match((await save('other', 'alder')).text, /Enter the issuer’s https address/)
  })
})
