import assert from 'node:assert/strict'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it, mock } from 'node:test'
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JWTPayload } from 'jose'
import { remoteKeys } from '../../src/identity/credentials/tokens/jwks.ts'
import { openKeyring, rotateSigningKey, signerOf } from '../../src/identity/credentials/tokens/signing_keys.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  obtainTokens,
  BASE,
  callTool,
  ISSUER,
  startAuthorizing,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { openTokenScene } from './token_scene.ts'

let service: AuthorizingService
let client: string
let owner: Deciding
let claims: JWTPayload
before(async () => {
  ;({ service, client, owner, claims } = await openTokenScene())
})
after(() => service.stop())

describe('signing key rotation', () => {
  it('publishes a key before it signs, and old tokens stay valid', async () => {
    const before = await obtainTokens(service, client, owner)
    const added = await rotateSigningKey(service.database, service.dataKeys)
    assert.ok(Date.parse(added.signs_from) - Date.now() > 9 * 60_000)
    const fresh = openKeyring(service.database, service.dataKeys)
    assert.deepEqual((await fresh.keys()).map(({ kid }) => kid).includes(added.kid), true)
    assert.notEqual(signerOf(await fresh.keys()).kid, added.kid)
    await service.database.send([sql`update signing_keys set signs_from = moment() where kid = ${added.kid}`])
    const restarted = await startSecond()
    // The first process reads its keys again after a minute.
    mock.timers.enable({ apis: ['Date'], now: Date.now() + 61_000 })
    const published = await service
      .fetch(`${ISSUER}/.well-known/jwks.json`)
      .then((answer) => answer.json() as Promise<{ keys: { kid: string }[] }>)
      .finally(() => mock.timers.reset())
    assert.ok(published.keys.some(({ kid }) => kid === added.kid))
    try {
      const { given } = await import('../harness/identity/authorization.ts').then(({ obtainCode: coded }) =>
        coded(service, client, owner),
      )
      const answer = await restarted.fetch(`${ISSUER}/oauth/token`, {
        method: 'POST',
        body: new URLSearchParams(given),
      })
      const { access_token } = (await answer.json()) as { access_token: string }
      assert.equal(JSON.parse(Buffer.from(access_token.split('.')[0]!, 'base64url').toString()).kid, added.kid)
      for (const token of [access_token, before.access_token]) {
        assert.equal((await callTool({ ...service, fetch: restarted.fetch }, token)).status, 200)
        assert.equal((await callTool(service, token)).status, 200)
      }
    } finally {
      await restarted.stop()
    }
  })

  /** Starts another process on the same database, which reads the current keys. */
  async function startSecond() {
    const { startService } = await import('../../src/start/service.ts')
    const { default: pino } = await import('pino')
    const second = await startService(service.config, service.database, pino({ level: 'silent' }), null)
    const origin = `http://127.0.0.1:${second.port}`
    return {
      fetch: ((url: string, init?: RequestInit) =>
        fetch(url.replace(BASE, origin), init)) as AuthorizingService['fetch'],
      stop: () => second.stop(0),
    }
  }
})

describe('an external issuer', () => {
  let server: Server
  let state: 'up' | 'down' | 'endless' = 'up'
  let poured = 0
  let asks = 0
  let broken: unknown[] = []
  let pair: { publicKey: CryptoKey; privateKey: CryptoKey }
  let elsewhere: AuthorizingService
  let issuer: string
  before(async () => {
    pair = await generateKeyPair('ES256', { extractable: true })
    const keys = [{ ...(await exportJWK(pair.publicKey)), kid: 'far', use: 'sig', alg: 'ES256' }]
    server = createServer((_req, res) => {
      asks++
      if (state === 'down') res.writeHead(503).end()
      else if (state === 'endless') pour(res)
      else
        res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ keys: [...broken, ...keys] }))
    }).listen(0, '127.0.0.1')
    await new Promise((resolve) => server.once('listening', resolve))
    issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}/auth`
    elsewhere = await startAuthorizing({ AUTH_URL: issuer })
  })
  after(async () => {
    await elsewhere.stop()
    server.close()
  })

  /** Sends an endless key set until the client closes the connection. */
  function pour(res: ServerResponse): void {
    res.writeHead(200, { 'content-type': 'application/json' }).write('{"keys":[')
    const more = (): void => {
      if (res.destroyed) return
      poured += 2 ** 16
      if (res.write(' '.repeat(2 ** 16))) setImmediate(more)
      else res.once('drain', more)
    }
    more()
  }

  it("is named in the resource metadata, and our own issuer's documents return 404", async () => {
    const response = await elsewhere.fetch(`${BASE}/.well-known/oauth-protected-resource`)
    assert.deepEqual(((await response.json()) as { authorization_servers: string[] }).authorization_servers, [issuer])
    assert.equal((await elsewhere.fetch(`${BASE}/.well-known/oauth-authorization-server/auth/v1`)).status, 404)
    assert.equal((await elsewhere.fetch(`${ISSUER}/.well-known/jwks.json`)).status, 404)
  })

  it("causes 503 with Retry-After, never 401, while its keys can't be read", async () => {
    state = 'down'
    const token = await new SignJWT({ ...claims, iss: issuer })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'far' })
      .sign(pair.privateKey)
    const { status, body, headers } = await callTool(elsewhere, token)
    assert.deepEqual([status, body['error']], [503, 'unavailable'])
    assert.ok(Number(headers.get('retry-after')) > 0)
    state = 'up'
  })

  it('has its keys cached, read again for an unknown kid after a pause, and kept while it is down', async () => {
    let now = 0
    asks = 0
    const keys = remoteKeys(`${issuer}/jwks`, () => now)
    assert.deepEqual(
      (await Promise.all(Array.from({ length: 20 }, () => keys('far')))).map((key) => key !== undefined),
      Array<boolean>(20).fill(true),
    )
    assert.equal(asks, 1)
    for (let i = 0; i < 5; i++) assert.equal(await keys('new'), undefined)
    assert.equal(asks, 1)
    now += 31_000
    assert.equal(await keys('new'), undefined)
    assert.equal(asks, 2)
    state = 'down'
    now += 700_000
    assert.ok(await keys('far'))
    for (let i = 0; i < 20; i++) await assert.rejects(keys(`new${i}`))
    assert.ok(await keys('far'))
    assert.equal(asks, 3)
    state = 'up'
  })

  it('is not read further when its key set is endless', async () => {
    state = 'endless'
    await assert.rejects(remoteKeys(`${issuer}/jwks`)('far'), /could not be read/)
    assert.ok(poured < 64 * 2 ** 20, String(poured))
    state = 'up'
  })

  it('is still usable when its key set has invalid keys', async () => {
    broken = [
      { kty: 'EC', crv: 'P-256', kid: 'broken', x: 'AA', y: 'AA' },
      { kty: 'EC', crv: 'P-256', kid: 'bare' },
      { kty: 'EC', crv: 'P-256', kid: 7, x: 'AA', y: 'AA' },
      null,
      'key',
      [],
    ]
    let now = 0
    asks = 0
    const keys = remoteKeys(`${issuer}/jwks`, () => now)
    assert.ok(await keys('far'))
    for (const kid of ['broken', 'bare', 'new']) assert.equal(await keys(kid), undefined, kid)
    assert.equal(asks, 1)
    now += 31_000
    assert.equal(await keys('broken'), undefined)
    assert.equal(asks, 2)
    broken = []
  })
})
