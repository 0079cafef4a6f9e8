import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { registerClient } from '../../src/identity/credentials/clients/clients.ts'
import { sql } from '../../src/platform/db/database.ts'
import type { TestService } from '../harness/harness.ts'
import { createCompany, freePort, pressConsent, startSite, newBrowser } from '../harness/web_client.ts'
import { scenariosOf, startSuite } from './suite.ts'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const ADDRESS = /^http:\/\/localhost:\d+\/auth\/v1\/oauth\/authorize\?\S+$/m

/** Signs a person in at the authorize URL, approves the consent screen and opens the client's callback URL. */
async function approve(address: string): Promise<void> {
  const company = await createCompany(service, 'Northside Heating')
  const browser = newBrowser(service)
  await browser.signIn(company.owner.email)
  await service.database.send([sql`update sessions set created_at = created_at - interval '5 minutes'`])
  const asked = new URL((await browser.get(address)).location!)
  let { location } = await pressConsent(browser, asked.pathname + asked.search, 'approve', { customers: 'view' })
  while (location!.startsWith(service.config.baseUrl) || location!.startsWith('/'))
    ({ location } = await browser.get(location!))
  assert.equal((await fetch(location!)).status, 200)
}

describe('the authorization server', () => {
  it('passes both authorization scenarios of the conformance suite', async () => {
    const port = await freePort()
    const { id } = await registerClient(service.database, {
      name: 'Suite',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
      about: {},
    })
    const suite = startSuite(
      'authorization',
      '--url',
      service.config.authUrl,
      '--client-id',
      id,
      '--port',
      String(port),
      '--resource',
      `${service.config.baseUrl}/api/mcp`,
      '--spec-version',
      '2026-07-28',
    )
    await approve(await suite.said(ADDRESS))
    const { code, output } = await suite.ended
    assert.equal(code, 0, output)
    const scenarios = scenariosOf(output)
    assert.deepEqual(
      [...scenarios.keys()].toSorted(),
      ['authorization-code-grant', 'authorization-server-metadata-endpoint'],
      output,
    )
    for (const { passed, failed } of scenarios.values()) assert.ok(passed > 0 && failed === 0, output)
  })
})
