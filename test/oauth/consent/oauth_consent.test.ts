import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient } from '../../../src/identity/credentials/clients/clients.ts'
import { findGrant, revokeGrant } from '../../../src/identity/credentials/clients/grants.ts'
import { addMember, removeMember, changeMember } from '../../../src/identity/people/people.ts'
import { readTenant, sql } from '../../../src/platform/db/tenant.ts'
import {
  requestTokens,
  obtainTokens,
  authorizeUrl,
  Browser,
  callTool,
  CALLBACK,
  challengeOf,
  allAreas,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  startAuthorization,
  verifierOf,
  type Asking,
  type AuthorizingService,
} from '../../harness/identity/authorization.ts'
import { makeCompany, type Company, type Result } from '../../harness/harness.ts'

let service: AuthorizingService
let company: Company
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
})
after(() => service.stop())

async function loadInteraction(client: string, more: Asking = {}) {
  const browser = new Browser(service.fetch)
  const verifier = verifierOf()
  const id = await startAuthorization(browser, authorizeUrl(client, challengeOf(verifier), more))
  const interaction = await service.port.load(id, browser.valueOf(service.port.browserCookieName))
  return { browser, verifier, interaction: interaction! }
}

describe('consent offers', () => {
  it("contain the member's full access levels without an allow-list, in page order", async () => {
    const tech = await company.member('tech')
    const { interaction } = await loadInteraction(await registerPublicClient(service))
    assert.deepEqual(await service.port.offers(interaction, tech.id), [
      {
        tenant: { id: company.tenant, name: 'Test company' },
        role: 'tech',
        areas: [
          ['Customers & contacts', 'view'],
          ['Notes', 'edit'],
          ['Jobs & scheduling', 'edit'],
          ['Recurring jobs', 'view'],
          ['Invoices', 'none'],
          ['Quotes', 'view'],
          ['Catalog & pricing', 'view'],
          ['Plans', 'none'],
          ['Tax rates', 'none'],
        ].map(([area, maxLevel]) => ({ area, maxLevel })),
      },
    ])
  })

  it('never contain messages, even when the form sends them', async () => {
    const client = await registerPublicClient(service)
    const { id: user } = await company.member('office')
    await obtainTokens(service, client, { user, tenant: company.tenant, areas: { Notes: 'view', Messages: 'edit' } })
    assert.deepEqual((await findGrant(service.database.send, client, user))?.scopes, ['read:notes'])
  })

  it('are limited to the allow-list and its areas', async () => {
    const office = await company.member('office')
    const client = await createClient(service.database, {
      name: 'Narrow',
      redirect_uris: [CALLBACK],
      allow_list: [
        'read:jobs',
        'write:jobs',
        'write:notes',
        'read:catalog',
        'read:estimates',
        'write:tax_rates',
        'read:settings',
      ],
    })
    const { interaction } = await loadInteraction(client.id)
    const [offer] = await service.port.offers(interaction, office.id)
    assert.deepEqual(
      offer!.areas.map(({ area, maxLevel }) => [area, maxLevel]),
      [
        ['Notes', 'edit'],
        ['Jobs & scheduling', 'edit'],
        ['Quotes', 'view'],
        ['Catalog & pricing', 'view'],
        ['Tax rates', 'none'],
      ],
    )
  })

  it('contain each company that the person belongs to', async () => {
    const other = await makeCompany(service)
    const member = await company.member('office')
    await addMember(service.database, { tenant: other.tenant }, { email: member.email, role: 'tech', password: 'none' })
    const { interaction } = await loadInteraction(await registerPublicClient(service))
    assert.deepEqual(
      new Set((await service.port.offers(interaction, member.id)).map(({ tenant }) => tenant.id)),
      new Set([company.tenant, other.tenant]),
    )
    await removeMember(service.database, { tenant: other.tenant }, member.id)
    assert.deepEqual(
      (await service.port.offers(interaction, member.id)).map(({ tenant }) => tenant.id),
      [company.tenant],
    )
    assert.deepEqual(await service.port.offers(interaction, '5c7b7b5e-0000-4000-8000-000000000000'), [])
  })
})

describe('a renewal without consent', () => {
  it('skips the page for a client that was approved before', async () => {
    const client = await registerPublicClient(service)
    const first = await loadInteraction(client)
    assert.equal(await service.port.renew(first.interaction, company.owner.id), null)
    await obtainTokens(service, client, { user: company.owner.id, tenant: company.tenant, areas: { Notes: 'view' } })
    const resume = await service.port.renew(first.interaction, company.owner.id)
    const callback = new URL((await first.browser.get(resume!)).headers.get('location')!)
    const { status, body } = await requestTokens(service, {
      grant_type: 'authorization_code',
      client_id: client,
      code: callback.searchParams.get('code')!,
      redirect_uri: CALLBACK,
      code_verifier: first.verifier,
      resource: RESOURCE,
    })
    assert.equal(status, 200)
    assert.equal(body.scope, 'read:notes')
  })

  it("isn't possible for another person, with prompt=consent or after withdrawal", async () => {
    const client = await registerPublicClient(service)
    const office = await company.member('office')
    await obtainTokens(service, client, { user: company.owner.id, tenant: company.tenant })
    assert.equal(await service.port.renew((await loadInteraction(client)).interaction, office.id), null)
    assert.equal(
      await service.port.renew((await loadInteraction(client, { prompt: 'consent' })).interaction, company.owner.id),
      null,
    )
    assert.ok(await service.port.renew((await loadInteraction(client)).interaction, company.owner.id))
    await revokeGrant(service.database, client, company.owner.id)
    assert.equal(await service.port.renew((await loadInteraction(client)).interaction, company.owner.id), null)
  })

  it("isn't possible when no scope would remain or the membership has ended", async () => {
    const client = await registerPublicClient(service)
    const member = await company.member('office')
    await obtainTokens(service, client, { user: member.id, tenant: company.tenant, areas: { Notes: 'view' } })
    const { interaction } = await loadInteraction(client)
    await changeMember(service.database, { tenant: company.tenant }, member.id, { areas: { Notes: 'none' } })
    assert.equal(await service.port.renew(interaction, member.id), null)
    await changeMember(service.database, { tenant: company.tenant }, member.id, { areas: { Notes: 'edit' } })
    assert.ok(await service.port.renew(interaction, member.id))
    await removeMember(service.database, { tenant: company.tenant }, member.id)
    await addMember(
      service.database,
      { tenant: company.tenant },
      { email: member.email, role: 'office', password: 'none' },
    )
    assert.equal(await service.port.renew(interaction, member.id), null)
  })
})

describe('an approval', () => {
  it('is recorded in the audit log together with its withdrawal', async () => {
    const client = await registerPublicClient(service, { client_name: 'Audited' })
    await obtainTokens(service, client, { user: company.owner.id, tenant: company.tenant, areas: { Notes: 'view' } })
    await revokeGrant(service.database, client, company.owner.id, { user: company.owner.id })
    const rows = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.all<Result>(sql`
      select tool, record_type, record_id, user_id, changed from audit where tenant_id = ${db.tenant} and changed->'client' @> '["Audited"]' order by at`),
    )
    assert.deepEqual(rows, [
      {
        tool: 'grants.approve',
        record_type: 'grant',
        record_id: company.owner.id,
        user_id: company.owner.id,
        changed: { client: [null, 'Audited'], scopes: [null, ['read:notes']] },
      },
      {
        tool: 'grants.withdraw',
        record_type: 'grant',
        record_id: company.owner.id,
        user_id: company.owner.id,
        changed: { client: ['Audited', null], scopes: [['read:notes'], null] },
      },
    ])
  })

  it('by several browsers at once makes one grant and one authorization each', async () => {
    const client = await registerPublicClient(service)
    const tokens = await Promise.all(
      Array.from({ length: 8 }, () =>
        obtainTokens(service, client, { user: company.owner.id, tenant: company.tenant, areas: allAreas('view') }),
      ),
    )
    for (const { access_token } of tokens) assert.equal((await callTool(service, access_token)).status, 200)
    const [answer] = await service.database.send([
      sql`select (select count(*) from oauth_grants where client_id = ${client}) as grants, (select count(*) from oauth_authorizations where client_id = ${client}) as authorizations`,
    ])
    assert.deepEqual(answer!.rows, [{ grants: 1, authorizations: 8 }])
  })

  it('is refused when the client was removed meanwhile', async () => {
    const client = await registerPublicClient(service)
    const { interaction } = await loadInteraction(client)
    await service.database.send([sql`delete from oauth_clients where id = ${client}`])
    await assert.rejects(
      service.port.approve(interaction, { user: company.owner.id, tenant: company.tenant, areas: {} }),
      { code: 'not_found' },
    )
  })

  it("isn't listed among the keys and can't be revoked as one", async () => {
    const { listKeys, revokeKey } = await import('../../../src/identity/credentials/keys.ts')
    await obtainTokens(service, await registerPublicClient(service), { user: company.owner.id, tenant: company.tenant })
    const keys = await listKeys(service.database, { tenant: company.tenant })
    assert.ok(keys.every(({ kind }) => kind === 'user_key' || kind === 'tenant_key'))
    const sid = await readTenant(service.database, { tenant: company.tenant }, (db) =>
      db.one<{ id: string }>(sql`select id from credentials where tenant_id = ${db.tenant} and kind = 'oauth' limit 1`),
    )
    await assert.rejects(revokeKey(service.database, { tenant: company.tenant }, sid.id), { code: 'not_found' })
  })
})
