import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, listClientsPage } from '../../src/identity/credentials/clients/clients.ts'
import { listGrants } from '../../src/identity/credentials/clients/grants.ts'
import { rotateSigningKey, listSigningKeys } from '../../src/identity/credentials/tokens/signing_keys.ts'
import { sql } from '../../src/platform/db/database.ts'
import { readTenant } from '../../src/platform/db/tenant.ts'
import { sweepProtocol } from '../../src/worker/tasks/sweeps.ts'
import { PERIODIC_TASKS } from '../../src/worker/periodic_tasks.ts'
import {
  obtainTokens,
  callTool,
  CALLBACK,
  obtainCode,
  registerPublicClient,
  startAuthorizing,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany } from '../harness/harness.ts'

let service: AuthorizingService
let owner: Deciding
before(async () => {
  service = await startAuthorizing()
  const company = await makeCompany(service)
  owner = { user: company.owner.id, tenant: company.tenant }
})
after(() => service.stop())

const sweep = () =>
  sweepProtocol({ send: async (statements) => (await service.database.send(statements)).map(({ count }) => count) })

describe('the protocol sweep', () => {
  it('is one of the periodic tasks', () => {
    assert.deepEqual(
      PERIODIC_TASKS.filter(({ name }) => ['protocol_sweep', 'authorization_sweep'].includes(name))
        .map(({ of }) => of)
        .sort(),
      ['service', 'tenant'],
    )
  })

  it('removes self-registered clients without a completed consent after 30 days, and no others', async () => {
    const [unused, recent, used] = [
      await registerPublicClient(service),
      await registerPublicClient(service),
      await registerPublicClient(service),
    ]
    const made = await createClient(service.database, { name: 'Kept', redirect_uris: [CALLBACK], allow_list: null })
    await obtainTokens(service, used, owner)
    await service.database.send([
      sql`update oauth_clients set created_at = moment() - interval '31 days' where id <> ${recent}`,
    ])
    await sweep()
    assert.deepEqual(
      (await listClientsPage(service.database, { limit: 1000 })).clients.map(({ id }) => id).sort(),
      [recent, used, made.id].sort(),
    )
    assert.ok(!(await listClientsPage(service.database, { limit: 1000 })).clients.some(({ id }) => id === unused))
    assert.equal((await listGrants(service.database, { client: used })).length, 1)
  })

  it('removes expired records and keeps the others', async () => {
    await obtainCode(service, await registerPublicClient(service), owner)
    const [before] = await service.database.send([
      sql`select count(*) as n from oauth_records where kind <> 'AuthorizationCode'`,
    ])
    await service.database.send([
      sql`update oauth_records set expires_at = moment() - interval '2 hours' where kind = 'AuthorizationCode'`,
    ])
    await sweep()
    const [now] = await service.database.send([sql`select kind, count(*) as n from oauth_records group by kind`])
    assert.deepEqual(
      now!.rows.filter(({ kind }) => kind === 'AuthorizationCode'),
      [],
    )
    assert.equal(
      now!.rows.reduce((sum, { n }) => sum + Number(n), 0),
      before!.rows[0]!['n'],
    )
  })

  it("removes authorizations that ended a month ago or can't be continued, and keeps the others", async () => {
    const { access_token } = await obtainTokens(service, await registerPublicClient(service), owner)
    for (let i = 0; i < 2; i++) await obtainTokens(service, await registerPublicClient(service), owner)
    await service.database.send([
      sql`select enter_tenant(${owner.tenant}, null, 0)`,
      sql`update credentials set created_at = moment() - interval '2 days' where tenant_id = ${owner.tenant} and kind = 'oauth'`,
    ])
    await service.database.send([
      sql`update oauth_records set expires_at = moment() - interval '2 days'
      where authorization_id = (select authorization_id from oauth_records where kind = 'RefreshToken' order by created_at desc limit 1)`,
    ])
    const count = () =>
      readTenant(
        service.database,
        { tenant: owner.tenant },
        async (db) =>
          (
            await db.one<{ n: number }>(
              sql`select count(*) as n from credentials where tenant_id = ${db.tenant} and kind = 'oauth'`,
            )
          ).n,
      )
    const before = await count()
    await service.database.send([
      sql`select enter_tenant(${owner.tenant}, null, 0)`,
      sql`update credentials set revoked_at = moment() - interval '31 days'
      where id = (select authorization_id from oauth_records where kind = 'RefreshToken' order by created_at desc limit 1 offset 1) and tenant_id = ${owner.tenant}`,
    ])
    const chore = PERIODIC_TASKS.find(({ name }) => name === 'authorization_sweep')
    assert.ok(chore?.of === 'tenant')
    const { writeTenant } = await import('../../src/platform/db/tenant.ts')
    await chore.run({
      write: (work: Parameters<typeof writeTenant>[2]) => writeTenant(service.database, { tenant: owner.tenant }, work),
    } as never)
    const kept = await count()
    assert.ok(kept <= before - 2 && kept >= 1)
    assert.equal((await callTool(service, access_token)).status, 200)
  })

  it('removes keys a day after their successor began to sign', async () => {
    await service.database.send([sql`delete from signing_keys`])
    const [old, newer] = [
      await rotateSigningKey(service.database, service.dataKeys),
      await rotateSigningKey(service.database, service.dataKeys),
    ]
    await sweep()
    assert.equal((await listSigningKeys(service.database, service.dataKeys)).length, 2)
    await service.database.send([sql`update signing_keys set signs_from = signs_from - interval '2 days'`])
    await sweep()
    assert.deepEqual(
      (await listSigningKeys(service.database, service.dataKeys)).map(({ kid }) => kid),
      [newer.kid],
    )
    assert.notEqual(old.kid, newer.kid)
  })
})
