import assert from 'node:assert/strict'
import { createServer, type Server, type ServerOptions } from 'node:https'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, beforeEach, describe, it } from 'node:test'
import { revokeGrant } from '../../src/identity/credentials/clients/grants.ts'
import { sql } from '../../src/platform/db/database.ts'
import { openDocuments } from '../../src/identity/oauth/clients/documents.ts'
import { documentFetcher } from '../../src/identity/oauth/clients/fetch_document.ts'
import { isPublic } from '../../src/identity/public_addresses.ts'
import {
  requestTokens,
  authorizeUrl,
  Browser,
  callTool,
  CALLBACK,
  challengeOf,
  obtainCode,
  startAuthorizing,
  startAuthorization,
  verifierOf,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { certificate, privateKey } from '../harness/identity/client_certificate.ts'
import { makeCompany } from '../harness/harness.ts'

type Answer = (req: IncomingMessage, res: ServerResponse) => void

let server: Server
let port: number
let answer: Answer
let seen: string[] = []
before(async () => {
  const how: ServerOptions = { cert: certificate, key: privateKey }
  server = createServer(how, (req, res) => {
    seen.push(`${req.headers.host} ${req.url}`)
    answer(req, res)
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  port = (server.address() as AddressInfo).port
})
after(() => server.close())
beforeEach(() => {
  seen = []
  answer = (req, res) => json(res, documentAt(`https://${req.headers.host}${req.url}`))
})

const json = (res: ServerResponse, body: unknown, type = 'application/json'): void =>
  void res.writeHead(200, { 'content-type': type }).end(typeof body === 'string' ? body : JSON.stringify(body))
const documentAt = (client_id: string, more: object = {}) => ({
  client_id,
  client_name: 'Documented',
  redirect_uris: [CALLBACK],
  token_endpoint_auth_method: 'none',
  ...more,
})
const idOf = (path = '/client.json', host = 'client.test') => `https://${host}:${port}${path}`

/** Network for these tests: every name resolves to loopback, and loopback is allowed. */
const nearby = documentFetcher({
  resolve: async () => ['127.0.0.1'],
  isAllowed: (address) => address === '127.0.0.1',
  ca: certificate,
})
const outcome = (url: string, fetchDocument = nearby): Promise<string> =>
  fetchDocument(new URL(url)).then(
    () => 'fetched',
    (error: Error) => error.message,
  )

describe('fetching a client metadata document', () => {
  it('connects to the checked address with the host name', async () => {
    assert.equal(await outcome(idOf('/client.json?x=1')), 'fetched')
    assert.deepEqual(seen, [`client.test:${port} /client.json?x=1`])
  })

  it('fails unless every address of the name is public', async () => {
    for (const addresses of [
      ['127.0.0.1'],
      ['8.8.8.8', '127.0.0.1'],
      ['10.0.0.1'],
      ['169.254.169.254'],
      ['168.63.129.16'],
      ['::1'],
      ['::ffff:127.0.0.1'],
      ['fe80::1'],
      [],
    ]) {
      const guarded = documentFetcher({ resolve: async () => addresses, isAllowed: isPublic, ca: certificate })
      assert.match(await outcome(idOf(), guarded), /not public/, addresses.join())
    }
    for (const host of ['127.0.0.1', '[::1]', '2130706433', '0x7f.0.0.1', '[::ffff:127.0.0.1]'])
      assert.match(await outcome(`https://${host}:${port}/c.json`), /instead of a name/)
    assert.match(await outcome(`https://localhost:${port}/c.json`, documentFetcher()), /not public/)
    assert.deepEqual(seen, [])
  })

  it('resolves the name once, so DNS rebinding has no effect', async () => {
    let asks = 0
    const rebinding = documentFetcher({
      resolve: async () => (asks++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']),
      isAllowed: (address) => address === '127.0.0.1',
      ca: certificate,
    })
    assert.equal(await outcome(idOf(), rebinding), 'fetched')
    assert.equal(asks, 1)
  })

  it('follows no redirect and fails for errors, other types, large documents and timeouts', async () => {
    const cases: [Answer, RegExp][] = [
      [(_req, res) => res.writeHead(302, { location: idOf('/other.json') }).end(), /HTTP 302/],
      [(_req, res) => res.writeHead(404).end(), /HTTP 404/],
      [(_req, res) => json(res, '<html>', 'text/html'), /Not JSON/],
      [(_req, res) => json(res, ' '.repeat(5 * 1024 + 1)), /Too large/],
      [
        (_req, res) => {
          res.writeHead(200, { 'content-type': 'application/json' }).write('{')
        },
        /abort|slow|timeout/i,
      ],
      [() => {}, /abort|slow|timeout/i],
      [(req) => req.socket.destroy(), /hang up|reset/i],
    ]
    for (const [how, message] of cases) {
      answer = how
      assert.match(await outcome(idOf()), message)
    }
    assert.equal(seen.length, cases.length)
  })

  it('requires a certificate for the name', async () => {
    assert.match(await outcome(idOf('/c.json', 'elsewhere.test')), /altname|certificate/i)
  })
})

describe('a client metadata document', () => {
  const read = (id: string) => openDocuments(nearby, async () => true).find(id, 'test')

  it('describes a public client under its own id', async () => {
    assert.deepEqual(await read(idOf()), { id: idOf(), name: 'Documented', redirect_uris: [CALLBACK] })
    answer = (_req, res) =>
      json(
        res,
        documentAt(idOf(), { client_name: undefined, token_endpoint_auth_method: undefined }),
        'application/client+json; charset=utf-8',
      )
    assert.equal((await read(idOf()))?.name, `client.test:${port}`)
  })

  it('is rejected with another id, a secret, bad redirect URIs or invalid JSON', async () => {
    for (const body of [
      documentAt(idOf('/other.json')),
      documentAt(idOf(), { client_secret: 'x' }),
      documentAt(idOf(), { token_endpoint_auth_method: 'client_secret_basic' }),
      documentAt(idOf(), { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'http://127.0.0.1/' }),
      documentAt(idOf(), { redirect_uris: ['javascript:alert(1)'] }),
      documentAt(idOf(), { redirect_uris: [] }),
      documentAt(idOf(), { redirect_uris: undefined }),
      documentAt(idOf(), { redirect_uris: [1] }),
      '[]',
      'null',
      '{',
      '"x"',
    ]) {
      answer = (_req, res) => json(res, body)
      assert.equal(await read(idOf()), undefined, JSON.stringify(body))
    }
  })

  it("isn't fetched for an id that isn't a plain https URL with a path", async () => {
    for (const id of [
      `http://client.test:${port}/c.json`,
      `https://client.test:${port}/`,
      `https://client.test:${port}`,
      `https://user@client.test:${port}/c.json`,
      idOf('/a/../c.json'),
      idOf('/c.json#x'),
      `HTTPS://client.test:${port}/c.json`,
      `https://CLIENT.test:${port}/c.json`,
      idOf('/c json'),
      idOf('/%2e%2e/c.json'),
      `https://client.test:${port}\\@evil.test/c`,
      `https://${'x'.repeat(2_000)}.test/c`,
    ])
      assert.equal(await read(id), undefined, id)
    assert.deepEqual(seen, [])
  })

  it('is fetched once for concurrent requests and cached, also after a failure', async () => {
    const documents = openDocuments(nearby, async () => true)
    await Promise.all(Array.from({ length: 20 }, () => documents.find(idOf(), 'test')))
    answer = (_req, res) => res.writeHead(500).end()
    for (let i = 0; i < 5; i++) await documents.find(idOf('/broken.json'), 'test')
    assert.deepEqual(seen, [`client.test:${port} /client.json`, `client.test:${port} /broken.json`])
  })

  it("isn't fetched more often than the sender's limit", async () => {
    let left = 2
    const documents = openDocuments(nearby, async () => left-- > 0)
    for (let i = 0; i < 5; i++) await documents.find(idOf(`/${i}.json`), 'test')
    assert.equal(seen.length, 2)
  })
})

describe('a client registered by its document', () => {
  let service: AuthorizingService
  let owner: Deciding
  before(async () => {
    service = await startAuthorizing({}, { fetchDocument: nearby })
    const company = await makeCompany(service)
    owner = { user: company.owner.id, tenant: company.tenant }
  })
  after(() => service.stop())

  it('authorizes, and refreshes while its document is unavailable', async () => {
    const id = idOf('/flow.json')
    const { given } = await obtainCode(service, id, owner)
    const { status, body } = await requestTokens(service, given)
    assert.equal(status, 200)
    assert.equal((await callTool(service, body.access_token)).status, 200)
    const [kept] = await service.database.send([sql`select kind, name from oauth_clients where id = ${id}`])
    assert.deepEqual(kept!.rows, [{ kind: 'document', name: 'Documented' }])
    answer = (_req, res) => res.writeHead(500).end()
    const restarted = await startAuthorizing({}, { fetchDocument: nearby })
    await restarted.stop()
    assert.equal(
      (await requestTokens(service, { grant_type: 'refresh_token', refresh_token: body.refresh_token, client_id: id }))
        .status,
      200,
    )
    await revokeGrant(service.database, id, owner.user)
    assert.equal((await callTool(service, body.access_token)).status, 401)
  })

  it('is shown as kind document, and one without a document gets 400', async () => {
    const browser = new Browser(service.fetch)
    const interaction = await service.port.load(
      await startAuthorization(browser, authorizeUrl(idOf('/kind.json'), challengeOf(verifierOf()))),
      browser.valueOf(service.port.browserCookieName),
    )
    assert.equal(interaction?.client.kind, 'document')
    answer = (_req, res) => res.writeHead(404).end()
    assert.equal((await browser.get(authorizeUrl(idOf('/none.json'), challengeOf(verifierOf())))).status, 400)
  })
})
