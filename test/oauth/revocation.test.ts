import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createClient, removeClient } from '../../src/identity/credentials/clients/clients.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  requestTokens,
  obtainTokens,
  callTool,
  CALLBACK,
  basic,
  obtainCode,
  ISSUER,
  outcome,
  registerPublicClient,
  startAuthorizing,
  type Asking,
  type AuthorizingService,
  type Deciding,
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

describe('a confidential client', () => {
  let own: { id: string; secret: string }
  before(async () => {
    own = await createClient(service.database, { name: 'Back office', redirect_uris: [CALLBACK], allow_list: null })
  })

  it('must authenticate with HTTP Basic', async () => {
    const { given } = await obtainCode(service, own.id, owner)
    assert.deepEqual(await outcome(service, { ...given, client_id: undefined }, basic(own.id, 'wrong')), [
      401,
      'invalid_client',
    ])
    assert.deepEqual(await outcome(service, given), [401, 'invalid_client'])
    assert.deepEqual((await outcome(service, { ...given, client_secret: own.secret }))[0], 401)
    const answer = await requestTokens<{ error: string }>(
      service,
      { ...given, client_id: undefined },
      basic(own.id, `${own.secret}x`),
    )
    assert.match(answer.headers.get('www-authenticate')!, /^Basic /)
    assert.equal((await outcome(service, { ...given, client_id: undefined }, basic(own.id, own.secret)))[0], 200)
  })

  it("can't act as another client, and a public client or a secret's hash isn't accepted", async () => {
    const { given } = await obtainCode(service, own.id, owner)
    assert.equal((await outcome(service, { ...given, client_id: client }, basic(own.id, own.secret)))[0], 400)
    assert.deepEqual(await outcome(service, { ...given, client_id: undefined }, basic(client, 'x')), [
      401,
      'invalid_client',
    ])
    const hash = await service.database.send([
      sql`select encode(secret_hash, 'hex') as hash from oauth_clients where id = ${own.id}`,
    ])
    assert.deepEqual(
      await outcome(service, { ...given, client_id: undefined }, basic(own.id, String(hash[0]!.rows[0]!['hash']))),
      [401, 'invalid_client'],
    )
  })

  it('keeps its refresh token until late in its lifetime, then gets a new one', async () => {
    const { given } = await obtainCode(service, own.id, owner)
    const { body } = await requestTokens(service, { ...given, client_id: undefined }, basic(own.id, own.secret))
    const refresh = { grant_type: 'refresh_token', refresh_token: body.refresh_token }
    const again = await requestTokens(service, refresh, basic(own.id, own.secret))
    assert.equal(again.body.refresh_token, body.refresh_token)
    await service.database.send([
      sql`update oauth_records set payload = payload || jsonb_build_object('iat', (payload->>'iat')::bigint - 43 * 86400) where kind = 'RefreshToken'`,
    ])
    const late = await requestTokens(service, refresh, basic(own.id, own.secret))
    assert.notEqual(late.body.refresh_token, body.refresh_token)
    assert.equal(
      (await requestTokens(service, { ...refresh, refresh_token: late.body.refresh_token }, basic(own.id, own.secret)))
        .status,
      200,
    )
  })

  it("is rejected when its id isn't printable ASCII or is too long", async () => {
    const { given } = await obtainCode(service, client, owner)
    for (const id of ['\u0000', `${client}\u0000`, 'a\nb', 'caf\u00e9', ' '.repeat(2_001)]) {
      assert.deepEqual(await outcome(service, { ...given, client_id: id }), [401, 'invalid_client'], JSON.stringify(id))
      const body = new URLSearchParams({ token: 'a', client_id: id })
      const revoked = await service.fetch(`${ISSUER}/oauth/revoke`, { method: 'POST', body })
      assert.equal(revoked.status, 401, JSON.stringify(id))
      const asked = new URLSearchParams({ client_id: id, response_type: 'code' })
      const { status } = await service.fetch(`${ISSUER}/oauth/authorize?${asked.toString()}`, { redirect: 'manual' })
      assert.equal(status, 400, JSON.stringify(id))
    }
  })

  it('loses access at once when it is removed', async () => {
    const gone = await createClient(service.database, { name: 'Gone', redirect_uris: [CALLBACK], allow_list: null })
    const { given } = await obtainCode(service, gone.id, owner)
    const { body } = await requestTokens(service, { ...given, client_id: undefined }, basic(gone.id, gone.secret))
    assert.equal((await callTool(service, body.access_token)).status, 200)
    await removeClient(service.database, gone.id)
    assert.equal((await callTool(service, body.access_token)).status, 401)
    assert.deepEqual(
      await outcome(
        service,
        { grant_type: 'refresh_token', refresh_token: body.refresh_token },
        basic(gone.id, gone.secret),
      ),
      [401, 'invalid_client'],
    )
  })
})

describe('POST /oauth/revoke', () => {
  const revoke = (given: Asking) =>
    service.fetch(`${ISSUER}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams(
        Object.entries(given).filter((pair): pair is [string, string] => pair[1] !== undefined),
      ),
    })

  it('ends the authorization of a refresh token, only for its own client', async () => {
    const tokens = await obtainTokens(service, client, owner)
    const other = await obtainTokens(service, client, owner)
    assert.equal(
      (await revoke({ token: tokens.refresh_token, client_id: await registerPublicClient(service) })).status,
      200,
    )
    assert.equal((await callTool(service, tokens.access_token)).status, 200)
    assert.equal((await revoke({ token: tokens.refresh_token, client_id: client })).status, 200)
    assert.equal((await callTool(service, tokens.access_token)).status, 401)
    assert.deepEqual(
      await outcome(service, { grant_type: 'refresh_token', refresh_token: tokens.refresh_token, client_id: client }),
      [400, 'invalid_grant'],
    )
    assert.equal((await callTool(service, other.access_token)).status, 200)
  })

  it('ends the authorization of an access token, only for its own client', async () => {
    const { access_token, refresh_token } = await obtainTokens(service, client, owner)
    await revoke({ token: access_token, client_id: await registerPublicClient(service) })
    assert.equal((await callTool(service, access_token)).status, 200)
    assert.equal(
      (await revoke({ token: access_token, client_id: client, token_type_hint: 'access_token' })).status,
      200,
    )
    assert.equal((await callTool(service, access_token)).status, 401)
    assert.deepEqual(await outcome(service, { grant_type: 'refresh_token', refresh_token, client_id: client }), [
      401,
      'invalid_token',
    ])
  })

  it('returns 200 for an unknown token, 401 for an unknown client and 400 without a token', async () => {
    for (const token of ['unknown', 'eyJhbGciOiJFUzI1NiJ9.e30.x'])
      assert.equal((await revoke({ token, client_id: client })).status, 200, token)
    assert.equal((await revoke({ token: 'x', client_id: 'nobody' })).status, 401)
    assert.equal((await revoke({ client_id: client })).status, 400)
  })
})
