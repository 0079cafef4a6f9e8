import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client'
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js'
import { UnauthorizedError as FirstUnauthorized } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { createClient } from '../../src/identity/credentials/clients/clients.ts'
import { revokeGrant } from '../../src/identity/credentials/clients/grants.ts'
import { sql } from '../../src/platform/db/database.ts'
import {
  approveRequest,
  Browser,
  callTool,
  CALLBACK,
  ISSUER,
  registerPublicClient,
  RESOURCE,
  startAuthorizing,
  type AuthorizingService,
  type Deciding,
} from '../harness/identity/authorization.ts'
import { makeCompany, type Company } from '../harness/harness.ts'

let service: AuthorizingService
let company: Company
let owner: Deciding
before(async () => {
  service = await startAuthorizing()
  company = await makeCompany(service)
  owner = { user: company.owner.id, tenant: company.tenant }
})
after(() => service.stop())

describe('openid-client', () => {
  for (const kind of ['public', 'confidential'] as const) {
    it(`completes the whole flow as a ${kind} client`, async () => {
      const own =
        kind === 'public'
          ? { id: await registerPublicClient(service), secret: undefined }
          : await createClient(service.database, { name: 'Back office', redirect_uris: [CALLBACK], allow_list: null })
      const authentication = own.secret === undefined ? openid.None() : openid.ClientSecretBasic(own.secret)
      const config = await openid.discovery(new URL(ISSUER), own.id, undefined, authentication, {
        [openid.customFetch]: service.fetch as never,
        algorithm: 'oauth2',
      })
      const verifier = openid.randomPKCECodeVerifier()
      const state = openid.randomState()
      const nonce = openid.randomNonce()
      const url = openid.buildAuthorizationUrl(config, {
        redirect_uri: CALLBACK,
        scope: 'openid email',
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
        resource: RESOURCE,
      })
      const callback = await approveRequest(service.port, new Browser(service.fetch), url.href, owner)
      const tokens = await openid.authorizationCodeGrant(
        config,
        callback,
        { pkceCodeVerifier: verifier, expectedState: state, expectedNonce: nonce, idTokenExpected: true },
        { resource: RESOURCE },
      )
      assert.equal(tokens.claims()?.sub, owner.user)
      assert.equal((await callTool(service, tokens.access_token)).status, 200)
      const again = await openid.refreshTokenGrant(config, tokens.refresh_token!, { resource: RESOURCE })
      assert.equal((await callTool(service, again.access_token)).status, 200)
      await openid.tokenRevocation(config, again.refresh_token!)
      assert.equal((await callTool(service, again.access_token)).status, 401)
    })
  }
})

describe('oauth4webapi', () => {
  it('discovers, registers and authorizes from the resource URL alone', async () => {
    const how = { [oauth.customFetch]: service.fetch as never }
    const resource = new URL(RESOURCE)
    const protectedResource = await oauth.processResourceDiscoveryResponse(
      resource,
      await oauth.resourceDiscoveryRequest(resource, how),
    )
    const issuer = new URL(protectedResource.authorization_servers![0]!)
    const as = await oauth.processDiscoveryResponse(
      issuer,
      await oauth.discoveryRequest(issuer, { ...how, algorithm: 'oauth2' }),
    )
    const client = await oauth.processDynamicClientRegistrationResponse(
      await oauth.dynamicClientRegistrationRequest(as, { redirect_uris: [CALLBACK], client_name: 'Strict' }, how),
    )
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint!)
    url.search = new URLSearchParams({
      client_id: client.client_id,
      redirect_uri: CALLBACK,
      response_type: 'code',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      resource: RESOURCE,
    }).toString()
    const callback = await approveRequest(service.port, new Browser(service.fetch), url.href, owner)
    const params = oauth.validateAuthResponse(as, client, callback, state)
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(as, client, oauth.None(), params, CALLBACK, verifier, {
        ...how,
        additionalParameters: { resource: RESOURCE },
      }),
    )
    assert.equal(tokens.token_type, 'bearer')
    const request = new Request(RESOURCE, { headers: { authorization: `Bearer ${tokens.access_token}` } })
    const claims = await oauth.validateJwtAccessToken(as, request, RESOURCE, { ...how, signingAlgorithms: ['ES256'] })
    assert.equal(claims.sub, owner.user)
    const again = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, oauth.None(), tokens.refresh_token!, how),
    )
    assert.equal(again.expires_in, 3600)
  })
})

/** Stores an MCP client's registration and tokens, and the URL that it sends the person to. */
class Keeper {
  readonly redirectUrl = CALLBACK
  readonly clientMetadata = {
    client_name: 'MCP test',
    redirect_uris: [CALLBACK],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    token_endpoint_auth_method: 'none',
  }
  registered: unknown
  kept: { access_token: string; refresh_token?: string } | undefined
  sentTo: URL | undefined
  verifier = ''
  state = (): string => 'mcp state'
  clientInformation = () => this.registered as never
  saveClientInformation = (given: unknown): void => void (this.registered = given)
  tokens = () => this.kept as never
  saveTokens = (given: unknown): void => void (this.kept = given as Keeper['kept'])
  redirectToAuthorization = (url: URL): void => void (this.sentTo = url)
  saveCodeVerifier = (given: string): void => void (this.verifier = given)
  codeVerifier = (): string => this.verifier
  invalidateCredentials = (scope: string): void => {
    if (scope === 'all' || scope === 'client') this.registered = undefined
    if (scope === 'all' || scope === 'tokens') this.kept = undefined
  }
}

type Tools = {
  callTool(call: { name: string; arguments: Record<string, unknown> }): Promise<unknown>
  close(): Promise<void>
}
type Kit = {
  connect(keeper: Keeper): Promise<Tools>
  finish(keeper: Keeper, callback: URL): Promise<void>
  Unauthorized: new (...given: never[]) => Error
}

const self = { name: 'oauth-test', version: '1.0.0' }
const KITS: Record<string, Kit> = {
  'client 2.x': {
    connect: async (keeper) => {
      const client = new Client(self, { versionNegotiation: { mode: 'auto' } })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: keeper as never, fetch: service.fetch }),
      )
      return client
    },
    finish: (keeper, callback) =>
      (
        new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: keeper as never, fetch: service.fetch })
          .finishAuth as (params: unknown) => Promise<void>
      ).call(
        new StreamableHTTPClientTransport(new URL(RESOURCE), { authProvider: keeper as never, fetch: service.fetch }),
        callback.searchParams,
      ),
    Unauthorized: UnauthorizedError,
  },
  'sdk 1.x': {
    connect: async (keeper) => {
      const client = new FirstClient(self)
      await client.connect(new FirstTransport(new URL(RESOURCE), { authProvider: keeper, fetch: service.fetch }))
      return client
    },
    finish: (keeper, callback) =>
      new FirstTransport(new URL(RESOURCE), { authProvider: keeper, fetch: service.fetch }).finishAuth(
        callback.searchParams.get('code')!,
      ),
    Unauthorized: FirstUnauthorized,
  },
}

for (const [name, kit] of Object.entries(KITS)) {
  describe(`mcp ${name}`, () => {
    const keeper = new Keeper()
    const use = async (): Promise<void> => {
      const client = await kit.connect(keeper)
      const answer = (await client.callTool({ name: 'customers_search', arguments: { query: 'x' } })) as {
        isError?: boolean
      }
      assert.notEqual(answer.isError, true, JSON.stringify(answer))
      await client.close()
    }
    const authorize = async (): Promise<void> => {
      const callback = await approveRequest(service.port, new Browser(service.fetch), keeper.sentTo!.href, owner)
      assert.equal(callback.searchParams.get('state'), 'mcp state')
      await kit.finish(keeper, callback)
    }

    it('goes from the 401 to a tool call', async () => {
      await assert.rejects(kit.connect(keeper), kit.Unauthorized)
      assert.equal(keeper.sentTo?.searchParams.get('resource'), RESOURCE)
      await authorize()
      await use()
    })

    it('refreshes when its access token is rejected', async () => {
      const before = keeper.kept!
      keeper.kept = { ...before, access_token: `${before.access_token.slice(0, -8)}AAAAAAAA` }
      await use()
      assert.notEqual(keeper.kept.refresh_token, before.refresh_token)
    })

    it('starts over in the browser when the authorization has ended', async () => {
      const id = (keeper.registered as { client_id: string }).client_id
      await revokeGrant(service.database, id, company.owner.id)
      keeper.sentTo = undefined
      for (let tries = 0; tries < 3 && keeper.sentTo === undefined; tries++) await kit.connect(keeper).catch(() => {})
      assert.ok(keeper.sentTo)
      await authorize()
      await use()
    })

    it('registers again when its registration is gone', async () => {
      const id = (keeper.registered as { client_id: string }).client_id
      await service.database.send([
        sql`delete from oauth_grants where client_id = ${id}`,
        sql`delete from oauth_clients where id = ${id}`,
      ])
      keeper.kept = { access_token: 'x', refresh_token: 'x' }
      keeper.sentTo = undefined
      for (let tries = 0; tries < 3 && keeper.sentTo === undefined; tries++) await kit.connect(keeper).catch(() => {})
      await authorize()
      await use()
      assert.notEqual((keeper.registered as { client_id: string }).client_id, id)
    })
  })
}
