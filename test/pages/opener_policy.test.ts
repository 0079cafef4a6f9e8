import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { SCOPES } from '../../src/identity/permissions/scopes.ts'
import { callerOf, type TestService } from '../harness/harness.ts'
import { createCompany, startSite, newBrowser, type Browser } from '../harness/web_client.ts'

let service: TestService
let company: Awaited<ReturnType<typeof createCompany>>
let owner: Browser
before(async () => {
  service = await startSite()
  company = await createCompany(service, 'Alder Plumbing')
  owner = newBrowser(service)
  await owner.signIn(company.owner.email)
})
after(() => service.stop())

const policyAt = async (path: string): Promise<string | null> =>
  (await owner.get(path)).headers.get('cross-origin-opener-policy')

describe('Cross-Origin-Opener-Policy', () => {
  it('is same-origin on record, form, list and settings pages', async () => {
    const { key } = await createKey(
      service.database,
      { tenant: company.id },
      { user: company.owner.user_id, name: 'Test', scopes: SCOPES, expires_at: null },
    )
    const { id } = await callerOf(service.url, key).call('customers_create', {
      customer_type: 'individual',
      first_name: 'Ana',
    })
    for (const path of ['', '/customers', `/customers/${id}`, `/customers/${id}/edit`, '/settings', '/settings/keys'])
      assert.equal(await policyAt(`/${company.id}${path}`), 'same-origin', path)
  })

  it("isn't sent on sign-in pages, which apps open as a popup", async () => {
    for (const path of ['/sign-in', '/oauth/consent', `/${company.id}/sign-in`])
      assert.equal(await policyAt(path), null)
  })
})
