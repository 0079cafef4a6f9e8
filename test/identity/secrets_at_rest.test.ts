import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '../../src/identity/credentials/clients/clients.ts'
import { createResetLinkAsOperator } from '../../src/identity/people/recovery/forgotten_password.ts'
import { invitePerson } from '../../src/identity/people/invitations/invitations.ts'
import { createKey } from '../../src/identity/credentials/keys.ts'
import { sql, writeTenant } from '../../src/platform/db/tenant.ts'
import { issueLink } from '../../src/customer_portal/link.ts'
import { newId } from '../../src/platform/validation/id.ts'
import type { TestService } from '../harness/harness.ts'
import {
  askConsent,
  createCompany,
  PASSWORD,
  pressConsent,
  startSite,
  tokensOf,
  newBrowser,
} from '../harness/web_client.ts'
import { openWitness, type Witness } from '../harness/clients/witness.ts'

const CALLBACK = 'http://127.0.0.1:33418/callback'

let service: TestService
let witness: Witness
before(async () => {
  service = await startSite()
  witness = await openWitness(service)
})
after(async () => {
  await witness.close()
  await service.stop()
})

/** Makes and uses a secret of each kind. Returns them by name. */
async function makeSecrets(): Promise<Record<string, string>> {
  const { id: tenant, owner } = await createCompany(service, 'Secretive')
  const by = { user: owner.user_id }
  const user = await createKey(
    service.database,
    { tenant },
    { user: owner.user_id, name: 'mine', scopes: ['read:customers'], expires_at: null },
  )
  const company = await createKey(
    service.database,
    { tenant },
    { user: null, name: 'ours', scopes: ['read:customers'], expires_at: null },
  )
  const invitation = await invitePerson(
    service.database,
    tenant,
    { email: 'new@example.com', name: null, role: 'office' },
    by,
  )
  const confidential = await createClient(service.database, {
    name: 'Made',
    redirect_uris: [CALLBACK],
    allow_list: null,
  })
  for (const { key } of [user, company])
    await fetch(service.url, { method: 'POST', headers: { authorization: `Bearer ${key}` } })

  const browser = newBrowser(service)
  await browser.signIn(owner.email)
  const registered = await fetch(`${service.config.authUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ client_name: 'App', redirect_uris: [CALLBACK] }),
  })
  const { client_id } = (await registered.json()) as { client_id: string }
  const waiting = await askConsent(service, browser, client_id, CALLBACK)
  const approved = await pressConsent(browser, waiting.path, 'approve', { all: 'most' })
  const { path, verifier } = await askConsent(service, browser, client_id, CALLBACK, { prompt: 'consent' })
  const { location } = await pressConsent(browser, path, 'approve', { all: 'most' })
  const callback = new URL((await browser.get(location!)).location!)
  const tokens = (await tokensOf(service, client_id, callback, verifier)) as {
    access_token: string
    refresh_token: string
  }
  const customer = newId()
  const link = await writeTenant(service.database, { tenant }, async (db) => {
    await db.run(sql`insert into customers (tenant_id, id, customer_type, display_name, sort_name, name_words, status, tax_exempt, do_not_service, fields)
      values (${tenant}, ${customer}, 'individual', 'Ana', 'ana', 'ana', 'active', false, false, '{}')`)
    return issueLink(db, { kind: 'customers', id: customer, by: owner.user_id })
  })
  await browser.get(link.path)
  const resetLink = await createResetLinkAsOperator(service.database, owner.user_id)
  await fetch(`${service.config.baseUrl}/new-password?link=${resetLink}`)
  return {
    resetLink,
    password: PASSWORD,
    customerLink: link.path.slice('/c/'.length),
    userKey: user.key,
    companyKey: company.key,
    invitation: invitation.secret,
    clientSecret: confidential.secret,
    session: browser.jar.get('callout_session')!,
    browser: browser.jar.get('callout_browser')!,
    requestUnderWay: waiting.id,
    resumeToken: new URL(approved.location!).searchParams.get('resume')!,
    code: callback.searchParams.get('code')!,
    accessToken: tokens.access_token,
    refreshToken: tokens.refresh_token,
  }
}

describe('the database', () => {
  it('stores no key, password, session, code, token or link in clear', async () => {
    const secrets = await makeSecrets()
    for (const [name, secret] of Object.entries(secrets)) assert.ok(secret?.length >= 20, `${name} is there`)
    const tables = await witness.rows(
      `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
    )
    const rows: string[] = []
    for (const { name } of tables)
      rows.push(...(await witness.rows(`select t::text as row from ${String(name)} t`)).map(({ row }) => String(row)))
    assert.ok(rows.length > 10 && rows.some((row) => row.includes('new@example.com')))
    const hex = (text: string): string => Buffer.from(text).toString('hex')
    for (const [name, secret] of Object.entries(secrets)) {
      for (const form of [secret, hex(secret), Buffer.from(secret).toString('base64')])
        assert.ok(!rows.some((row) => row.includes(form)), `${name} stands in the database`)
    }
  })
})
