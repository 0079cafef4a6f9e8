import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { decodeJwt } from 'jose'
import { revokeGrant } from '../../src/identity/credentials/clients/grants.ts'
import { addMember, removeMember, changeMember } from '../../src/identity/people/people.ts'
import { sql } from '../../src/platform/db/database.ts'
import { writeTenant } from '../../src/platform/db/tenant.ts'
import {
  requestTokens,
  obtainTokens,
  callTool,
  allAreas,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  type AuthorizingService,
  type Deciding,
  type Tokens,
} from '../harness/identity/authorization.ts'
import { makeCompany, type Company } from '../harness/harness.ts'

let service: AuthorizingService
let company: Company
let client: string
let owner: Deciding
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
  client = await registerPublicClient(service)
  owner = { user: company.owner.id, tenant: company.tenant }
})
after(() => service.stop())

const refreshTokens = (refresh_token: string, more: Record<string, string | undefined> = {}) =>
  requestTokens<Tokens & { error?: string }>(service, {
    grant_type: 'refresh_token',
    refresh_token,
    client_id: client,
    resource: RESOURCE,
    ...more,
  })
const outcome = async (token: string, more = {}): Promise<[number, unknown]> => {
  const { status, body } = await refreshTokens(token, more)
  return [status, body.error]
}
const stateOf = async (token: string): Promise<[number, unknown]> => {
  const { status, body } = await callTool(service, token)
  return [status, body['error']]
}
/** Moves every rotated token past its overlap. */
const later = () =>
  service.database.send([
    sql`update oauth_records set consumed_at = consumed_at - interval '11 seconds' where consumed_at is not null`,
  ])

const ENDED = [
  [401, 'invalid_token'],
  [400, 'invalid_grant'],
  [400, 'invalid_grant'],
]
const thrice = async (token: string) => [await outcome(token), await outcome(token), await outcome(token)]

describe('refresh token rotation', () => {
  it('gives a public client a new token each time, with the same claims and session', async () => {
    const first = await obtainTokens(service, client, owner)
    const second = (await refreshTokens(first.refresh_token)).body
    const third = (await refreshTokens(second.refresh_token, { resource: undefined })).body
    assert.equal(new Set([first, second, third].map((one) => one.refresh_token)).size, 3)
    const [a, b] = [decodeJwt(first.access_token), decodeJwt(third.access_token)]
    assert.deepEqual([b['sid'], b['scopes'], b['tenant_id'], b.aud], [a['sid'], a['scopes'], a['tenant_id'], a.aud])
    assert.notEqual(a.jti, b.jti)
    for (const { access_token } of [first, second, third])
      assert.equal((await callTool(service, access_token)).status, 200)
  })

  it('accepts a rotated token for ten more seconds, also for 50 concurrent requests', async () => {
    const { refresh_token } = await obtainTokens(service, client, owner)
    const answers = await Promise.all(Array.from({ length: 50 }, () => refreshTokens(refresh_token)))
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]))
    assert.equal(new Set(answers.map(({ body }) => body.refresh_token)).size, 50)
    assert.equal((await refreshTokens(answers[7]!.body.refresh_token)).status, 200)
  })

  it('ends the authorization when a rotated token is used after the overlap', async () => {
    const first = await obtainTokens(service, client, owner)
    const other = await obtainTokens(service, client, owner)
    const second = (await refreshTokens(first.refresh_token)).body
    await later()
    assert.deepEqual(await outcome(first.refresh_token), [400, 'invalid_grant'])
    assert.deepEqual(await stateOf(second.access_token), [401, 'invalid_token'])
    assert.deepEqual(await thrice(second.refresh_token), ENDED)
    assert.deepEqual(await stateOf(other.access_token), [200, undefined])
  })

  it('accepts a token only from its client and for its resource', async () => {
    const { refresh_token } = await obtainTokens(service, client, owner)
    assert.deepEqual(await outcome(refresh_token, { client_id: await registerPublicClient(service) }), [
      400,
      'invalid_grant',
    ])
    assert.deepEqual(await outcome(refresh_token, { resource: 'https://other.test' }), [400, 'invalid_target'])
    assert.equal((await outcome(refresh_token))[0], 200)
  })
})

describe('the lifetime of a refresh token', () => {
  const expiry = async (token: string): Promise<number> => {
    const { createHash } = await import('node:crypto')
    const hash = createHash('sha256').update(`RefreshToken ${token}`).digest()
    const [answer] = await service.database.send([
      sql`select extract(epoch from expires_at - moment())::float8 / 86400 as days from oauth_records where hash = ${hash}`,
    ])
    return Math.round(Number(answer!.rows[0]!['days']) * 100) / 100
  }

  it('is 60 days idle and 365 days in total', async () => {
    const { refresh_token } = await obtainTokens(service, client, owner)
    assert.equal(await expiry(refresh_token), 60)
    await service.database.send([
      sql`update oauth_records set payload = jsonb_set(payload, '{iiat}', ((payload->>'iiat')::bigint - 340 * 86400)::text::jsonb) where kind = 'RefreshToken'`,
    ])
    const { body } = await refreshTokens(refresh_token)
    assert.equal(await expiry(body.refresh_token), 25)
  })

  it("ends when it wasn't used in time", async () => {
    const { refresh_token } = await obtainTokens(service, client, owner)
    await service.database.send([
      sql`update oauth_records set expires_at = moment() - interval '1 second' where kind = 'RefreshToken' and consumed_at is null`,
    ])
    assert.deepEqual(await outcome(refresh_token), [400, 'invalid_grant'])
  })
})

describe('an ended authorization', () => {
  it('returns 401 invalid_token once to a refresh, then 400 invalid_grant', async () => {
    const own = await registerPublicClient(service)
    const tokens = await obtainTokens(service, own, owner)
    await revokeGrant(service.database, own, company.owner.id)
    assert.deepEqual(await stateOf(tokens.access_token), [401, 'invalid_token'])
    const answers = []
    for (let i = 0; i < 3; i++) answers.push(await outcome(tokens.refresh_token, { client_id: own }))
    assert.deepEqual(answers, ENDED)
  })

  it('returns 401 once for each token, and only to its own client', async () => {
    const own = await registerPublicClient(service)
    const [one, two] = [await obtainTokens(service, own, owner), await obtainTokens(service, own, owner)]
    await revokeGrant(service.database, own, company.owner.id)
    assert.deepEqual(await outcome(one.refresh_token), [400, 'invalid_grant'])
    assert.deepEqual(await outcome(one.refresh_token, { client_id: own }), [401, 'invalid_token'])
    assert.deepEqual(await outcome(two.refresh_token, { client_id: own }), [401, 'invalid_token'])
  })

  it('of a removed member stays ended when they return', async () => {
    const member = await company.member('office')
    const tokens = await obtainTokens(service, client, { user: member.id, tenant: company.tenant })
    await removeMember(service.database, { tenant: company.tenant }, member.id)
    assert.deepEqual(await stateOf(tokens.access_token), [401, 'invalid_token'])
    await addMember(
      service.database,
      { tenant: company.tenant },
      { email: member.email, role: 'office', password: 'none' },
    )
    assert.deepEqual(await stateOf(tokens.access_token), [401, 'invalid_token'])
    assert.deepEqual(await thrice(tokens.refresh_token), ENDED)
  })
})

describe('the grant record', () => {
  it('is one per client and user: another company replaces it and the old tokens end', async () => {
    const other = await makeCompany(service)
    await writeTenant(service.database, { tenant: other.tenant }, (db) =>
      db.run(
        sql`insert into members (tenant_id, user_id, role, ceiling) select ${other.tenant}, ${owner.user}, role, ceiling from (values ('office', '{"Notes":"view"}'::jsonb)) as m (role, ceiling)`,
      ),
    )
    const own = await registerPublicClient(service)
    const here = await obtainTokens(service, own, owner)
    const there = await obtainTokens(service, own, { user: owner.user, tenant: other.tenant })
    assert.deepEqual(await stateOf(here.access_token), [401, 'invalid_token'])
    assert.deepEqual(await outcome(here.refresh_token, { client_id: own }), [401, 'invalid_token'])
    assert.deepEqual(
      [
        decodeJwt(there.access_token)['tenant_id'],
        decodeJwt(there.access_token)['scopes'],
        decodeJwt(there.access_token)['role'],
      ],
      [other.tenant, ['read:notes'], 'office'],
    )
    const [answer] = await service.database.send([
      sql`select count(*) as grants from oauth_grants where client_id = ${own}`,
    ])
    assert.equal(answer!.rows[0]!['grants'], 1)
  })

  it('narrows and widens the existing tokens of every authorization when the consent changes', async () => {
    const own = await registerPublicClient(service)
    const first = await obtainTokens(service, own, { ...owner, areas: allAreas('edit') })
    await obtainTokens(service, own, { ...owner, areas: { Notes: 'view' } })
    assert.equal((await callTool(service, first.access_token, 'notes_list', {})).status, 200)
    const denied = await callTool(service, first.access_token, 'customers_search')
    assert.match(JSON.stringify(denied.body), /insufficient_scope/)
    await obtainTokens(service, own, { ...owner, areas: allAreas('view') })
    assert.ok(
      !JSON.stringify((await callTool(service, first.access_token, 'customers_search')).body).includes(
        'insufficient_scope',
      ),
    )
    const { body } = await refreshTokens(first.refresh_token, { client_id: own })
    assert.ok((decodeJwt(body.access_token)['scopes'] as string[]).every((scope) => scope.startsWith('read:')))
  })

  it("follows a member's access levels on the next call, down and up", async () => {
    const member = await company.member('office')
    const { access_token } = await obtainTokens(service, client, { user: member.id, tenant: company.tenant })
    const call = async () =>
      JSON.stringify((await callTool(service, access_token, 'customers_search')).body).includes('insufficient_scope')
    assert.equal(await call(), false)
    await changeMember(service.database, { tenant: company.tenant }, member.id, {
      areas: { 'Customers & contacts': 'none' },
    })
    assert.equal(await call(), true)
    await changeMember(service.database, { tenant: company.tenant }, member.id, {
      areas: { 'Customers & contacts': 'view' },
    })
    assert.equal(await call(), false)
  })

  it('is read again when grantChanged is called after an outside change', async () => {
    const own = await registerPublicClient(service)
    const { access_token } = await obtainTokens(service, own, owner)
    await service.database.send([sql`update oauth_grants set scopes = array['read:notes'] where client_id = ${own}`])
    await service.port.grantChanged(own, owner.user)
    assert.match(JSON.stringify((await callTool(service, access_token)).body), /insufficient_scope/)
    await service.database.send([sql`delete from oauth_grants where client_id = ${own}`])
    await service.port.grantChanged(own, owner.user)
    assert.deepEqual(await stateOf(access_token), [401, 'invalid_token'])
  })

  it('applies a demotion at once and a promotion with the next token', async () => {
    const member = await company.member('office')
    const first = await obtainTokens(service, client, { user: member.id, tenant: company.tenant })
    await changeMember(service.database, { tenant: company.tenant }, member.id, { role: 'owner' })
    const mayCost = async (token: string) =>
      !JSON.stringify(
        (
          await callTool(service, token, 'catalog_items_create', {
            kind: 'service',
            name: 'X',
            unit_price_cents: 9,
            cost_cents: 5,
          })
        ).body,
      ).includes('"isError":true')
    assert.equal(await mayCost(first.access_token), false)
    const second = (await refreshTokens(first.refresh_token)).body
    assert.equal(decodeJwt(second.access_token)['role'], 'owner')
    assert.equal(await mayCost(second.access_token), true)
    await changeMember(service.database, { tenant: company.tenant }, member.id, { role: 'office' })
    assert.equal(await mayCost(second.access_token), false)
  })
})
