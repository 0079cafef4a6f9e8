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
 * Describes an OpenID provider as it is asked; `redirectUri` is where it sends people back, `trustedDomains` are those
 * for whose addresses it is trusted where it sends no `email_verified`.
 */
type ProviderSetup = {
  issuer: string
  clientId: string
  clientSecret: string | null
  redirectUri: string
  trustedDomains?: readonly string[]
}

/** Holds what a browser is sent away with, to be compared when it comes back. */
export type ProviderRedirect = { url: string; state: string; nonce: string; verifier: string }

/** A person as a provider identifies them. `email` is null unless the provider says that it is verified. */
export type ProvidedIdentity = {
  issuer: string
  subject: string
  email: string | null
  name: string | null
  /** The address that the provider gives, verified or not. */
  address: string | null
  /** That address where nothing says whether it is verified; its person's own session may vouch for it. */
  unconfirmed: string | null
  /** Names how they were recognized there (`amr`, RFC 8176). */
  methods: readonly string[]
  /** When the provider recognized them (`auth_time`), in UTC; null where it doesn't say. */
  recognizedAt: string | null
}

export type Provider = {
  /** Leaves to sign in there; `anew` asks the provider to recognize them again. */
  depart(how?: { anew: boolean }): Promise<ProviderRedirect>
  /**
   * Returns who came back by `query`, as the provider sent it; null where the person or the provider said no, or where
   * anything of the answer isn't right. `Unavailable` when the provider can't be reached.
   */
  arrive(query: URLSearchParams, departure: Omit<ProviderRedirect, 'url'>): Promise<ProvidedIdentity | null>
}

/** Limits what is read of `amr`. */
const MAX_METHODS = 20

/** Milliseconds for which a provider's addresses are cached. */
const CACHE_MS = 3_600_000

/** Opens a provider, which is asked by `fetch`. Its addresses are read when they are first needed. */
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
    async depart({ anew } = { anew: false }) {
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
    async arrive(query, { state, nonce, verifier }) {
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
  const isKnown = isVerified(email_verified, xms_edov) || isTrusted
  return {
    issuer: iss,
    subject: sub.slice(0, 255),
    email: isKnown ? address : null,
    name: typeof name === 'string' ? name : null,
    address,
    unconfirmed: email_verified === undefined && !isKnown ? address : null,
    methods: Array.isArray(amr) ? amr.filter((one) => typeof one === 'string').slice(0, MAX_METHODS) : [],
    recognizedAt: instantIn(auth_time),
  }
}

/**
 * Checks whether the provider vouches for the address: by `email_verified`, or, where that is absent, by the claim of
 * Microsoft Entra that the address's domain is its tenant's own (`xms_edov`), which comes as a boolean, a number or a
 * text.
 */
const isVerified = (emailVerified: unknown, domainOwned: unknown): boolean =>
  emailVerified === true || (emailVerified === undefined && [true, 1, '1', 'true'].some((yes) => yes === domainOwned))

/** Returns the instant of a NumericDate, in UTC; null for what is none. */
const instantIn = (seconds: unknown): string | null =>
  typeof seconds === 'number' && seconds >= 0 && seconds < 1e11 ? new Date(seconds * 1_000).toISOString() : null

/** Checks whether the provider was unreachable or failed, so that another try may help. */
const isTransport = (error: unknown): boolean =>
  !(error instanceof Error) ||
  error instanceof Unavailable ||
  error.name === 'TimeoutError' ||
  (error instanceof TypeError && error.message === 'fetch failed') ||
  (error instanceof ClientError && error.code === 'OAUTH_TIMEOUT')

const throwUnreachable = (cause: unknown): never => {
  throw new Unavailable('the sign-in provider does not answer', { seconds: 30, cause })
}
