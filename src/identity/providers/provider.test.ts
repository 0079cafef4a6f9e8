import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { SignJWT, exportJWK, generateKeyPair } from 'jose'
import { Unavailable } from '../../platform/errors/refusal.ts'
import { openProvider } from './provider.ts'

type Keys = Awaited<ReturnType<typeof generateKeyPair>>

/** Current response of the test provider: issuer, audience, nonce and signing key. */
type Saying = { iss: string; aud: string; nonce: string; sub: string }

let server: Server
let issuer: string
let published: Keys
let stranger: Keys
let said: (saying: Saying) => { saying: Saying; key: Keys }
let namedIssuer: string
let asked: Saying

before(async () => {
  ;[published, stranger] = [await generateKeyPair('ES256'), await generateKeyPair('ES256')]
  server = createServer((req, res) => {
    void answerTo(req.url ?? '').then((body) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body)),
    )
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
after(() => server.close())

async function answerTo(path: string): Promise<object> {
  if (path === '/jwks')
    return { keys: [{ ...(await exportJWK(published.publicKey)), kid: 'one', alg: 'ES256', use: 'sig' }] }
  if (path === '/token') {
    const { saying, key } = said(asked)
    const { iss, aud, sub, nonce } = saying
    const token = new SignJWT({ nonce, email: 'ana@example.com', email_verified: true })
      .setProtectedHeader({ alg: 'ES256', kid: 'one' })
      .setIssuer(iss)
      .setAudience(aud)
      .setSubject(sub)
      .setIssuedAt()
      .setExpirationTime('5m')
    return { access_token: 'none', token_type: 'bearer', id_token: await token.sign(key.privateKey) }
  }
  return {
    issuer: namedIssuer,
    authorization_endpoint: `${issuer}/authorize`,
    token_endpoint: `${issuer}/token`,
    jwks_uri: `${issuer}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  }
}

/** Signs in at the provider and returns with a code. */
async function goneAndBack(how: typeof said) {
  said = how
  namedIssuer = issuer
  const provider = openProvider({
    issuer,
    clientId: 'callout',
    clientSecret: null,
    redirectUri: 'http://localhost/back',
  })
  const departure = await provider.startAuthorization()
  asked = { iss: issuer, aud: 'callout', nonce: departure.nonce, sub: 'ana' }
  return provider.handleCallback(new URLSearchParams({ code: 'code', state: departure.state }), departure)
}

describe('an ID token', () => {
  it('identifies the user when signed with a published key', async () => {
    const identity = await goneAndBack((saying) => ({ saying, key: published }))
    assert.deepEqual(identity, {
      issuer,
      subject: 'ana',
      email: 'ana@example.com',
      name: null,
      address: 'ana@example.com',
      methods: [],
      unconfirmed: null,
      recognizedAt: null,
    })
  })

  it('is rejected for another signing key, audience, issuer or nonce', async () => {
    assert.equal(await goneAndBack((saying) => ({ saying, key: stranger })), null)
    for (const wrong of [{ aud: 'another' }, { iss: 'https://evil.example' }, { nonce: 'n0nce' }])
      assert.equal(await goneAndBack((saying) => ({ saying: { ...saying, ...wrong }, key: published })), null)
  })

  it('is not requested when the metadata names another issuer', async () => {
    namedIssuer = 'https://evil.example'
    const provider = openProvider({
      issuer,
      clientId: 'callout',
      clientSecret: null,
      redirectUri: 'http://localhost/back',
    })
    await assert.rejects(provider.startAuthorization(), Unavailable)
  })
})
