import {
  ClientError,
  ClientSecretBasic,
  None,
  allowInsecureRequests,
  enableNonRepudiationChecks,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  calculatePKCECodeChallenge,
  customFetch,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type Configuration,
  type IDToken,
} from 'openid-client'
import { Unavailable } from '../../platform/errors/refusal.ts'
import { fetchBounded } from './bounded_fetch.ts'
import type { ProviderFetch } from './public_fetch.ts'
import { isOfDomains } from './company/provider_inputs.ts'
import { requireValue } from '../../platform/errors/require_value.ts'

/**
 * OpenID provider settings. `redirectUri` is where it sends users back. `trustedDomains` are those whose addresses are
 * trusted if it sends no `email_verified`.
 */
type ProviderSetup = {
  issuer: string
  clientId: string
  clientSecret: string | null
  redirectUri: string
  trustedDomains?: readonly string[]
}

/** Data of an authorization request, to compare when the browser returns. */
export type ProviderRedirect = { url: string; state: string; nonce: string; verifier: string }

/** Person as a provider identifies them. `email` is null unless the provider reports it as verified. */
export type ProvidedIdentity = {
  issuer: string
  subject: string
  email: string | null
  name: string | null
  /** Address from the provider, verified or not. */
  address: string | null
  /** That address if nothing tells whether it is verified; the user's own session may vouch for it. */
  unconfirmed: string | null
  /** Authentication methods at the provider (`amr`, RFC 8176). */
  methods: readonly string[]
  /** Time of authentication at the provider (`auth_time`), in UTC; null if it isn't reported. */
  recognizedAt: string | null
}

export type Provider = {
  /** Starts a sign-in at the provider; `anew` requests reauthentication there. */
  startAuthorization(options?: { anew: boolean }): Promise<ProviderRedirect>
  /**
   * Returns the person who came back with `query` from the provider; null if the user or the provider declined, or any
   * part of the response is invalid. Throws `Unavailable` if the provider can't be reached.
   */
  handleCallback(query: URLSearchParams, authorization: Omit<ProviderRedirect, 'url'>): Promise<ProvidedIdentity | null>
}

/** Maximum `amr` values to read. */
const MAX_METHODS = 20

/** Milliseconds to cache a provider's endpoints. */
const CACHE_MS = 3_600_000

/** Opens a provider that is called through `fetch`. Its endpoints are discovered on first use. */
export function openProvider(
  { issuer, clientId, clientSecret, redirectUri, trustedDomains = [] }: ProviderSetup,
  fetch: ProviderFetch = fetchBounded,
): Provider {
  let cached: { at: number; configuration: Promise<Configuration> } | null = null

  function discoverConfiguration(): Promise<Configuration> {
    if (cached !== null && Date.now() - cached.at < CACHE_MS) return cached.configuration
    const configuration = discovery(
      new URL(issuer),
      clientId,
      undefined,
      clientSecret === null ? None() : ClientSecretBasic(clientSecret),
      {
        [customFetch]: fetch,
        execute: [enableNonRepudiationChecks, ...(issuer.startsWith('http:') ? [allowInsecureRequests] : [])],
      },
    )
    cached = { at: Date.now(), configuration }
    configuration.catch(() => (cached = null))
    return configuration
  }

  return {
    async startAuthorization({ anew } = { anew: false }) {
      const configuration = await discoverConfiguration().catch(throwUnreachable)
      const [state, nonce, verifier] = [randomState(), randomNonce(), randomPKCECodeVerifier()]
      const url = buildAuthorizationUrl(configuration, {
        redirect_uri: redirectUri,
        scope: 'openid email profile',
        state,
        nonce,
        code_challenge: await calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        ...(anew && { prompt: 'login' }),
      })
      return { url: url.href, state, nonce, verifier }
    },
    async handleCallback(query, { state, nonce, verifier }) {
      const configuration = await discoverConfiguration().catch(throwUnreachable)
      try {
        const tokens = await authorizationCodeGrant(configuration, new URL(`${redirectUri}?${query.toString()}`), {
          expectedState: state,
          expectedNonce: nonce,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        })
        return identityIn(requireValue(tokens.claims(), 'The ID token'), trustedDomains)
      } catch (error) {
        if (isTransport(error)) return throwUnreachable(error)
        return null
      }
    },
  }
}

function identityIn(
  { iss, sub, email, email_verified, xms_edov, name, amr, auth_time }: IDToken,
  trustedDomains: readonly string[],
): ProvidedIdentity {
  const address = typeof email === 'string' ? email.slice(0, 254).toLowerCase() : null
  const isTrusted = email_verified === undefined && address !== null && isOfDomains(address, trustedDomains)
  const isConfirmed = isVerified(email_verified, xms_edov) || isTrusted
  return {
    issuer: iss,
    subject: sub.slice(0, 255),
    email: isConfirmed ? address : null,
    name: typeof name === 'string' ? name : null,
    address,
    unconfirmed: email_verified === undefined && !isConfirmed ? address : null,
    methods: Array.isArray(amr) ? amr.filter((one) => typeof one === 'string').slice(0, MAX_METHODS) : [],
    recognizedAt: instantIn(auth_time),
  }
}

/**
 * Checks whether the provider vouches for the address: by `email_verified` or, if that is absent, by Microsoft Entra's
 * claim that its tenant owns the address's domain (`xms_edov`), which may be a boolean, a number or a string.
 */
const isVerified = (emailVerified: unknown, domainOwned: unknown): boolean =>
  emailVerified === true || (emailVerified === undefined && [true, 1, '1', 'true'].some((yes) => yes === domainOwned))

/** Returns the instant of a NumericDate, in UTC; null if invalid. */
const instantIn = (seconds: unknown): string | null =>
  typeof seconds === 'number' && seconds >= 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : null

/** Checks whether the provider was unreachable or failed, so that a retry may help. */
const isTransport = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof Unavailable ||
  error.name === 'TimeoutError' ||
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT')

const throwUnreachable = (cause: unknown): never => {
  throw new Unavailable('the sign-in provider does not respond', { seconds: 30, cause })
}
