import { errors, interactionPolicy, Provider } from './library.ts'
import type {
  AdapterPayload,
  ClientMetadata,
  Configuration,
  interactionPolicy as Policy,
  KoaContextWithOIDC,
  Provider as Library,
} from 'oidc-provider'
import { isRegistered } from '../../credentials/clients/redirect_uris.ts'
import { hashOf } from '../../credentials/secret_hash.ts'
import { canSign, type SigningKey } from '../../credentials/tokens/signing_keys.ts'
import { rowsOf, sql } from '../../../platform/db/database.ts'
import { openAdapters } from './adapter.ts'
import type { OAuthClient } from '../clients/find_client.ts'
import {
  ACCESS_TOKEN,
  CODE,
  ID_TOKEN,
  INTERACTION,
  REFRESH_IDLE,
  MAX_AUTHORIZATION_AGE,
  REFRESH_ROTATION_AGE,
} from '../lifetimes.ts'
import { RESOURCE_SCOPE, SCOPES } from '../metadata.ts'
import { requestContext } from './request_context.ts'

type LibrarySetup = {
  issuer: string
  resource: string
  consentUrl: string
  /** Signing keys, newest first. */
  keys: readonly SigningKey[]
  signer: SigningKey
  findClient(id: string): Promise<OAuthClient | undefined>
  showFault(ctx: KoaContextWithOIDC, out: FaultBody): Promise<void>
}

export type FaultBody = { error: string; error_description?: string | undefined }

/** Lifetimes in seconds. */
const LIFETIMES = {
  AccessToken: ACCESS_TOKEN,
  AuthorizationCode: CODE,
  IdToken: ID_TOKEN,
  Interaction: INTERACTION,
  Grant: MAX_AUTHORIZATION_AGE,
  Session: INTERACTION,
}

const ROUTES = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  revocation: '/oauth/revoke',
  jwks: '/.well-known/jwks.json',
} as const

/** Creates the library with our rules. It stores everything through the adapters; the service renders the pages. */
export function makeProvider(setup: LibrarySetup): Library {
  const { issuer, findClient, resource } = setup
  const provider = new Provider(issuer, {
    adapter: openAdapters(async (id) => metadataOf(await findClient(id)), resource),
    jwks: {
      keys: [setup.signer, ...setup.keys.filter((key) => key !== setup.signer && canSign(key))].map(
        ({ jwk }) => jwk as Record<string, string>,
      ),
    },
    routes: ROUTES,
    scopes: [...SCOPES],
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    responseTypes: ['code'],
    clientAuthMethods: ['none', 'client_secret_basic'],
    clientDefaults: { id_token_signed_response_alg: 'ES256' },
    enabledJWA: { idTokenSigningAlgValues: ['ES256'] },
    clientBasedCORS: () => true,
    clockTolerance: 0,
    conformIdTokenClaims: false,
    allowOmittingSingleRegisteredRedirectUri: false,
    pkce: { required: () => true },
    features: featuresOf(setup),
    formats: {
      customizers: {
        jwt: (_ctx, _token, parts) => {
          parts.payload = claimsOf(parts.payload)
        },
      },
    },
    ttl: { ...LIFETIMES, RefreshToken: refreshLifetime },
    expiresWithSession: () => false,
    issueRefreshToken: () => true,
    rotateRefreshToken: isRotated,
    revokeGrantPolicy: () => true,
    loadExistingGrant: async (ctx) => {
      const sid = ctx.oidc.result?.consent?.grantId
      return sid === undefined ? undefined : ctx.oidc.provider.Grant.find(sid)
    },
    findAccount: (_ctx, sub) => findAccount(sub),
    interactions: {
      policy: consentPrompts(),
      url: (_ctx, { uid }) => `${setup.consentUrl}?authorization_id=${encodeURIComponent(uid)}`,
    },
    renderError: (ctx, out) => setup.showFault(ctx, out),
  } satisfies Configuration)
  provider.Client.prototype.redirectUriAllowed = function isAllowed(uri) {
    return isRegistered(uri, this.redirectUris ?? [])
  }
  provider.Client.prototype.compareClientSecret = function isSecret(secret) {
    return hashOf(secret).toString('hex') === this.clientSecret
  }
  // Our own rules check redirect URIs at registration. They allow loopback and app schemes for every kind of client.
  const { Client } = provider
  if (!('Schema' in Client) || typeof Client.Schema !== 'function') throw new Error('The library has no client schema')
  Object.assign(Client.Schema.prototype, { redirectUris: () => {} })
  return provider
}

async function findAccount(user: string) {
  const [person] = await rowsOf(
    requestContext().transaction.send,
    sql<AccountAddress>`select email, proved_at is not null or vouched_at is not null as is_sure
      from users where id = ${user}`,
  )
  if (person === undefined) return undefined
  return { accountId: user, claims: () => ({ sub: user, email: person.email, email_verified: person.is_sure }) }
}

type AccountAddress = { email: string; is_sure: boolean }

const disabled = { enabled: false } as const

const featuresOf = ({ resource, signer }: LibrarySetup): NonNullable<Configuration['features']> => ({
  devInteractions: disabled,
  dPoP: disabled,
  pushedAuthorizationRequests: disabled,
  rpInitiatedLogout: disabled,
  userinfo: disabled,
  revocation: { enabled: true, allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId },
  resourceIndicators: {
    enabled: true,
    defaultResource: () => resource,
    useGrantedResource: () => true,
    getResourceServerInfo: (ctx, indicator) => {
      requireOwnResource(ctx, indicator, resource)
      return {
        scope: RESOURCE_SCOPE,
        audience: resource,
        accessTokenTTL: ACCESS_TOKEN,
        accessTokenFormat: 'jwt',
        jwt: { sign: { alg: 'ES256', kid: signer.kid } },
      }
    },
  },
})

/**
 * Accepts a resource in a token request only if the authorize request named it
 * (docs/spec/oauth.md#resource-at-the-token-endpoint).
 */
function requireOwnResource({ oidc }: KoaContextWithOIDC, indicator: string, resource: string): void {
  const isNamed =
    oidc.route !== 'token' ||
    oidc.params?.['resource'] === undefined ||
    requestContext().authorization?.namesResource === true
  if (indicator !== resource || !isNamed) throw new errors.InvalidTarget()
}

/** Returns the claims of an access token, and nothing else (docs/spec/oauth.md#access-tokens). */
function claimsOf({ iss, sub, aud, client_id, iat, exp, jti }: Record<string, unknown>): Record<string, unknown> {
  const { authorization } = requestContext()
  if (authorization === undefined) throw new Error('A token without an authorization')
  const { tenant, scopes, role, sid } = authorization
  return { iss, sub, aud, client_id, tenant_id: tenant, scopes, role, iat, exp, jti, sid }
}

/** Sends every authorize request to the consent page, whatever its prompt; the decision resolves all prompts. */
function consentPrompts(): Policy.Prompt[] {
  const { Check, Prompt } = interactionPolicy
  const unanswered = new Check(
    'unanswered',
    'the user was not asked yet',
    'interaction_required',
    ({ oidc }) => oidc.result?.consent === undefined,
  )
  return [
    new Prompt({ name: 'consent', requestable: true }, unanswered),
    new Prompt({ name: 'login', requestable: true }),
    new Prompt({ name: 'select_account', requestable: true }),
  ]
}

type RotatingToken = { iiat?: number; iat?: number; totalLifetime(): number }

const refreshLifetime = (_ctx: unknown, token: unknown): number =>
  Math.max(1, Math.min(REFRESH_IDLE, MAX_AUTHORIZATION_AGE - (token as RotatingToken).totalLifetime()))

/** Checks whether a refresh token is rotated: always for public clients (RFC 9700 4.14.2), else when it is old. */
function isRotated({ oidc }: KoaContextWithOIDC): boolean {
  const { RefreshToken: token, Client: client } = oidc.entities
  if (client?.clientAuthMethod === 'none') return true
  return Date.now() / 1000 - (token?.iat ?? 0) >= REFRESH_ROTATION_AGE
}

const metadataOf = (client: OAuthClient | undefined): AdapterPayload | undefined =>
  client &&
  ({
    client_id: client.id,
    client_name: client.name,
    redirect_uris: client.redirect_uris,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    response_modes: ['query'],
    ...(client.secret_hash === null
      ? { token_endpoint_auth_method: 'none' }
      : { token_endpoint_auth_method: 'client_secret_basic', client_secret: client.secret_hash.toString('hex') }),
  } satisfies ClientMetadata)
