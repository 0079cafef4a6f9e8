import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  ClientSecretBasic,
  Configuration,
  customFetch,
  randomPKCECodeVerifier,
  randomState,
  refreshTokenGrant,
  ResponseBodyError,
} from 'openid-client'
import { BooksError } from '../books_error.ts'
import type { Vendor } from './vendor.ts'

/** A company's OAuth tokens; `expires_at` is the access token's expiry in Unix milliseconds. */
export type BooksTokens = { access: string; refresh: string; expires_at: number }

type TokenResponse = Awaited<ReturnType<typeof refreshTokenGrant>>

/** Default lifetime of an access token in seconds, if the program doesn't state one. */
const DEFAULT_SECONDS = 1_800

/** Redirect of a browser to a program: its URL, and the values to check on return. */
export type BooksAuthorization = { url: string; state: string; verifier: string }

/** Starts an authorization. The state begins with the company's id, since all companies share one redirect URI. */
export async function buildAuthorization(
  vendor: Vendor,
  tenant: string,
  callback: string,
): Promise<BooksAuthorization> {
  const [state, verifier] = [`${tenant}.${randomState()}`, randomPKCECodeVerifier()]
  const url = buildAuthorizationUrl(toConfiguration(vendor, tenant), {
    redirect_uri: callback,
    scope: vendor.scope,
    state,
    ...(vendor.hasPkce && {
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
    }),
  })
  return { url: url.href, state, verifier }
}

/** Returns the tokens of an authorization; null if the person declined or it isn't the one that was started. */
export async function exchangeCode(
  vendor: Vendor,
  tenant: string,
  callback: string,
  query: URLSearchParams,
  { state, verifier }: Pick<BooksAuthorization, 'state' | 'verifier'>,
): Promise<BooksTokens | null> {
  try {
    const granted = await authorizationCodeGrant(
      toConfiguration(vendor, tenant),
      new URL(`${callback}?${query.toString()}`),
      { expectedState: state, ...(vendor.hasPkce && { pkceCodeVerifier: verifier }) },
    )
    return toTokens(granted, null)
  } catch {
    return null
  }
}

/** Exchanges a refresh token. Throws `revoked` if the program ended the access, `later` if it can't be reached. */
export async function renewTokens(vendor: Vendor, tenant: string, refresh: string): Promise<BooksTokens> {
  try {
    const tokens = toTokens(await refreshTokenGrant(toConfiguration(vendor, tenant), refresh), refresh)
    if (tokens === null) throw new BooksError('later')
    return tokens
  } catch (cause) {
    if (cause instanceof ResponseBodyError && cause.error === 'invalid_grant')
      throw new BooksError('revoked', { detail: 'invalid_grant', cause })
    throw cause instanceof BooksError ? cause : new BooksError('later', { cause })
  }
}

/** Revokes an access at the program (RFC 7009); Intuit expects JSON. Returns false if that fails for now. */
export async function revokeTokens(vendor: Vendor, tenant: string, { refresh }: BooksTokens): Promise<boolean> {
  const app = [vendor.app.clientId, vendor.app.clientSecret].map(encodeURIComponent).join(':')
  const isJson = !vendor.hasPkce
  try {
    const response = await vendor.fetchFor(tenant)(vendor.revokeUrl, {
      method: 'POST',
      headers: {
        accept: 'application/json',
        authorization: `Basic ${Buffer.from(app).toString('base64')}`,
        'content-type': isJson ? 'application/json' : 'application/x-www-form-urlencoded',
      },
      body: isJson ? JSON.stringify({ token: refresh }) : new URLSearchParams({ token: refresh }).toString(),
    })
    return response.ok || response.status === 400
  } catch {
    return false
  }
}

function toConfiguration({ app, authorizeUrl, tokenUrl, fetchFor }: Vendor, tenant: string): Configuration {
  const { origin } = new URL(tokenUrl)
  const server = { issuer: origin, authorization_endpoint: authorizeUrl, token_endpoint: tokenUrl }
  const configuration = new Configuration(server, app.clientId, undefined, ClientSecretBasic(app.clientSecret))
  configuration[customFetch] = fetchFor(tenant)
  if (tokenUrl.startsWith('http:')) allowInsecureRequests(configuration)
  return configuration
}

/** Reads tokens; keeps the earlier refresh token if the program doesn't rotate it. */
function toTokens(granted: TokenResponse, before: string | null): BooksTokens | null {
  const refresh = granted.refresh_token ?? before
  const seconds = granted.expiresIn() ?? DEFAULT_SECONDS
  return refresh === null ? null : { access: granted.access_token, refresh, expires_at: Date.now() + 1000 * seconds }
}
