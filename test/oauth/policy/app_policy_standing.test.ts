import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { listApp, setAppPolicy } from '../../../src/identity/apps/policy.ts'
import { createClient, registerClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { sql } from '../../../src/platform/db/database.ts'
import { afterMinutes } from '../../harness/identity/factors.ts'
import type { TestService } from '../../harness/harness.ts'
import {
  askConsent,
  createCompany,
  pressConsent,
  startSite,
  newBrowser,
  type Browser,
} from '../../harness/web_client.ts'

const CALLBACK = 'https://assistant.example/callback'

let service: TestService
before(async () => {
  service = await startSite()
})
after(() => service.stop())

const register = async (name: string): Promise<string> =>
  (await registerClient(service.database, { name, redirect_uris: [CALLBACK], about: {} })).id

/** Makes a company where a member and an owner each connected an app and the company's own client. */
async function connectApps() {
  const company = await createCompany(service, 'Alder Plumbing')
  const owner = { user: company.owner.user_id }
  const member = await company.hire('office')
  const own = await createClient(service.database, {
    name: 'Our desk',
    redirect_uris: [CALLBACK],
    allow_list: null,
    tenant: company.id,
  })
  const browsers: Browser[] = []
  const clients: string[] = []
  for (const [email, name] of [
    [member.email, 'Fieldhand'],
    [company.owner.email, 'Ledgerly'],
  ] as const) {
    const browser = newBrowser(service)
    await browser.signIn(email)
    const client = await register(name)
    for (const one of [client, own.id])
      await pressConsent(browser, (await askConsent(service, browser, one, CALLBACK)).path, 'view')
    browsers.push(browser)
    clients.push(client)
  }
  const at = (...steps: string[]): string => `/${[company.id, 'settings', ...steps].join('/')}`
  const [office, settings] = browsers as [Browser, Browser]
  const [fieldhand, ledgerly] = clients as [string, string]
  const stands = async (client: string, user: string): Promise<boolean> =>
    (await findGrant(service.database.send, client, user)) !== undefined
  return { company, owner, member, own: own.id, office, settings, fieldhand, ledgerly, at, stands }
}

describe('an app connected before the policy changed', () => {
  it('keeps working, is shown to owners and can be disconnected without affecting allowed apps', async () => {
    const { company, owner, member, own, settings, fieldhand, ledgerly, at, stands } = await connectApps()
    assert.doesNotMatch((await settings.get(at('apps'))).text, /would not be allowed now/)
    await setAppPolicy(service.database, company.id, 'listed', owner)
    await listApp(service.database, company.id, ledgerly, owner)
    const { text } = await settings.get(at('apps'))
    assert.match(text, /One connection would not be allowed now[^]*Fieldhand \(/)
    assert.equal(await stands(fieldhand, member.user_id), true)
    const done = await settings.post(at('apps', 'outside'), {})
    assert.deepEqual([done.status, done.location], [303, at('apps')])
    assert.match((await settings.get(at('apps'))).text, /One connection was ended\./)
    assert.deepEqual(
      [
        await stands(fieldhand, member.user_id),
        await stands(ledgerly, owner.user),
        await stands(own, member.user_id),
        await stands(own, owner.user),
      ],
      [false, true, true, true],
    )
    const [, rows] = await service.database.send([
      sql`select enter_tenant(${company.id}, null, 0)`,
      sql`select user_id, record_id from audit where tenant_id = ${company.id} and tool = 'grants.withdraw'`,
    ])
    assert.deepEqual(rows!.rows, [{ user_id: owner.user, record_id: member.user_id }])
  })

  it('is disallowed under the ask policy when a member connected it, not when an owner did', async () => {
    const { company, owner, member, settings, fieldhand, ledgerly, at, stands } = await connectApps()
    await setAppPolicy(service.database, company.id, 'ask', owner)
    assert.match((await settings.get(at('apps'))).text, /One connection would not be allowed now/)
    await settings.post(at('apps', 'outside'), {})
    assert.deepEqual([await stands(fieldhand, member.user_id), await stands(ledgerly, owner.user)], [false, true])
    await settings.post(at('apps', 'outside'), {})
    assert.match((await settings.get(at('apps'))).text, /0 connections were ended\./)
  })

  it('stays connected until the owner has confirmed who they are', async () => {
    const { company, owner, member, settings, fieldhand, at, stands } = await connectApps()
    await setAppPolicy(service.database, company.id, 'listed', owner)
    await afterMinutes(service, 16)
    assert.equal((await settings.post(at('apps', 'outside'), {})).status, 401)
    assert.equal(await stands(fieldhand, member.user_id), true)
  })

  it("can't be disconnected by members or by another company's owner", async () => {
    const { company, owner, member, office, fieldhand, at, stands } = await connectApps()
    const other = await connectApps()
    await setAppPolicy(service.database, company.id, 'listed', owner)
    assert.doesNotMatch((await office.get(at('apps'))).text, /would not be allowed now/)
    assert.equal((await office.post(at('apps', 'outside'), {})).status, 404)
    assert.equal((await other.settings.post(at('apps', 'outside'), {})).status, 404)
    await other.settings.post(other.at('apps', 'outside'), {})
    assert.deepEqual(
      [await stands(fieldhand, member.user_id), await other.stands(other.fieldhand, other.member.user_id)],
      [true, true],
    )
  })
})

describe('an app that was approved for proposals only', () => {
  /** Makes a company with a policy, where a member connected an app that proposes jobs. */
  async function proposing(policy: 'listed' | 'ask') {
    const { company, owner, member, office, settings, fieldhand, at } = await connectApps()
    const { path } = await askConsent(service, office, fieldhand, CALLBACK, { prompt: 'consent' })
    assert.equal((await pressConsent(office, path, 'approve', { jobs: 'propose' })).status, 303)
    await setAppPolicy(service.database, company.id, policy, owner)
    const page = `${at('app')}?${new URLSearchParams({ client: fieldhand, user: member.user_id }).toString()}`
    const proposes = async () => (await findGrant(service.database.send, fieldhand, member.user_id))!.proposes
    return { company, owner, member, office, settings, fieldhand, page, proposes }
  }

  it('can be set to act directly by an owner, not by its member, when owners must be asked', async () => {
    const { member, company, office, settings, fieldhand, page, proposes } = await proposing('ask')
    await service.database.send([
      sql`select enter_tenant(${company.id}, null, 0)`,
      sql`insert into app_requests (tenant_id, user_id, client_id, name, kind, host, scopes, proposes, state)
        values (${company.id}, ${member.user_id}, ${fieldhand}, 'Fieldhand', 'registered', 'assistant.example',
          '{read:jobs,write:jobs}', '{write:jobs}', 'approved')`,
    ])
    const refused = await office.post(page, { jobs: 'edit' })
    assert.equal(refused.status, 409)
    assert.match(refused.text, /app rules don’t let this app do more than it does now/)
    assert.deepEqual(await proposes(), ['write:jobs'])
    assert.equal((await office.post(page, { jobs: 'propose' })).status, 303)
    assert.equal((await settings.post(page, { jobs: 'edit' })).status, 303)
    assert.deepEqual(await proposes(), [])
  })

  it("can't be set to act directly by anyone until it is listed", async () => {
    const { company, owner, office, settings, fieldhand, page, proposes } = await proposing('listed')
    for (const browser of [office, settings]) assert.equal((await browser.post(page, { jobs: 'edit' })).status, 409)
    await listApp(service.database, company.id, fieldhand, owner)
    assert.equal((await office.post(page, { jobs: 'edit' })).status, 303)
    assert.deepEqual(await proposes(), [])
  })
})
